// SPDX-License-Identifier: Apache-2.0
// The properties of an instruction word that the pipeline needs, derived once from the instruction table
// (isa/table) when the word is first decoded: unit, latency class, registers read and written, control flow.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace psim::isa {

struct Spec;  // a row of the instruction table, isa/table/spec.h

/// The reservation station, and so the pipes, of an instruction (JPS1-V ch. 6).
enum class Unit : std::uint8_t {
  None,     ///< completes at decode: nop, sethi to %g0, prefetch past its use
  Int,      ///< RSE: EXA, EXB
  Fp,       ///< RSF: FLA, FLB (floating point and VIS)
  Address,  ///< RSA: EAGA, EAGB (loads, stores, atomics, prefetch)
  Branch,   ///< RSBR
  Simd,     ///< SIMD RS: every PE's SFPU
};

/// An execution latency class; the machine file sets the cycles of each, and whether it is pipelined.
enum class LatencyClass : std::uint8_t {
  None,
  IntSimple,
  IntMultiply,
  IntDivide,
  FpMove,      ///< fmov, fneg, fabs, VIS logicals and partitioned adds
  FpAdd,       ///< fadd, fsub, fcmp, conversions
  FpMultiply,  ///< fmul, and VIS multiplies
  FpMultiplyAdd,
  FpDivideSingle,
  FpDivideDouble,
  FpSqrtSingle,
  FpSqrtDouble,
  FpQuad,  ///< quad operations: trap and emulation
  Load,
  Store,
  Atomic,
  Prefetch,
  BlockTransfer,  ///< sbmget, sbmput: the descriptor is read and passed to the transfer engine
  TransferSync,   ///< sbmsync: ends when the transfers it waits for have ended
  PeMove,         ///< between scalar and PE registers, within a pair, number of the PE
  PeSum,          ///< sum across PEs
  Branch,
  Serial,  ///< executes alone, when oldest: membar #Sync, writes of ancillary state, software traps, flush
};
inline constexpr std::size_t kLatencyClasses = static_cast<std::size_t>(LatencyClass::Serial) + 1;

/// Return names for documents and configurations: "address", "fp_multiply_add".
std::string_view name(Unit unit);
std::string_view name(LatencyClass latency);

enum class BranchKind : std::uint8_t { None, Conditional, Always, Call, Return, Indirect };

/// A run of consecutive register names. Integer names are those of the current window (0–31);
/// floating-point registers are named by 32-bit halves, so %f5 is {kFp + 5, 1}, %d4 is {kFp + 4, 2}, %q4 {kFp
/// + 4, 4}.
struct RegisterRange {
  std::uint8_t first = 0;
  std::uint8_t count = 0;
};
/// The name space of everything that an instruction can depend on. %g0 never appears.
namespace reg {
inline constexpr std::uint8_t kInt = 0;   ///< r0–r31 of the current window
inline constexpr std::uint8_t kFp = 32;   ///< 64 halves
inline constexpr std::uint8_t kCcr = 96;  ///< icc and xcc together
inline constexpr std::uint8_t kFcc = 97;  ///< fcc0–fcc3
inline constexpr std::uint8_t kY = 101;
inline constexpr std::uint8_t kGsr = 102;
inline constexpr std::uint8_t kFsr = 103;  ///< the rest of %fsr, as ldfsr/stfsr see it
inline constexpr std::uint8_t kAsi = 104;
inline constexpr std::uint8_t kFprs = 105;
// In SIMD state operations name these instead of kFp and kFcc: a register of all PEs is one name.
inline constexpr std::uint8_t kSimdFp = 106;   ///< SFPR, 64 halves
inline constexpr std::uint8_t kSimdFcc = 170;  ///< fcc0–fcc3 of the PEs
inline constexpr std::uint8_t kSimd = 174;     ///< state bit, PE mask, stack window; their writers are serial
inline constexpr std::uint8_t kCount = 175;
/// Further names: two halves of one 64-bit register, 32 of kFp and then 32 of kSimdFp.
inline constexpr std::uint8_t kPairs = kCount;
inline constexpr std::uint8_t kNames = kPairs + 64;
/// Returns the first half of a pair.
constexpr std::uint8_t half_of(std::uint8_t pair) {
  const unsigned n = pair - kPairs;
  return static_cast<std::uint8_t>(n < 32 ? kFp + 2 * n : kSimdFp + 2 * (n - 32));
}
}  // namespace reg

