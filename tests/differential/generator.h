// SPDX-License-Identifier: Apache-2.0
// Random programs from the instruction table. A program is a row of independent chunks; each loads every
// register from its record, executes a few dozen random instructions (straight line, forward branches, a
// counted loop, nested windows) and stores every register back, so two machines can be compared chunk by
// chunk.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace psim::differential {

inline constexpr unsigned kStateWords = 70;     ///< r0–r31, ccr, y, gsr, fsr, asi, pad, d0–d62
inline constexpr unsigned kScratchBytes = 512;  ///< memory that a chunk's loads and stores reach
inline constexpr unsigned kRecordBytes =
    2 * 8 * kStateWords + kScratchBytes + 416;  ///< initial, final, scratch; 2 KiB
static_assert(kRecordBytes == 2048);

/// Which instructions may appear.
enum class Subset : std::uint8_t {
  Qemu,  ///< what qemu-sparc64 7.2 implements: V9, VIS 1, VIS 2
  All,   ///< VIS 3, multiply-add and compare-and-branch too
};

struct Options {
  std::uint64_t seed = 1;
  unsigned chunks = 64;
  unsigned length = 40;  ///< random instructions a chunk
  Subset subset = Subset::Qemu;
  int only_chunk = -1;  ///< if not negative, the other chunks are left out (and stay zero in the output)
  int truncate = -1;    ///< if not negative, only_chunk stops after this number of its instructions
};

struct Program {
  std::string elf;
  std::vector<std::vector<std::uint32_t>> bodies;  ///< the random instructions of each chunk
};

/// The program writes chunks × kRecordBytes to its standard output and exits with 0.
Program generate(const Options& options);

/// Name of word `index` of a stored state, e.g. "%o3", "ccr", "%d12".
std::string state_word_name(unsigned index);

}  // namespace psim::differential
