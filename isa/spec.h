// SPDX-License-Identifier: Apache-2.0
// A row of the instruction table, and the way from an instruction word to its row.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "isa/op.h"
#include "isa/static_instruction.h"

namespace psim::isa {

struct Format;  // isa/table/format.h: operands in assembler order

/// What an instruction reads or does beside its operands; bits of Spec::effects.
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
// clang-format on
}  // namespace effect

/// The bits of a row, as the manual draws them. Letters name operand fields, '-' bits that are ignored.
struct Pattern {
  std::string_view text;    ///< 32 characters and spaces, bit 31 first
  std::uint32_t mask = 0;   ///< the bits that are 0 or 1 in the text
  std::uint32_t value = 0;  ///< their values
  constexpr Pattern() = default;
  consteval Pattern(const char* drawing);  ///< does not compile unless all 32 bits are named
};

struct Spec {
  Op op = Op::Illegal;
  std::string_view name;  ///< mnemonic, without condition and annul suffixes
  Pattern pattern;
  const Format* format = nullptr;
  Unit unit = Unit::None;
  LatencyClass latency = LatencyClass::None;
  std::string_view manual;  ///< e.g. "V9 A.2": section of the SPARC-V9 manual; "VIS …", "JPS1-V …", "OSA2011
                            ///< …"; "PSIM" for the SIMD extension
  std::uint32_t effects = 0;  ///< OR of effect::k…
  std::uint8_t bytes = 0;     ///< memory accessed, unless an ASI says otherwise
};

/// The row of `word`. Never fails: a word of no row has that of Op::Illegal. Meant for translation time:
/// tens of nanoseconds.
const Spec& decode(std::uint32_t word);

/// Every row, in the order of docs/isa.md; the last is that of Op::Illegal.
std::span<const Spec> instructions();

/// A part of the instruction set, as docs/isa.md lists them.
struct Group {
  std::string_view title;
  std::span<const Spec> rows;
};
std::span<const Group> groups();

}  // namespace psim::isa
