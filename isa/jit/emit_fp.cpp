// SPDX-License-Identifier: Apache-2.0
// Arithmetic of singles and doubles, as in isa/instructions/fp: on the host's unit, with its rounding and
// flags. Enabled traps, NaN results and the least normal number go to the handler.
#include "isa/jit/emitter.h"

namespace psim::isa::jit {

using namespace asmjit;
using namespace asmjit::x86;

namespace {
using fp::Operation;
namespace Id = x86::Inst;

/// An operation on the host.
struct Form {
  bool is_double = false;
  Id::Id first;  ///< addition, subtraction, multiplication, division; of an unfused multiply-add, too
  Id::Id second = Id::kIdNone;  ///< addition or subtraction of an unfused one
  bool fused = false, negates = false;
  bool underflows = false;  ///< the result of `first` may be tiny and inexact
};

Form form_of(Operation operation) {
  using enum Operation;
  switch (operation) {
    case Adds:
      return {false, Id::kIdAddss};
    case Addd:
      return {true, Id::kIdAddsd};
    case Subs:
      return {false, Id::kIdSubss};
    case Subd:
      return {true, Id::kIdSubsd};
    case Muls:
      return {.first = Id::kIdMulss, .underflows = true};
    case Muld:
      return {.is_double = true, .first = Id::kIdMulsd, .underflows = true};
    case Divs:
      return {.first = Id::kIdDivss, .underflows = true};
    case Divd:
      return {.is_double = true, .first = Id::kIdDivsd, .underflows = true};
    case Madds:
      return {false, Id::kIdVfmadd231ss, Id::kIdNone, true, false, true};
    case Maddd:
      return {true, Id::kIdVfmadd231sd, Id::kIdNone, true, false, true};
    case Msubs:
      return {false, Id::kIdVfmsub231ss, Id::kIdNone, true, false, true};
    case Msubd:
      return {true, Id::kIdVfmsub231sd, Id::kIdNone, true, false, true};
    case Nmsubs:
      return {false, Id::kIdVfmsub231ss, Id::kIdNone, true, true, true};
    case Nmsubd:
      return {true, Id::kIdVfmsub231sd, Id::kIdNone, true, true, true};
    case Nmadds:
      return {false, Id::kIdVfmadd231ss, Id::kIdNone, true, true, true};
    case Nmaddd:
      return {true, Id::kIdVfmadd231sd, Id::kIdNone, true, true, true};
    // The negative forms negate the product.
    case UnfusedMadds:
      return {false, Id::kIdMulss, Id::kIdAddss, false, false, true};
    case UnfusedMaddd:
      return {true, Id::kIdMulsd, Id::kIdAddsd, false, false, true};
    case UnfusedMsubs:
      return {false, Id::kIdMulss, Id::kIdSubss, false, false, true};
    case UnfusedMsubd:
      return {true, Id::kIdMulsd, Id::kIdSubsd, false, false, true};
    case UnfusedNmsubs:
      return {false, Id::kIdMulss, Id::kIdAddss, false, true, true};
    case UnfusedNmsubd:
      return {true, Id::kIdMulsd, Id::kIdAddsd, false, true, true};
    case UnfusedNmadds:
      return {false, Id::kIdMulss, Id::kIdSubss, false, true, true};
    default:
      return {true, Id::kIdMulsd, Id::kIdSubsd, false, true, true};  // UnfusedNmaddd
  }
}
}  // namespace

void Emitter::arithmetic(const Action* a, Operation operation) {
  const bool compares = operation >= Operation::Cmps && operation <= Operation::Cmped;
  const bool is_double =
      compares ? operation == Operation::Cmpd || operation == Operation::Cmped : form_of(operation).is_double;
  const unsigned bytes = is_double ? 8 : 4;
  const Label after = as_.newLabel(), handler = to_handler(a, after);
  as_.cmp(state(&CpuState::fp_traps), 0);
  as_.jne(handler);
  const auto move = is_double ? Id::kIdMovsd : Id::kIdMovss;
  as_.emit(move, xmm0, state(a->rs1, bytes));
  as_.emit(move, xmm1, state(a->rs2, bytes));
  const auto note = [&] {
    as_.mov(state(&CpuState::fp_last), static_cast<int>(operation));
    as_.movq(state(&CpuState::fp_a), xmm0);
    as_.movq(state(&CpuState::fp_b), xmm1);
  };
  if (compares) {
    note();
    compare(a, is_double, operation == Operation::Cmpes || operation == Operation::Cmped);
    as_.bind(after);
    return;
  }
  const Form form = form_of(operation);
  const bool three = form.fused || form.second != Id::kIdNone;
  if (three) as_.emit(move, xmm3, state(a->rs3, bytes));
  // The result of `first`, which may be too small.
  if (form.fused) {
    as_.movaps(xmm2, xmm3);
    as_.emit(form.first, xmm2, xmm0, xmm1);
  } else {
    as_.movaps(xmm2, xmm0);
    as_.emit(form.first, xmm2, xmm1);
  }
  if (form.underflows) {
    if (is_double) {
      as_.movq(rax, xmm2);
      as_.add(rax, rax);
      as_.mov(rcx, std::uint64_t{0x0020'0000'0000'0000});
      as_.cmp(rax, rcx);
    } else {
      as_.movd(eax, xmm2);
      as_.add(eax, eax);
      as_.cmp(eax, 0x0100'0000);
    }
    as_.je(handler);
  }
  if (form.negates) {
    as_.mov(rax, is_double ? std::uint64_t{1} << 63 : std::uint64_t{1} << 31);
    as_.movq(xmm4, rax);
    as_.xorps(xmm2, xmm4);
  }
  if (form.second != Id::kIdNone) as_.emit(form.second, xmm2, xmm3);
  as_.emit(is_double ? Id::kIdUcomisd : Id::kIdUcomiss, xmm2, xmm2);
  as_.jp(handler);
  note();
  if (three) as_.movq(state(&CpuState::fp_c), xmm3);
  as_.emit(move, state(a->rd, bytes), xmm2);
  as_.bind(after);
}

/// Compares xmm0 with xmm1 and puts the fcc value into %fsr at bit Action::imm.
void Emitter::compare(const Action* a, bool is_double, bool signalling) {
  as_.emit(is_double ? (signalling ? Id::kIdComisd : Id::kIdUcomisd)
                     : (signalling ? Id::kIdComiss : Id::kIdUcomiss),
           xmm0, xmm1);
  // Unordered sets ZF, PF and CF.
  as_.mov(eax, 2);
  as_.mov(ecx, 1);
  as_.cmovb(eax, ecx);
  as_.mov(ecx, 0);
  as_.cmovz(eax, ecx);
  as_.mov(ecx, 3);
  as_.cmovp(eax, ecx);
  const int place = static_cast<int>(a->imm);
  as_.shl(rax, place);
  as_.mov(rcx, ~(std::uint64_t{3} << place));
  as_.and_(rcx, state(&CpuState::fsr));
  as_.or_(rcx, rax);
  as_.mov(state(&CpuState::fsr), rcx);
}

}  // namespace psim::isa::jit
