// SPDX-License-Identifier: Apache-2.0
// fmovcc, fmovfcc, fmovr of singles, doubles and quads (V9 A.33, A.34).
#include "isa/exec/conditions.h"
#include "isa/fp/registers.h"

namespace psim::isa::fp {
namespace {

template <class T>
PSIM_HANDLER(on_icc) {
  c->fp_last = static_cast<std::uint8_t>(Operation::Move);
  if (a->imm >> nzvc(*c, move_cc(a->word)) & 1) put<T>(c, a->rd, get<T>(c, a->rs2));
  PSIM_NEXT;
}
template <class T>
PSIM_HANDLER(on_fcc) {
  c->fp_last = static_cast<std::uint8_t>(Operation::Move);
  if (a->imm >> fcc(*c, move_cc(a->word)) & 1) put<T>(c, a->rd, get<T>(c, a->rs2));
  PSIM_NEXT;
}
template <class T>
PSIM_HANDLER(on_register) {
  c->fp_last = static_cast<std::uint8_t>(Operation::Move);
  if (register_condition(static_cast<unsigned>(a->imm), get<std::int64_t>(c, a->rs1)))
    put<T>(c, a->rd, get<T>(c, a->rs2));
  PSIM_NEXT;
}

/// Action::imm: the mask or the number of the condition.
template <class T, auto Imm>
void prepare(Action& a) {
  a.imm = Imm(a.word);
  if constexpr (kBank<T> == Bank::Quad) prepare_quad<true, false, true>(a);
}
std::int64_t icc_imm(std::uint32_t word) { return icc_mask(move_cond(word)); }
std::int64_t fcc_imm(std::uint32_t word) { return fcc_mask(move_cond(word)); }
std::int64_t register_imm(std::uint32_t word) { return move_rcond(word); }

template <class T>
void bind_conditional_moves_of(Bindings& b, Op icc, Op fcc, Op integer) {
  constexpr Bank bank = kBank<T>;
  b[icc] = {.handler = on_icc<T>, .rd = bank, .rs2 = bank, .prepare = prepare<T, icc_imm>};
  b[fcc] = {.handler = on_fcc<T>, .rd = bank, .rs2 = bank, .prepare = prepare<T, fcc_imm>};
  b[integer] = {.handler = on_register<T>,
                .rd = bank,
                .rs1 = Bank::Int,
                .rs2 = bank,
                .prepare = prepare<T, register_imm>};
}

}  // namespace

void bind_conditional_moves(Bindings& b) {
  bind_conditional_moves_of<std::uint32_t>(b, Op::Fmovscc, Op::Fmovsfcc, Op::Fmovrs);
  bind_conditional_moves_of<std::uint64_t>(b, Op::Fmovdcc, Op::Fmovdfcc, Op::Fmovrd);
  bind_conditional_moves_of<QuadBits>(b, Op::Fmovqcc, Op::Fmovqfcc, Op::Fmovrq);
}

}  // namespace psim::isa::fp
