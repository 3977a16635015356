// SPDX-License-Identifier: Apache-2.0
// fcmp and fcmpe, and VIS 3's lexicographic compares (OSA2011 FLCMP).
#include "isa/fp/quad.h"
#include "isa/fp/registers.h"
#include "isa/fp/soft_float.h"
#include "isa/simd/arithmetic.h"
#include "isa/table/fields.h"
#include "isa/table/groups.h"
#include "isa/table/row.h"

namespace psim::isa::fp {

void prepare_compare(Action& a) {
  const unsigned n = compare_cc(a.word);
  a.imm = n == 0 ? 10 : 30 + 2 * n;  // fcc0 at 10, fcc1–fcc3 at 32, 34, 36
}

namespace {
using enum Operation;

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

/// Returns 0 if a >= b, 1 if a < b, 2 if only a is a NaN, 3 if b is a NaN; -0 is less than +0. Raises no
/// exceptions.
unsigned lexicographic(std::uint64_t a, std::uint64_t b, FloatFormat format) {
  const Number x = unpack(a, format), y = unpack(b, format);
  if (y.nan()) return 3;
  if (x.nan()) return 2;
  if (x.kind == Kind::Zero && y.kind == Kind::Zero) return x.negative && !y.negative;
  Status status;
  return compare(x, y, false, status) == 1;
}

template <class T>
PSIM_HANDLER(flcmp) {
  constexpr FloatFormat format = sizeof(T) == 4 ? kSingle : kDouble;
  put_fcc(*c, static_cast<unsigned>(a->imm), lexicographic(get<T>(c, a->rs1), get<T>(c, a->rs2), format));
  PSIM_NEXT;
}

template <class T, unsigned (*F)(T, T), Operation O, Binding (*InSimd)(FmaRounding) = nullptr>
constexpr Execution kCompare{{.handler = compare<T, F, O>,
                              .floating = true,
                              .prepare = prepare_compare,
                              .meaning = Meaning::Arithmetic,
                              .operation = static_cast<std::uint8_t>(O)},
                             InSimd};
template <class T>
constexpr Execution kLexicographic{{.handler = flcmp<T>, .prepare = prepare_compare}};

}  // namespace
}  // namespace psim::isa::fp

namespace psim::isa::table {
using namespace fp;

namespace {
// clang-format off
constexpr Spec kFpCompareRows[] = {
    // fcmpe raises invalid on quiet NaNs too.
    row("fcmps", "10 ---kk 110101 sssss 001010001 ttttt", kCompareS, kFpAdd, "V9 A.13", kCompare<float, host::compare, Cmps>, effect::kReadFsr),
    row("fcmpd", "10 ---kk 110101 sssss 001010010 ttttt", kCompareD, kFpAdd, "V9 A.13", kCompare<double, host::compare, Cmpd, simd::compares_doubles>, effect::kReadFsr),
    row("fcmpq", "10 ---kk 110101 sssss 001010011 ttttt", kCompareQ, kFpQuad, "V9 A.13", quad::kCompare<false>, effect::kReadFsr),
    row("fcmpes", "10 ---kk 110101 sssss 001010101 ttttt", kCompareS, kFpAdd, "V9 A.13", kCompare<float, host::compare_signalling, Cmpes>, effect::kReadFsr),
    row("fcmped", "10 ---kk 110101 sssss 001010110 ttttt", kCompareD, kFpAdd, "V9 A.13", kCompare<double, host::compare_signalling, Cmped, simd::compares_doubles>, effect::kReadFsr),
    row("fcmpeq", "10 ---kk 110101 sssss 001010111 ttttt", kCompareQ, kFpQuad, "V9 A.13", quad::kCompare<true>, effect::kReadFsr),
    // Lexicographic compares: no exceptions.
    row("flcmps", "10 ---kk 110110 sssss 101010001 ttttt", kCompareS, kFpAdd, "OSA2011 FLCMP", kLexicographic<std::uint32_t>, 0, 0, hwcap::kHpc),
    row("flcmpd", "10 ---kk 110110 sssss 101010010 ttttt", kCompareD, kFpAdd, "OSA2011 FLCMP", kLexicographic<std::uint64_t>, 0, 0, hwcap::kHpc),
};
// clang-format on
static_assert(disjoint(kFpCompareRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> fp_compare_rows() { return kFpCompareRows; }

}  // namespace psim::isa::table
