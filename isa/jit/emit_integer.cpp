// SPDX-License-Identifier: Apache-2.0
// Integer computations, conditional moves, and the condition codes.
#include <cstddef>

#include "isa/jit/emitter.h"
#include "isa/state/conditions.h"
#include "isa/table/fields.h"

namespace psim::isa::jit {

using namespace asmjit;
using namespace asmjit::x86;

namespace {
unsigned number_of(std::uint16_t offset) { return offset / 8; }

/// Conditions 0 to 15 of the manual, on the host's flags after the same subtraction, addition or test.
constexpr CondCode kConditions[16] = {CondCode::kMaxValue, CondCode::kZ,  CondCode::kLE, CondCode::kL,
                                      CondCode::kBE,       CondCode::kB,  CondCode::kS,  CondCode::kO,
                                      CondCode::kMaxValue, CondCode::kNZ, CondCode::kG,  CondCode::kGE,
                                      CondCode::kA,        CondCode::kAE, CondCode::kNS, CondCode::kNO};

/// Returns NZVC as the host's flags: CF bit 0, ZF bit 6, SF bit 7, OF bit 11.
std::uint64_t host_flags(const Context* c, unsigned codes) {
  const unsigned flags = nzvc(*c, codes);
  return (flags & 1) | (flags & 4) << 4 | (flags & 8) << 4 | (flags & 2) << 10;
}
}  // namespace

Emitter::Second Emitter::second(const Action* a, bool immediate) const {
  if (immediate) return {true, a->imm, 0};
  const unsigned number = number_of(a->rs2);
  return number == 0 ? Second{true, 0, 0} : Second{false, 0, number};
}

/// Emits `operation to, y`.
void Emitter::operate(Inst operation, Gp to, const Second& y, unsigned bytes) {
  const auto sized = [&](Gp reg) { return bytes == 4 ? Gp(reg.r32()) : reg; };
  if (y.constant) {
    as_.emit(operation, sized(to), static_cast<std::int32_t>(y.value));
  } else if (now_.at_home(y.number)) {
    as_.emit(operation, sized(to), sized(in(y.number, rax)));
  } else {
    as_.emit(operation, sized(to), r(y.number, bytes));
  }
}

void Emitter::straight(const Action* a, const Decoded& d) {
  const Meaning meaning = bindings_[*d.spec].meaning;
  const bool immediate = bindings_[*d.spec].immediate != nullptr && has_immediate(a->word);
  switch (meaning) {
    case Meaning::Nothing:
      return;
    case Meaning::Set: {
      const unsigned to = number_of(a->rd);
      const Gp value = out(to, rax);
      constant(value, a->imm);
      return done(to, value);
    }
    case Meaning::DivideUnsigned:
    case Meaning::DivideSigned:
      return divide(a, meaning == Meaning::DivideSigned, immediate);
    case Meaning::MoveOnIcc:
    case Meaning::MoveOnRegister:
      return move(a, d, immediate);
    case Meaning::Load:
    case Meaning::LoadSigned:
    case Meaning::LoadSingle:
    case Meaning::Store:
      return access(a, d, immediate);
    case Meaning::Arithmetic:
      return arithmetic(a, static_cast<fp::Operation>(bindings_[*d.spec].operation));
    case Meaning::CopyDouble:
      as_.mov(state(&CpuState::fp_last), static_cast<int>(fp::Operation::Move));
      as_.mov(rax, state(a->rs2, 8));
      as_.mov(state(a->rd, 8), rax);
      return;
    default:
      return computation(a, d, immediate);
  }
}

/// Puts the operands of an addition or subtraction into CpuState.
void Emitter::note_operands(CcKind kind, unsigned x, const Second& y) {
  if (cc_.kind != kind) as_.mov(state(&CpuState::cc_kind), static_cast<std::uint8_t>(kind));
  as_.mov(state(&CpuState::cc_a), in(x, rax));
  if (y.constant)
    as_.mov(state(&CpuState::cc_b), static_cast<std::int32_t>(y.value));
  else
    as_.mov(state(&CpuState::cc_b), in(y.number, rax));
  cc_ = {.kind = kind, .operands = true, .a = x, .b = y};
}
void Emitter::note_result(Gp result, unsigned destination) {
  if (cc_.kind != CcKind::Logic) as_.mov(state(&CpuState::cc_kind), static_cast<std::uint8_t>(CcKind::Logic));
  as_.mov(state(&CpuState::cc_a), result);
  done(destination, result);
  cc_ = {.kind = CcKind::Logic, .operands = destination != 32, .a = destination, .b = {}};
}

void Emitter::computation(const Action* a, const Decoded& d, bool immediate) {
  const unsigned to = number_of(a->rd);
  unsigned x = number_of(a->rs1);
  Second y = second(a, immediate);
  const bool logic = d.cc == CcKind::Logic;
  if (d.cc && !logic) note_operands(*d.cc, x, y);
  if (to == 32 && !logic) return;
  const Meaning meaning = bindings_[*d.spec].meaning;
  const bool commutes = meaning == Meaning::Add || meaning == Meaning::And || meaning == Meaning::Or ||
                        meaning == Meaning::Xor || meaning == Meaning::XorNot || meaning == Meaning::Multiply;
  if (commutes && !y.constant && (y.number == to || x == 0)) {
    const unsigned other = x;
    x = y.number;
    y = other == 0 ? Second{true, 0, 0} : Second{false, 0, other};
  }
  // Operand 2 is read after the result's register has been written.
  const bool overlaps = !y.constant && y.number == to && to != x;
  const Gp result = overlaps ? Gp(rax) : out(to, rax);
  const auto begin = [&] {
    if (const bool there = now_.at_home(x) && result == home(x) && (now_.valid >> x & 1) != 0; !there)
      load(result, x);
  };
  switch (meaning) {
    using enum Meaning;
    case Add:
    case Or:
    case Xor:
      if (meaning == Add && y.constant && y.value != 0 && x != 0 && x != to && now_.at_home(x)) {
        as_.lea(result, Mem(in(x, rax), static_cast<std::int32_t>(y.value)));
      } else if (meaning == Add && !y.constant && x != to && now_.at_home(x) && now_.at_home(y.number)) {
        const Gp base = in(x, rax);
        as_.lea(result, Mem(base, in(y.number, rax), 0, 0));
      } else if (x == 0 && y.constant) {
        constant(result, y.value);
      } else {
        begin();
        if (!y.constant || y.value != 0)
          operate(meaning == Add ? Inst::kIdAdd : meaning == Or ? Inst::kIdOr : Inst::kIdXor, result, y);
      }
      break;
    case Sub:
      begin();
      if (!y.constant || y.value != 0) operate(Inst::kIdSub, result, y);
      break;
    case And:
      begin();
      operate(Inst::kIdAnd, result, y);
      break;
    case XorNot:
      begin();
      operate(Inst::kIdXor, result, y);
      as_.not_(result);
      break;
    case AndNot:
    case OrNot: {
      begin();
      const Inst operation = meaning == AndNot ? Inst::kIdAnd : Inst::kIdOr;
      if (y.constant) {
        operate(operation, result, {true, ~y.value, 0});
      } else {
        load(rcx, y.number);
        as_.not_(rcx);
        as_.emit(operation, result, rcx);
      }
      break;
    }
    case AddCarry:
    case SubCarry:
      // The host's carry is that of the guest.
      known_cc_flags(false, 5);
      load(result, x);
      operate(meaning == AddCarry ? Inst::kIdAdc : Inst::kIdSbb, result, y);
      break;
    case Multiply:
      begin();
      if (y.constant)
        as_.imul(result, result, static_cast<std::int32_t>(y.value));
      else
        operate(Inst::kIdImul, result, y);
      break;
    default:
      if (!y.constant) load(rcx, y.number);
      begin();
      shift(meaning, result, y);
  }
  if (logic) return note_result(result, to);
  done(to, result);
}

/// Shifts by a constant or by rcx.
void Emitter::shift(Meaning meaning, Gp to, const Second& y) {
  const bool left = meaning == Meaning::ShiftLeft32 || meaning == Meaning::ShiftLeft64;
  const bool narrow = meaning == Meaning::ShiftLeft32 || meaning == Meaning::ShiftRight32 ||
                      meaning == Meaning::ShiftRightSigned32;
  const bool is_signed = meaning == Meaning::ShiftRightSigned32 || meaning == Meaning::ShiftRightSigned64;
  const Inst operation = left ? Inst::kIdShl : is_signed ? Inst::kIdSar : Inst::kIdShr;
  const Gp shifted = narrow && !left ? Gp(to.r32()) : to;  // the host counts modulo the width, too
  if (y.constant) {
    as_.emit(operation, shifted, static_cast<int>(y.value & (narrow ? 31 : 63)));
    // A shift by 0 keeps the upper half.
    if (meaning == Meaning::ShiftRight32 && (y.value & 31) == 0) as_.mov(to.r32(), to.r32());
  } else {
    if (narrow && left) as_.and_(ecx, 31);
    as_.emit(operation, shifted, cl);
    if (meaning == Meaning::ShiftRight32) as_.mov(to.r32(), to.r32());
  }
  if (meaning == Meaning::ShiftRightSigned32) as_.movsxd(to, to.r32());
}

/// Divides; the handler does divisions by 0 and by -1.
void Emitter::divide(const Action* a, bool is_signed, bool immediate) {
  const unsigned to = number_of(a->rd);
  const Label after = as_.newLabel();
  const Label handler = to_handler(a, after, static_cast<int>(to));
  const Second y = second(a, immediate);
  if (y.constant)
    as_.mov(rcx, y.value);
  else
    load(rcx, y.number);
  load(rax, number_of(a->rs1));
  if (is_signed) {
    as_.lea(rdx, Mem(rcx, 1));
    as_.cmp(rdx, 1);
    as_.jbe(handler);
    as_.cqo();
    as_.idiv(rcx);
  } else {
    as_.test(rcx, rcx);
    as_.jz(handler);
    as_.xor_(edx, edx);
    as_.div(rcx);
  }
  done(to, rax);
  as_.bind(after);
}

/// Conditional moves.
void Emitter::move(const Action* a, const Decoded& d, bool immediate) {
  const unsigned to = number_of(a->rd);
  const Second y = second(a, immediate);
  CondCode holds;
  if (bindings_[*d.spec].meaning == Meaning::MoveOnIcc) {
    const unsigned cond = move_cond(a->word);
    const bool wide = move_cc(a->word) == 2;
    if ((cond & 7) == 0) return call(a, 1);
    holds = known_cc_flags(wide, cond);
  } else {
    holds = register_flags(move_rcond(a->word), number_of(a->rs1));
  }
  if (to == 32) return;
  // Nothing below changes the flags.
  const Gp result = in(to, rax);
  if (y.constant) {
    as_.mov(rcx, y.value);
    as_.emit(x86::Inst::cmovccFromCond(holds), result, rcx);
  } else if (now_.at_home(y.number)) {
    as_.emit(x86::Inst::cmovccFromCond(holds), result, in(y.number, rcx));
  } else {
    as_.emit(x86::Inst::cmovccFromCond(holds), result, r(y.number));
  }
  done(to, result);
}

/// Emits code that sets the host's flags as the last instruction that set the condition codes; returns the
/// host's condition for `cond`.
CondCode Emitter::cc_flags(CcKind kind, bool wide, unsigned cond) {
  const auto sized = [&](Gp reg) { return wide ? reg : Gp(reg.r32()); };
  const unsigned bytes = wide ? 8 : 4;
  if (kind == CcKind::Logic) {
    if (cc_.operands) {
      const Gp x = in(cc_.a, rax);
      as_.test(sized(x), sized(x));
    } else {
      as_.cmp(state(place(&CpuState::cc_a), bytes), 0);
    }
    return kConditions[cond];
  }
  if (!cc_.operands) {
    as_.mov(sized(rax), state(place(&CpuState::cc_a), bytes));
    as_.emit(kind == CcKind::Sub ? Inst::kIdCmp : Inst::kIdAdd, sized(rax),
             state(place(&CpuState::cc_b), bytes));
    return kConditions[cond];
  }
  if (kind == CcKind::Sub) {
    operate(Inst::kIdCmp, in(cc_.a, rax), cc_.b, bytes);
  } else {
    load(rax, cc_.a);
    operate(Inst::kIdAdd, rax, cc_.b, bytes);
  }
  return kConditions[cond];
}

/// Does the same, with the kind of that instruction if this block has it.
CondCode Emitter::known_cc_flags(bool wide, unsigned cond) {
  return cc_.kind ? cc_flags(*cc_.kind, wide, cond) : any_cc_flags(wide, cond);
}

/// Does the same, if it is not known which kind of instruction that was. Mostly it was a comparison.
CondCode Emitter::any_cc_flags(bool wide, unsigned cond) {
  const Label other = as_.newLabel(), after = as_.newLabel();
  as_.cmp(state(&CpuState::cc_kind), static_cast<std::uint8_t>(CcKind::Sub));
  as_.jne(other);
  cc_.operands = false;
  const CondCode condition = cc_flags(CcKind::Sub, wide, cond);
  as_.bind(after);
  cold_.push_back([=, this, then = now_] {
    now_ = then;
    as_.bind(other);
    write_back();
    as_.mov(rdi, rbx);
    as_.mov(esi, wide ? 2 : 0);
    as_.mov(rax, reinterpret_cast<std::uint64_t>(host_flags));
    as_.call(rax);
    reload(now_.valid);
    as_.push(rax);
    as_.popfq();
    as_.jmp(after);
  });
  return condition;
}

CondCode Emitter::register_flags(unsigned rcond, unsigned number) {
  constexpr CondCode kZero[3] = {CondCode::kZ, CondCode::kLE, CondCode::kS};
  constexpr CondCode kOther[3] = {CondCode::kNZ, CondCode::kG, CondCode::kNS};
  const Gp x = in(number, rax);
  as_.test(x, x);
  return (rcond >= 4 ? kOther : kZero)[(rcond & 3) - 1];
}

}  // namespace psim::isa::jit
