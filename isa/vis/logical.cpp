// SPDX-License-Identifier: Apache-2.0
// The sixteen logical operations on double and single registers (OSA2011 F Register Logical).
#include "isa/vis/handlers.h"

namespace psim::isa::vis {
namespace {

template <class R>
constexpr R and_(R a, R b) {
  return a & b;
}
template <class R>
constexpr R or_(R a, R b) {
  return a | b;
}
template <class R>
constexpr R xor_(R a, R b) {
  return a ^ b;
}
template <class R>
constexpr R nand_(R a, R b) {
  return ~(a & b);
}
template <class R>
constexpr R nor_(R a, R b) {
  return ~(a | b);
}
template <class R>
constexpr R xnor_(R a, R b) {
  return ~(a ^ b);
}
template <class R>
constexpr R andnot1(R a, R b) {
  return ~a & b;
}
template <class R>
constexpr R andnot2(R a, R b) {
  return a & ~b;
}
template <class R>
constexpr R ornot1(R a, R b) {
  return ~a | b;
}
template <class R>
constexpr R ornot2(R a, R b) {
  return a | ~b;
}
template <class R>
constexpr R same(R a) {
  return a;
}
template <class R>
constexpr R not_(R a) {
  return ~a;
}

template <class R, R Value>
PSIM_HANDLER(constant) {
  put<R>(c, a->rd, Value);
  PSIM_NEXT;
}
template <class R, R Value>
constexpr Binding fill() {
  return {.handler = constant<R, Value>, .rd = kFpBank<R>};
}

}  // namespace

void bind_logical(Bindings& b) {
  b[Op::Fzerod] = fill<u64, 0>();
  b[Op::Fzeros] = fill<u32, 0>();
  b[Op::Foned] = fill<u64, ~u64{0}>();
  b[Op::Fones] = fill<u32, ~u32{0}>();
  b[Op::Fsrc1d] = fp_unary_first<&same<u64>>();
  b[Op::Fsrc1s] = fp_unary_first<&same<u32>>();
  b[Op::Fsrc2d] = fp_unary<&same<u64>>();
  b[Op::Fsrc2s] = fp_unary<&same<u32>>();
  b[Op::Fnot1d] = fp_unary_first<&not_<u64>>();
  b[Op::Fnot1s] = fp_unary_first<&not_<u32>>();
  b[Op::Fnot2d] = fp_unary<&not_<u64>>();
  b[Op::Fnot2s] = fp_unary<&not_<u32>>();
  b[Op::Fandd] = fp_binary<&and_<u64>>();
  b[Op::Fands] = fp_binary<&and_<u32>>();
  b[Op::Fandnot1d] = fp_binary<&andnot1<u64>>();
  b[Op::Fandnot1s] = fp_binary<&andnot1<u32>>();
  b[Op::Fandnot2d] = fp_binary<&andnot2<u64>>();
  b[Op::Fandnot2s] = fp_binary<&andnot2<u32>>();
  b[Op::Fnandd] = fp_binary<&nand_<u64>>();
  b[Op::Fnands] = fp_binary<&nand_<u32>>();
  b[Op::Ford] = fp_binary<&or_<u64>>();
  b[Op::Fors] = fp_binary<&or_<u32>>();
  b[Op::Fornot1d] = fp_binary<&ornot1<u64>>();
  b[Op::Fornot1s] = fp_binary<&ornot1<u32>>();
  b[Op::Fornot2d] = fp_binary<&ornot2<u64>>();
  b[Op::Fornot2s] = fp_binary<&ornot2<u32>>();
  b[Op::Fnord] = fp_binary<&nor_<u64>>();
  b[Op::Fnors] = fp_binary<&nor_<u32>>();
  b[Op::Fxord] = fp_binary<&xor_<u64>>();
  b[Op::Fxors] = fp_binary<&xor_<u32>>();
  b[Op::Fxnord] = fp_binary<&xnor_<u64>>();
  b[Op::Fxnors] = fp_binary<&xnor_<u32>>();
}

}  // namespace psim::isa::vis
