// SPDX-License-Identifier: Apache-2.0
// Handlers: small functions that perform one decoded instruction (an Action) on the state and continue with
// the next.
//
//   template <auto F>                                   // double F(double, double)
//   PSIM_HANDLER(binary_double) {
//     put<double>(c, a->rd, F(get<double>(c, a->rs1), get<double>(c, a->rs2)));
//     PSIM_NEXT;
//   }
//   template <auto F>
//   inline constexpr Execution kBinaryDouble{{.handler = binary_double<F>, .floating = true}};
//   …
//   row("faddd", "10 ddddd 110100 sssss 001000010 ttttt", kDdd, kFpAdd, "V9 A.12", kBinaryDouble<add>, …),
//
// Rules of a handler
// - Precise: decide everything that can fail before changing any state; on failure
//   `PSIM_TROUBLE(FaultKind::…)` (with an address where the kind has one). The instruction may then be run
//   again from the same state, once, before the fault is delivered.
// - It never looks at pc or npc (they are stale inside blocks) and is no control transfer: those are
//   isa/exec/block_builder.cpp's.
// - Operands are byte offsets into CpuState, computed from the row's format when the instruction is
//   decoded:
//   a destination %g0 is a sink, a source %g0 is 0. A conditional move's rd is also in Action::rs3, as a
//   source. With i = 1 the `immediate` handler is used and Action::imm is the row's sign-extended immediate.
//   Everything else that the handler needs is in Action::word (isa/table/fields.h), or, quicker, in
//   Action::imm when Binding::prepare puts it there.
// - Reference it must pass to a function that is not inlined prevents the tail call: keep locals in
//   registers,
//   call functions by value, or put the slow half in a function of its own that returns the next Action.
// - Condition codes are written by set_cc() or the lazy forms of CpuState; %fcc and everything else of %fsr
//   live in CpuState::fsr. `floating` handlers run with the guest's rounding mode in force on the host, and
//   leave IEEE flags in the host's sticky flags (isa/fp/environment.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "isa/state/cpu_state.h"
#include "isa/state/environment.h"
#include "isa/table/spec.h"

namespace psim::isa {

struct Context;  // CpuState and the executor's own data: isa/state/context.h
struct Action;

/// How IMPDEP2 multiply-adds round: once (VIS 3 parts) or twice (SPARC64 V, JPS1-V p. 51).
enum class FmaRounding : std::uint8_t { Fused, Unfused };

/// Returns the next action, or null to leave the block (Context::exit says why).
using Handler = const Action* (*)(Context* c, const Action* a, std::byte* host, const std::uint8_t* pages);

/// One decoded instruction, or a fused pair. 32 bytes.
struct Action {
  Handler handler = nullptr;
  std::uint16_t rd = 0, rs1 = 0, rs2 = 0, rs3 = 0;  ///< byte offsets into CpuState
  std::int64_t imm = 0;
  std::uint32_t word = 0;   ///< the instruction
  std::uint16_t index = 0;  ///< instructions of the block before it; execution restarts there on trouble
  std::uint16_t slot = 0;   ///< position of this action in its block
};
static_assert(sizeof(Action) == 32);

/// The computation of a handler, if the translator to host code (isa/jit) has code of its own for it.
/// Operands are those of the action. A binding with condition codes (Binding::cc) also sets them.
enum class Meaning : std::uint8_t {
  Other,  ///< known to the handler alone
  Add,
  Sub,
  And,
  AndNot,
  Or,
  OrNot,
  Xor,
  XorNot,
  ShiftLeft32,  ///< by 0 to 31, of 64 bits
  ShiftRight32,
  ShiftRightSigned32,
  ShiftLeft64,
  ShiftRight64,
  ShiftRightSigned64,
  Multiply,
  AddCarry,  ///< of icc, without setting condition codes
  SubCarry,
  DivideUnsigned,  ///< 64 bits
  DivideSigned,
  Set,  ///< rd = imm
  Nothing,
  MoveOnIcc,
  MoveOnRegister,
  Load,  ///< of Spec::bytes, zero-extended; or of a whole double register
  LoadSigned,
  LoadSingle,  ///< of a single register
  Store,       ///< of the low Spec::bytes of a register of any kind
  Arithmetic,  ///< the fp::Operation of Binding::operation
  CopyDouble,  ///< fmovd
};

/// How an instruction is executed.
struct Binding {
  Handler handler = nullptr;    ///< i = 0, or the form has no immediate
  Handler immediate = nullptr;  ///< i = 1: operand 2 is Action::imm; null: the form has none
  bool floating = false;        ///< needs the guest's floating-point environment on the host
  /// Fills in Action::imm or changes operands or handler from the word, after the above; may be null.
  void (*prepare)(Action&) = nullptr;
  /// The form in which CpuState describes the condition codes that it sets, if always the same.
  std::optional<CcKind> cc{};
  Meaning meaning = Meaning::Other;
  std::uint8_t operation = 0;  ///< of Meaning::Arithmetic
};

/// The meaning of a row.
struct Execution {
  Binding scalar{};
  /// Binding in SIMD state. Null: floating-point and VIS instructions use simd::by_lanes, all others run as
  /// in scalar state.
  Binding (*in_simd)(FmaRounding) = nullptr;
  /// Binding in scalar state that depends on the rounding of multiply-adds, instead of `scalar`.
  Binding (*rounded)(FmaRounding) = nullptr;
};

/// The bindings of all rows in one state.
class Bindings {
 public:
  /// `pe_by_pe`: the handler of floating-point and VIS instructions in SIMD state that name no binding for
  /// it. Null: the bindings are those of scalar state.
  Bindings(FmaRounding fma, Handler pe_by_pe);
  const Binding& operator[](const Spec& row) const {
    return of_[static_cast<std::size_t>(&row - instructions().data())];
  }
  bool simd() const { return simd_; }

