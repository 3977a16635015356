// SPDX-License-Identifier: Apache-2.0
// Moves between the register files and lexicographic compares (OSA2011 MOVfTOi, MOViTOf, FLCMP).
#include "isa/fp/registers.h"
#include "isa/fp/soft_float.h"
#include "isa/vis/handlers.h"

namespace psim::isa::vis {
namespace {

constexpr u64 unchanged(u64 value) { return value; }
constexpr u64 zero_extended(u32 value) { return value; }
constexpr u64 sign_extended_word(u32 value) { return static_cast<u64>(s64{static_cast<s32>(value)}); }
constexpr u32 low_word(u64 value) { return static_cast<u32>(value); }

/// 0 if a >= b, 1 if a < b, 2 if only a is a NaN, 3 if b is a NaN; -0 is less than +0. No exceptions.
unsigned lexicographic(u64 a, u64 b, fp::Format format) {
  const fp::Number x = fp::unpack(a, format), y = fp::unpack(b, format);
  if (y.nan()) return 3;
  if (x.nan()) return 2;
  if (x.kind == fp::Kind::Zero && y.kind == fp::Kind::Zero) return x.negative && !y.negative;
  fp::Status status;
  return fp::compare(x, y, false, status) == 1;
}

template <class T>
PSIM_HANDLER(flcmp) {
  constexpr fp::Format format = sizeof(T) == 4 ? fp::kSingle : fp::kDouble;
  fp::put_fcc(*c, static_cast<unsigned>(a->imm), lexicographic(get<T>(c, a->rs1), get<T>(c, a->rs2), format));
  PSIM_NEXT;
}

}  // namespace

void bind_moves(Bindings& b) {
  b[Op::Movdtox] = {.handler = unary<&unchanged>, .rd = Bank::Int, .rs2 = Bank::Double};
  b[Op::Movstouw] = {.handler = unary<&zero_extended>, .rd = Bank::Int, .rs2 = Bank::Single};
  b[Op::Movstosw] = {.handler = unary<&sign_extended_word>, .rd = Bank::Int, .rs2 = Bank::Single};
  b[Op::Movxtod] = {.handler = unary<&unchanged>, .rd = Bank::Double, .rs2 = Bank::Int};
  b[Op::Movwtos] = {.handler = unary<&low_word>, .rd = Bank::Single, .rs2 = Bank::Int};
  b[Op::Flcmps] = {
      .handler = flcmp<u32>, .rs1 = Bank::Single, .rs2 = Bank::Single, .prepare = fp::prepare_compare};
  b[Op::Flcmpd] = {
      .handler = flcmp<u64>, .rs1 = Bank::Double, .rs2 = Bank::Double, .prepare = fp::prepare_compare};
}

}  // namespace psim::isa::vis

namespace psim::isa {

void bind_vis(Bindings& b) {
  vis::bind_partitioned(b);
  vis::bind_logical(b);
  vis::bind_address(b);
  vis::bind_moves(b);
}

}  // namespace psim::isa
