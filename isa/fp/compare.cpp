// SPDX-License-Identifier: Apache-2.0
// fcmp and fcmpe in single and double precision.
#include "isa/fields.h"
#include "isa/fp/host.h"
#include "isa/fp/registers.h"

namespace psim::isa::fp {

void prepare_compare(Action& a) {
  const unsigned n = compare_cc(a.word);
  a.imm = n == 0 ? 10 : 30 + 2 * n;  // fcc0 at 10, fcc1–fcc3 at 32, 34, 36
}

namespace {

template <class T, unsigned (*F)(T, T), Operation O>
PSIM_HANDLER(compare) {
  CpuState& state = *c;
  const T x = get<T>(c, a->rs1), y = get<T>(c, a->rs2);
  if (state.fp_traps) [[unlikely]]
    return exactly<O, T, void>(c, a, host, pages);
  note(state, O, bits_of(x), bits_of(y));
  put_fcc(state, static_cast<unsigned>(a->imm), F(x, y));
  PSIM_NEXT;
}

constexpr Binding of(Bank bank, Handler handler) {
  return {.handler = handler, .rs1 = bank, .rs2 = bank, .floating = true, .prepare = prepare_compare};
}

}  // namespace

void bind_compare(Bindings& b) {
  using enum Operation;
  b[Op::Fcmps] = of(Bank::Single, compare<float, host::compare, Cmps>);
  b[Op::Fcmpd] = of(Bank::Double, compare<double, host::compare, Cmpd>);
  b[Op::Fcmpes] = of(Bank::Single, compare<float, host::compare_signalling, Cmpes>);
  b[Op::Fcmped] = of(Bank::Double, compare<double, host::compare_signalling, Cmped>);
}

}  // namespace psim::isa::fp