 private:
  std::vector<Binding> of_;
  bool simd_;
};

/// Returns the offset of register `number` (as in fields.h) of a bank. A write of %g0 goes to the sink.
constexpr std::uint16_t int_offset(unsigned number) { return static_cast<std::uint16_t>(8 * number); }
constexpr std::uint16_t int_sink_offset(unsigned number) {
  return static_cast<std::uint16_t>(8 * (number == 0 ? 32 : number));
}
constexpr std::uint16_t double_offset(unsigned number) {  // number is even, 0–62
  return static_cast<std::uint16_t>(offsetof(CpuState, f) + 4 * number);
}
constexpr std::uint16_t single_offset(
    unsigned number) {  // the even one is the high half of a little-endian word
  return static_cast<std::uint16_t>(offsetof(CpuState, f) + 4 * (number ^ 1));
}

/// Reads the register at a byte offset as a T (std::uint64_t, double, float, std::uint32_t, …). Quads are two
/// doubles: high half at the offset, low half 8 above.
template <class T = std::uint64_t>
inline T get(const Context* c, std::uint16_t offset) {
  T value;
  std::memcpy(&value, reinterpret_cast<const std::byte*>(c) + offset, sizeof value);
  return value;
}
template <class T = std::uint64_t>
inline void put(Context* c, std::uint16_t offset, T value) {
  std::memcpy(reinterpret_cast<std::byte*>(c) + offset, &value, sizeof value);
}

/// Records a fault of the instruction and leaves the block.
[[gnu::noinline, gnu::cold]] const Action* trouble(Context* c, const Action* a, FaultKind kind,
                                                   std::uint64_t address = 0, std::uint8_t asi = 0);

}  // namespace psim::isa

#define PSIM_HANDLER(name)                                                                     \
  const ::psim::isa::Action* name(                                                             \
      [[maybe_unused]] ::psim::isa::Context* c, [[maybe_unused]] const ::psim::isa::Action* a, \
      [[maybe_unused]] std::byte* host, [[maybe_unused]] const std::uint8_t* pages)

// Threaded dispatch: a handler ends in a jump to the next one. Optimising compilers make sibling calls of it;
// otherwise (-O0, sanitizers) a loop in the executor calls the handlers.
#if defined(__OPTIMIZE__) && !defined(PSIM_SANITIZED)
#define PSIM_THREADED 1
#define PSIM_GO(next)                                     \
  do {                                                    \
    const ::psim::isa::Action* const psim_next = (next);  \
    return psim_next->handler(c, psim_next, host, pages); \
  } while (false)
#else
#define PSIM_THREADED 0
#define PSIM_GO(next) return (next)
#endif
#define PSIM_NEXT PSIM_GO(a + 1)
#define PSIM_TROUBLE(...) return ::psim::isa::trouble(c, a, __VA_ARGS__)
