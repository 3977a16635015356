// SPDX-License-Identifier: Apache-2.0
// Reads the register log of `qemu-sparc64 -singlestep -d nochain,cpu,fpu`: one block of text before every
// instruction.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

namespace psim::lockstep {

/// The state of one strand before an instruction, as far as it can be compared.
struct StrandState {
  std::uint64_t pc = 0, npc = 0;
  std::array<std::uint64_t, 32> r{};  ///< %g, %o, %l, %i
  std::array<std::uint64_t, 32> f{};  ///< %d0–%d62
  std::uint64_t fsr = 0, y = 0;
  std::uint8_t ccr = 0, asi = 0, cansave = 0, canrestore = 0, cwp = 0;
};

/// Name and both values of the first register that differs, or nothing.
std::optional<std::string> first_difference(const StrandState& qemu, const StrandState& ours);

class QemuLog {
 public:
  explicit QemuLog(std::FILE* log) : log_(log) {}
  /// The next block; false at the end of the log.
  bool next(StrandState& state);

 private:
  std::FILE* log_;
};

}  // namespace psim::lockstep
