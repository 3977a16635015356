// SPDX-License-Identifier: Apache-2.0
// A row of the instruction table, and the lookup of an instruction word's row. A row is an encoding, its
// operands and its meaning; all other properties of an instruction are on the row or follow from it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "isa/table/static_instruction.h"

namespace psim::isa {

struct Format;     // isa/table/format.h: operands in assembler order
struct Execution;  // isa/state/handler.h: the meaning

/// The control flow after an instruction.
enum class Flow : std::uint8_t {
  Straight,  ///< its handler does it
  Call,
  Jump,  ///< jmpl
  Return,
  BranchIcc,       ///< on icc or xcc
  BranchFcc,       ///< on an fcc
  BranchRegister,  ///< on an integer register
  CompareBranch,   ///< on a comparison; no delay slot
  Trap,            ///< a software trap
  Save,            ///< may overflow
  Restore,         ///< may underflow
  FlushWindows,
};

/// Reads, writes and other effects of an instruction apart from its operands; bits of Spec::effects.
namespace effect {
// clang-format off
inline constexpr std::uint32_t kReadCc = 1u << 0, kWriteCc = 1u << 1;      ///< icc and xcc
inline constexpr std::uint32_t kReadY = 1u << 2, kWriteY = 1u << 3;
inline constexpr std::uint32_t kReadGsr = 1u << 4, kWriteGsr = 1u << 5;
inline constexpr std::uint32_t kReadFsr = 1u << 6, kWriteFsr = 1u << 7;    ///< as ldfsr, stfsr see it, fccs too
inline constexpr std::uint32_t kReadAsi = 1u << 8, kWriteAsi = 1u << 9;
inline constexpr std::uint32_t kReadFprs = 1u << 10, kWriteFprs = 1u << 11;
inline constexpr std::uint32_t kLoad = 1u << 12, kStore = 1u << 13;        ///< atomics have both
inline constexpr std::uint32_t kSaveWindow = 1u << 14, kRestoreWindow = 1u << 15;
inline constexpr std::uint32_t kTimed = 1u << 16;                          ///< executes only when oldest
inline constexpr std::uint32_t kWriteO7 = 1u << 17;                        ///< call
inline constexpr std::uint32_t kReadRd = 1u << 18;                         ///< rd is also a source (pdist, swap, cas, conditional moves)
inline constexpr std::uint32_t kOneFlop = 1u << 19, kTwoFlops = 1u << 20;  ///< StaticInstruction::flops
inline constexpr std::uint32_t kReadFcc0 = 1u << 21;                       ///< Fbfcc
inline constexpr std::uint32_t kRefines = 1u << 22;                        ///< the row takes words out of a coarser row
inline constexpr std::uint32_t kReadSimd = 1u << 23, kWriteSimd = 1u << 24;  ///< state bit, PE mask and stack window
inline constexpr std::uint32_t kFlushWindows = 1u << 25;
inline constexpr std::uint32_t kSizeByAsi = 1u << 26;                        ///< ldda, stda: the ASI decides what is accessed
inline constexpr std::uint32_t kTraps = 1u << 27;                            ///< always an exception
inline constexpr std::uint32_t kReserved = 1u << 28;                         ///< no instruction has these words
inline constexpr std::uint32_t kSwitchesState = 1u << 29;                    ///< the next instruction is decoded in the new state
// clang-format on
}  // namespace effect

/// Hardware capabilities that an instruction needs, with the bits of ELF's HWCAP tag (HWCAP2's from bit 32).
namespace hwcap {
// clang-format off
inline constexpr std::uint64_t kMul32 = 1, kDiv32 = 2, kFsmuld = 4, kPopc = 0x10, kVis = 0x20, kVis2 = 0x40, kFmaf = 0x100,
    kVis3 = 0x400, kHpc = 0x800, kIma = 0x8000, kPause = 0x800'0000, kCbcond = 0x1000'0000, kVis3b = std::uint64_t{2} << 32,
    kMwait = std::uint64_t{0x10} << 32;
// clang-format on
}  // namespace hwcap

/// The bits of a row, as the manual draws them. Letters name operand fields, '-' bits that are ignored.
struct Pattern {
  std::string_view text;    ///< 32 characters and spaces, bit 31 first
  std::uint32_t mask = 0;   ///< the bits that are 0 or 1 in the text
  std::uint32_t value = 0;  ///< their values
  constexpr Pattern() = default;
  consteval Pattern(const char* drawing);  ///< does not compile unless all 32 bits are named
};

struct Spec {
  std::string_view name;  ///< mnemonic, without condition and annul suffixes
  Pattern pattern;
  const Format* format = nullptr;
  Unit unit = Unit::None;
  LatencyClass latency = LatencyClass::None;
  Flow flow = Flow::Straight;
  std::string_view manual;  ///< e.g. "V9 A.2": section of the SPARC-V9 manual; "VIS …", "JPS1-V …", "OSA2011
                            ///< …"; "PSIM" for the SIMD extension
  const Execution* execution = nullptr;
  std::uint32_t effects = 0;  ///< OR of effect::k…
  std::uint8_t bytes = 0;     ///< memory accessed, unless an ASI says otherwise
  std::uint64_t needs = 0;    ///< OR of hwcap::k…
};

/// Returns the row of `word`. Never fails: words without a row get the last one. Call it at translation time:
/// it takes tens of nanoseconds.
const Spec& decode(std::uint32_t word);

/// Returns every row, in the order of docs/isa.md; the last has the words that belong to no other.
std::span<const Spec> instructions();

/// A part of the instruction set, as docs/isa.md lists them.
struct Group {
  std::string_view title;
  std::span<const Spec> rows;
};
std::span<const Group> groups();

}  // namespace psim::isa