/// The operands of an instruction as rename looks them up: names one by one, halves in pairs where possible.
struct RegisterNames {
  std::uint8_t sources = 0, destinations = 0;
  /// Of a store that is no atomic: source[0, address_sources) form the address, the others are the datum.
  /// Elsewhere equal to `sources`.
  std::uint8_t address_sources = 0;
  std::array<std::uint8_t, 12> source{};
  std::array<std::uint8_t, 9> destination{};
};

/// Numbers of registers of three kinds in one word, so that they are added and compared at once. Each is at
/// most kMost.
struct PerKind {
  static constexpr std::uint64_t kMost = (1 << 15) - 1;
  std::uint64_t packed = 0;  ///< 16 bits each: integer, floating-point, of each PE

  static constexpr PerKind of(std::uint64_t integer, std::uint64_t fp, std::uint64_t pe) {
    return {integer | fp << 16 | pe << 32};
  }
  constexpr std::uint32_t integer() const { return packed & 0xffff; }
  constexpr std::uint32_t fp() const { return packed >> 16 & 0xffff; }
  constexpr std::uint32_t pe() const { return packed >> 32 & 0xffff; }
};

struct StaticInstruction {
  const Spec* spec = nullptr;  ///< never null: an illegal word has the row of illtrap
  std::uint32_t word = 0;
  Unit unit = Unit::None;
  LatencyClass latency = LatencyClass::None;
  BranchKind branch = BranchKind::None;
  std::uint8_t access_bytes = 0;  ///< bytes touched in memory (1–64), 0: none
  bool load : 1 = false;          ///< reads memory (atomics are load and store)
  bool store : 1 = false;
  bool annul : 1 = false;  ///< the annul bit of a branch
  bool no_delay_slot : 1 =
      false;  ///< a branch without delay slot (compare-and-branch): falls through to pc + 4
  bool window_save : 1 = false;     ///< destination is in the next window (save)
  bool window_restore : 1 = false;  ///< destination is in the previous window (restore, return)
  bool serial : 1 = false;          ///< issues only in an otherwise empty core (LatencyClass::Serial)
  bool timed : 1 = false;           ///< executes only when oldest: software traps, reads of %tick and %stick
  bool simd : 1 = false;            ///< by every enabled PE: flops count for each (InstructionRecord::pes)
  bool pe_data : 1 = false;  ///< a load or store of PE registers: InstructionRecord::sbm is set if it went to
                             ///< SBM; otherwise a load was read once and broadcast
  std::uint8_t sources = 0, destinations = 0;
  std::uint8_t address_sources = 0;  ///< of a store or atomic: source[0, address_sources) form the address,
                                     ///< the others are the datum; elsewhere equal to `sources`
  std::uint8_t crosses = 0;          ///< PEs of a pair that take an operand from the other: 0, 1 or 2
  std::uint8_t flops = 0;  ///< floating-point operations done: add, subtract, multiply, divide, square root
                           ///< 1, multiply-add 2, moves, compares and conversions 0
  std::array<RegisterRange, 6> source{};       ///< [0, sources): each once, %g0 left out
  std::array<RegisterRange, 3> destination{};  ///< [0, destinations)
  std::int64_t displacement = 0;  ///< of a PC-relative branch or call: target = pc + displacement (bytes)
  /// Registers of 64 bits among the destinations, by kind: integer, floating-point, of each PE.
  PerKind results{};
  RegisterNames names{};

  /// Sets `results` and `names` from the other members.
  void resolve_registers();
};

}  // namespace psim::isa
