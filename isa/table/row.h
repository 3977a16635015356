// SPDX-License-Identifier: Apache-2.0
// The vocabulary of rows: formats with their names, units with their latency classes. Rows stand next to
// their meaning: isa/table/groups.h names the files.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "isa/table/format.h"
#include "isa/table/pattern.h"
#include "isa/table/spec.h"

namespace psim::isa::table {

using enum Operand;

// clang-format off
// Integer.
inline constexpr Format kNoOperands{};
inline constexpr Format kRrr{{Rs1, Rs2, Rd}}, kRir{{Rs1, Simm13, Rd}};
inline constexpr Format kShift32{{Rs1, Shcnt32, Rd}}, kShift64{{Rs1, Shcnt64, Rd}};
inline constexpr Format kRr{{Rs2, Rd}}, kIr{{Simm13, Rd}}, kR2{{Rs2}};
inline constexpr Format kSethi{{High22, Rd}}, kConst22{{Const22}};
inline constexpr Format kMovIccR{{MoveIcc, Rs2, Rd}, Suffix::MoveIcc}, kMovIccI{{MoveIcc, Simm11, Rd}, Suffix::MoveIcc};
inline constexpr Format kMovFccR{{MoveFcc, Rs2, Rd}, Suffix::MoveFcc}, kMovFccI{{MoveFcc, Simm11, Rd}, Suffix::MoveFcc};
inline constexpr Format kMovRR{{Rs1, Rs2, Rd}, Suffix::MoveR}, kMovRI{{Rs1, Simm10, Rd}, Suffix::MoveR};
// Control transfer.
inline constexpr Format kCall{{Disp30}}, kJmplR{{TargetRegister, Rd}}, kJmplI{{TargetImmediate, Rd}};
inline constexpr Format kReturnR{{TargetRegister}}, kReturnI{{TargetImmediate}};
inline constexpr Format kBicc{{Disp22}, Suffix::Bicc}, kFbfcc{{Disp22}, Suffix::Fbfcc};
inline constexpr Format kBpcc{{BranchIcc, Disp19}, Suffix::Bpcc}, kFbpfcc{{BranchFcc, Disp19}, Suffix::Fbpfcc};
inline constexpr Format kBpr{{Rs1, Disp16}, Suffix::Bpr};
inline constexpr Format kCbcondR{{Rs1, Rs2, Disp10}, Suffix::CompareBranch}, kCbcondI{{Rs1, Simm5, Disp10}, Suffix::CompareBranch};
inline constexpr Format kTccR{{TrapIcc, TrapRegister}, Suffix::Tcc}, kTccI{{TrapIcc, TrapImmediate}, Suffix::Tcc};
// Memory.
inline constexpr Format kLoadR{{AddressRegister, Rd}}, kLoadI{{AddressImmediate, Rd}};
inline constexpr Format kLoadAsiR{{AddressRegister, ImmediateAsi, Rd}}, kLoadAsiI{{AddressImmediate, AsiRegister, Rd}};
inline constexpr Format kLoadPairR{{AddressRegister, RdPair}}, kLoadPairI{{AddressImmediate, RdPair}};
inline constexpr Format kLoadPairAsiR{{AddressRegister, ImmediateAsi, RdPair}}, kLoadPairAsiI{{AddressImmediate, AsiRegister, RdPair}};
inline constexpr Format kStoreR{{RdSource, AddressRegister}}, kStoreI{{RdSource, AddressImmediate}};
inline constexpr Format kStoreAsiR{{RdSource, AddressRegister, ImmediateAsi}}, kStoreAsiI{{RdSource, AddressImmediate, AsiRegister}};
inline constexpr Format kStorePairR{{RdPairSource, AddressRegister}}, kStorePairI{{RdPairSource, AddressImmediate}};
inline constexpr Format kStorePairAsiR{{RdPairSource, AddressRegister, ImmediateAsi}}, kStorePairAsiI{{RdPairSource, AddressImmediate, AsiRegister}};
inline constexpr Format kLoadFsR{{AddressRegister, Fs}}, kLoadFsI{{AddressImmediate, Fs}};
inline constexpr Format kLoadFdR{{AddressRegister, Fd}}, kLoadFdI{{AddressImmediate, Fd}};
inline constexpr Format kLoadFqR{{AddressRegister, Fq}}, kLoadFqI{{AddressImmediate, Fq}};
inline constexpr Format kLoadFsAsiR{{AddressRegister, ImmediateAsi, Fs}}, kLoadFsAsiI{{AddressImmediate, AsiRegister, Fs}};
inline constexpr Format kLoadFdAsiR{{AddressRegister, ImmediateAsi, Fd}}, kLoadFdAsiI{{AddressImmediate, AsiRegister, Fd}};
inline constexpr Format kLoadFqAsiR{{AddressRegister, ImmediateAsi, Fq}}, kLoadFqAsiI{{AddressImmediate, AsiRegister, Fq}};
inline constexpr Format kStoreFsR{{FsSource, AddressRegister}}, kStoreFsI{{FsSource, AddressImmediate}};
inline constexpr Format kStoreFdR{{FdSource, AddressRegister}}, kStoreFdI{{FdSource, AddressImmediate}};
inline constexpr Format kStoreFqR{{FqSource, AddressRegister}}, kStoreFqI{{FqSource, AddressImmediate}};
inline constexpr Format kStoreFsAsiR{{FsSource, AddressRegister, ImmediateAsi}}, kStoreFsAsiI{{FsSource, AddressImmediate, AsiRegister}};
inline constexpr Format kStoreFdAsiR{{FdSource, AddressRegister, ImmediateAsi}}, kStoreFdAsiI{{FdSource, AddressImmediate, AsiRegister}};
inline constexpr Format kStoreFqAsiR{{FqSource, AddressRegister, ImmediateAsi}}, kStoreFqAsiI{{FqSource, AddressImmediate, AsiRegister}};
inline constexpr Format kLoadFsrR{{AddressRegister, Fsr}}, kLoadFsrI{{AddressImmediate, Fsr}};
inline constexpr Format kStoreFsrR{{Fsr, AddressRegister}}, kStoreFsrI{{Fsr, AddressImmediate}};
inline constexpr Format kCasR{{AddressRs1, ImmediateAsi, Rs2, Rd}}, kCasI{{AddressRs1, AsiRegister, Rs2, Rd}};
inline constexpr Format kPrefetchR{{AddressRegister, PrefetchFunction}}, kPrefetchI{{AddressImmediate, PrefetchFunction}};
inline constexpr Format kPrefetchAsiR{{AddressRegister, ImmediateAsi, PrefetchFunction}}, kPrefetchAsiI{{AddressImmediate, AsiRegister, PrefetchFunction}};
inline constexpr Format kMembar{{MembarMask}}, kFlushR{{AddressRegister}}, kFlushI{{AddressImmediate}};
// State registers.
template <Operand state> inline constexpr Format kRead{{state, Rd}};
template <Operand state> inline constexpr Format kWriteR{{Rs1, Rs2, state}};
template <Operand state> inline constexpr Format kWriteI{{Rs1, Simm13, state}};
inline constexpr Format kReadPrivileged{{PrivilegedRead, Rd}}, kWritePrivilegedR{{Rs1, Rs2, PrivilegedWrite}}, kWritePrivilegedI{{Rs1, Simm13, PrivilegedWrite}};
inline constexpr Format kReadAsr{{AsrRead, Rd}}, kWriteAsrR{{Rs1, Rs2, AsrWrite}}, kWriteAsrI{{Rs1, Simm13, AsrWrite}}, kSir{{Simm13}};
// Floating point: operand sizes in assembler order.
inline constexpr Format kSss{{Fs1, Fs2, Fs}}, kDdd{{Fd1, Fd2, Fd}}, kQqq{{Fq1, Fq2, Fq}}, kSsd{{Fs1, Fs2, Fd}}, kDdq{{Fd1, Fd2, Fq}};
inline constexpr Format kSdd{{Fs1, Fd2, Fd}}, kDds{{Fd1, Fd2, Fs}};
inline constexpr Format kSs{{Fs2, Fs}}, kDd{{Fd2, Fd}}, kQq{{Fq2, Fq}}, kSd{{Fs2, Fd}}, kSq{{Fs2, Fq}}, kDs{{Fd2, Fs}}, kDq{{Fd2, Fq}}, kQs{{Fq2, Fs}}, kQd{{Fq2, Fd}};
inline constexpr Format kS1s{{Fs1, Fs}}, kD1d{{Fd1, Fd}}, kS{{Fs}}, kD{{Fd}};
inline constexpr Format kSsss{{Fs1, Fs2, Fs3, Fs}}, kDddd{{Fd1, Fd2, Fd3, Fd}};
inline constexpr Format kCompareS{{CompareFcc, Fs1, Fs2}}, kCompareD{{CompareFcc, Fd1, Fd2}}, kCompareQ{{CompareFcc, Fq1, Fq2}};
inline constexpr Format kMovIccS{{MoveIcc, Fs2, Fs}, Suffix::MoveIcc}, kMovIccD{{MoveIcc, Fd2, Fd}, Suffix::MoveIcc}, kMovIccQ{{MoveIcc, Fq2, Fq}, Suffix::MoveIcc};
inline constexpr Format kMovFccS{{MoveFcc, Fs2, Fs}, Suffix::MoveFcc}, kMovFccD{{MoveFcc, Fd2, Fd}, Suffix::MoveFcc}, kMovFccQ{{MoveFcc, Fq2, Fq}, Suffix::MoveFcc};
inline constexpr Format kMovRS{{Rs1, Fs2, Fs}, Suffix::MoveR}, kMovRD{{Rs1, Fd2, Fd}, Suffix::MoveR}, kMovRQ{{Rs1, Fq2, Fq}, Suffix::MoveR};
// Between the register files.
inline constexpr Format kDdR{{Fd1, Fd2, Rd}}, kD2R{{Fd2, Rd}}, kS2R{{Fs2, Rd}}, kR2D{{Rs2, Fd}}, kR2S{{Rs2, Fs}}, kSiam{{SiamMode}};
// clang-format on

/// A reservation station with its latency class, and the memory effects that they imply.
struct Timing {
  Unit unit;
  LatencyClass latency;
  std::uint32_t effects = 0;
};
inline constexpr Timing kNothing{Unit::None, LatencyClass::None};
inline constexpr Timing kSimple{Unit::Int, LatencyClass::IntSimple};
inline constexpr Timing kMultiply{Unit::Int, LatencyClass::IntMultiply};
inline constexpr Timing kDivide{Unit::Int, LatencyClass::IntDivide};
inline constexpr Timing kFpMove{Unit::Fp, LatencyClass::FpMove};
inline constexpr Timing kFpAdd{Unit::Fp, LatencyClass::FpAdd};
inline constexpr Timing kFpMultiply{Unit::Fp, LatencyClass::FpMultiply};
inline constexpr Timing kFpMultiplyAdd{Unit::Fp, LatencyClass::FpMultiplyAdd};
inline constexpr Timing kFpDivideSingle{Unit::Fp, LatencyClass::FpDivideSingle};
inline constexpr Timing kFpDivideDouble{Unit::Fp, LatencyClass::FpDivideDouble};
inline constexpr Timing kFpSqrtSingle{Unit::Fp, LatencyClass::FpSqrtSingle};
inline constexpr Timing kFpSqrtDouble{Unit::Fp, LatencyClass::FpSqrtDouble};
inline constexpr Timing kFpQuad{Unit::Fp, LatencyClass::FpQuad};
inline constexpr Timing kLoad{Unit::Address, LatencyClass::Load, effect::kLoad};
inline constexpr Timing kStore{Unit::Address, LatencyClass::Store, effect::kStore};
inline constexpr Timing kAtomic{Unit::Address, LatencyClass::Atomic, effect::kLoad | effect::kStore};
inline constexpr Timing kPrefetch{Unit::Address, LatencyClass::Prefetch};
inline constexpr Timing kSerialMemory{Unit::Address, LatencyClass::Serial};
inline constexpr Timing kSerial{Unit::Int, LatencyClass::Serial};
inline constexpr Timing kBranch{Unit::Branch, LatencyClass::Branch};

/// Returns the control flow after an instruction of this format.
constexpr Flow flow_of(const Format& format, std::uint32_t effects) {
  switch (format.suffix) {
    case Suffix::Bicc:
    case Suffix::Bpcc:
      return Flow::BranchIcc;
    case Suffix::Fbfcc:
    case Suffix::Fbpfcc:
      return Flow::BranchFcc;
    case Suffix::Bpr:
      return Flow::BranchRegister;
    case Suffix::CompareBranch:
      return Flow::CompareBranch;
    case Suffix::Tcc:
      return Flow::Trap;
    case Suffix::None:
    case Suffix::MoveIcc:
    case Suffix::MoveFcc:
    case Suffix::MoveR:
      break;
  }
  const Operand first = format.operands[0];
  if (first == Disp30) return Flow::Call;
  if (first == TargetRegister || first == TargetImmediate)
    return format.operands[1] == Rd ? Flow::Jump : Flow::Return;
  if ((effects & effect::kSaveWindow) != 0) return Flow::Save;
  if ((effects & effect::kRestoreWindow) != 0) return Flow::Restore;
  return (effects & effect::kFlushWindows) != 0 ? Flow::FlushWindows : Flow::Straight;
}

/// Makes a row. Does not compile if its pattern and its format disagree about a field.
constexpr Spec row(std::string_view name, Pattern pattern, const Format& format, Timing timing,
                   std::string_view manual, const Execution& execution, std::uint32_t effects = 0,
                   std::uint8_t bytes = 0, std::uint64_t needs = 0) {
  const std::uint32_t lettered = field_bits(pattern), fields = field_bits(format);
  // A row may fix bits of a field (the rows of one state register, say) but not ignore them.
  if ((lettered & ~fields) != 0 || (fields & ~lettered & ~pattern.mask) != 0)
    throw "a pattern and its format disagree about a field";
  effects |= timing.effects;
  const Flow flow = flow_of(format, effects);
  return {name,   pattern,    &format, timing.unit, timing.latency, flow,
          manual, &execution, effects, bytes,       needs};
}

/// A part of a pattern, as an argument of a template.
template <std::size_t size>
struct Drawing {
  consteval Drawing(const char (&drawn)[size]) { std::copy_n(drawn, size, text); }
  char text[size]{};
};

/// The parts of a pattern in one text that ends with 0.
template <Drawing... parts>
inline constexpr auto kDrawn = [] {
  std::array<char, (sizeof parts.text + ...) - sizeof...(parts) + 1> all{};
  char* at = all.data();
  ((at = std::copy_n(parts.text, sizeof parts.text - 1, at)), ...);
  return all;
}();

/// Makes the two rows of an instruction whose operand 2 is register rs2 or a signed constant, which bit 13
/// chooses. `head` draws the bits before it, and `middle` those between it and rs2.
template <Drawing head, Drawing middle = "00000000">
constexpr std::array<Spec, 2> pair(std::string_view name, const Format& with_register,
                                   const Format& with_constant, Timing timing, std::string_view manual,
                                   const Execution& execution, std::uint32_t effects = 0,
                                   std::uint8_t bytes = 0, std::uint64_t needs = 0) {
  return {row(name, kDrawn<head, " 0 ", middle, " ttttt">.data(), with_register, timing, manual, execution,
              effects, bytes, needs),
          row(name, kDrawn<head, " 1 iiiiiiiiiiiii">.data(), with_constant, timing, manual, execution,
              effects, bytes, needs)};
}

/// Joins rows and pairs of rows.
template <class... Parts>
constexpr auto rows(const Parts&... parts) {
  std::array<Spec, (sizeof(Parts) + ...) / sizeof(Spec)> all{};
  auto at = all.begin();
  const auto add = [&at](const auto& part) {
    if constexpr (std::is_same_v<decltype(part), const Spec&>)
      *at++ = part;
    else
      at = std::copy(part.begin(), part.end(), at);
  };
  (add(parts), ...);
  return all;
}

/// Adds a hardware capability to the rows of a group, except for rows that name their own.
template <std::size_t size>
constexpr std::array<Spec, size> needing(std::uint64_t needs, const Spec (&rows)[size]) {
  std::array<Spec, size> all = std::to_array(rows);
  for (Spec& row : all)
    if (row.needs == 0) row.needs = needs;
  return all;
}

/// Returns true if two rows share a word only where the finer is marked as refining the coarser.
constexpr bool disjoint(std::span<const Spec> rows) {
  for (std::size_t a = 0; a < rows.size(); ++a) {
    for (std::size_t b = a + 1; b < rows.size(); ++b) {
      const Spec &one = rows[a], &other = rows[b];
      if (!overlap(one.pattern, other.pattern)) continue;
      const bool refined = (nests(one.pattern, other.pattern) && (one.effects & effect::kRefines) != 0) ||
                           (nests(other.pattern, one.pattern) && (other.effects & effect::kRefines) != 0);
      if (!refined) return false;
    }
  }
  return true;
}

}  // namespace psim::isa::table
