// SPDX-License-Identifier: Apache-2.0
// Quad precision. Parts with this instruction set trap here (unimplemented_FPop) and the operating system
// computes the result; so do these handlers, in exact arithmetic.
#include "isa/fields.h"
#include "isa/fp/registers.h"

namespace psim::isa::fp {
namespace {

using Quad = QuadBits;

template <class T>
constexpr Format kFormat = kQuad;
template <>
constexpr Format kFormat<float> = kSingle;
template <>
constexpr Format kFormat<double> = kDouble;

template <class T>
Number load(const Context* c, std::uint16_t offset) {
  if constexpr (std::is_same_v<T, Quad>) {
    const Quad quad = get<Quad>(c, offset);
    return unpack(u128{quad.high} << 64 | quad.low, kQuad);
  } else if constexpr (std::is_integral_v<T>)
    return from_signed(get<T>(c, offset));
  else
    return unpack(get<Bits<T>>(c, offset), kFormat<T>);
}

template <class T>
void store(Context* c, std::uint16_t offset, u128 bits) {
  if constexpr (std::is_same_v<T, Quad>) {
    put(c, offset, Quad{static_cast<std::uint64_t>(bits >> 64), static_cast<std::uint64_t>(bits)});
  } else {
    put(c, offset, static_cast<Bits<T>>(bits));
  }
}

Number identity(const Number&, const Number& b, Status&) { return b; }
Number root_of(const Number&, const Number& b, Status& status) { return root(b, status); }

/// rd = F(rs1, rs2), rounded to To. From is the type of both sources.
template <auto F, class From, class To>
PSIM_HANDLER(operate) {
  CpuState& state = *c;
  Status status{rounding(state), 0};
  const Number x = F == identity || F == root_of ? Number{} : load<From>(c, a->rs1);
  const u128 result = pack(F(x, load<From>(c, a->rs2), status), kFormat<To>, status);
  if (settle(state, status.flags)) PSIM_TROUBLE(FaultKind::FpIeee);
  store<To>(c, a->rd, result);
  PSIM_NEXT;
}

template <class To>
PSIM_HANDLER(to_integer) {
  CpuState& state = *c;
  Status status{rounding(state), 0};
  const std::int64_t result = to_signed(load<Quad>(c, a->rs2), 8 * sizeof(To), status);
  if (settle(state, status.flags)) PSIM_TROUBLE(FaultKind::FpIeee);
  put<To>(c, a->rd, static_cast<To>(result));
  PSIM_NEXT;
}

template <bool Signalling>
PSIM_HANDLER(compare_quads) {
  CpuState& state = *c;
  Status status{rounding(state), 0};
  const unsigned fcc = compare(load<Quad>(c, a->rs1), load<Quad>(c, a->rs2), Signalling, status);
  if (settle(state, status.flags)) PSIM_TROUBLE(FaultKind::FpIeee);
  put_fcc(state, static_cast<unsigned>(a->imm), fcc);
  PSIM_NEXT;
}

template <auto F, class From, class To>
Binding binary() {
  return {
      .handler = operate<F, From, To>,
      .rd = kBank<To>,
      .rs1 = kBank<From>,
      .rs2 = kBank<From>,
      .floating = true,
      .prepare = prepare_quad<kBank<To> == Bank::Quad, kBank<From> == Bank::Quad, kBank<From> == Bank::Quad>};
}
template <auto F, class From, class To>
Binding unary() {
  return {.handler = operate<F, From, To>,
          .rd = kBank<To>,
          .rs2 = kBank<From>,
          .floating = true,
          .prepare = prepare_quad<kBank<To> == Bank::Quad, false, kBank<From> == Bank::Quad>};
}
template <class To>
Binding integer() {
  return {.handler = to_integer<To>,
          .rd = kBank<To>,
          .rs2 = Bank::Quad,
          .floating = true,
          .prepare = prepare_quad<false, false, true>};
}
template <bool Signalling>
Binding comparison() {
  return {.handler = compare_quads<Signalling>,
          .rs1 = Bank::Quad,
          .rs2 = Bank::Quad,
          .floating = true,
          .prepare = [](Action& a) {
            prepare_compare(a);
            prepare_quad<false, true, true>(a);
          }};
}

}  // namespace

PSIM_HANDLER(invalid_register) {
  CpuState& state = *c;
  read_fsr(state);
  state.fsr = (state.fsr & ~kFtt) | 6u << 14;  // invalid_fp_register
  PSIM_TROUBLE(FaultKind::FpUnimplemented);
}

void bind_quad(Bindings& b) {
  b[Op::Faddq] = binary<sum, Quad, Quad>();
  b[Op::Fsubq] = binary<difference, Quad, Quad>();
  b[Op::Fmulq] = binary<product, Quad, Quad>();
  b[Op::Fdivq] = binary<quotient, Quad, Quad>();
  b[Op::Fdmulq] = binary<product, double, Quad>();
  b[Op::Fsqrtq] = unary<root_of, Quad, Quad>();
  b[Op::Fstoq] = unary<identity, float, Quad>();
  b[Op::Fdtoq] = unary<identity, double, Quad>();
  b[Op::Fqtos] = unary<identity, Quad, float>();
  b[Op::Fqtod] = unary<identity, Quad, double>();
  b[Op::Fitoq] = unary<identity, std::int32_t, Quad>();
  b[Op::Fxtoq] = unary<identity, std::int64_t, Quad>();
  b[Op::Fqtoi] = integer<std::int32_t>();
  b[Op::Fqtox] = integer<std::int64_t>();
  b[Op::Fcmpq] = comparison<false>();
  b[Op::Fcmpeq] = comparison<true>();
}

}  // namespace psim::isa::fp
