// SPDX-License-Identifier: Apache-2.0
// Conversions between single, double, quad, and 32- and 64-bit signed integers.
#include <limits>

#include "isa/fp/host.h"
#include "isa/fp/quad.h"
#include "isa/fp/registers.h"
#include "isa/table/groups.h"
#include "isa/table/row.h"

namespace psim::isa::fp {
namespace {
using enum Operation;

template <class From, class To>
constexpr bool odd_result(To result) {
  if constexpr (std::is_same_v<To, float> && std::is_same_v<From, double>)
    return host::is_nan(result) || host::is_least_normal(result);
  else if constexpr (std::is_floating_point_v<To>)
    return host::is_nan(result);
  else  // the host's answer for every value out of range; exact arithmetic finds the right bound
    return result == std::numeric_limits<To>::min();
}

template <class From, class To, To (*F)(From), Operation O>
PSIM_HANDLER(convert) {
  CpuState& state = *c;
  const From x = get<From>(c, a->rs2);
  if (state.fp_traps) [[unlikely]]
    return exactly<O, From, To>(c, a, host, pages);
  const To result = F(x);
  if constexpr (std::is_floating_point_v<From>)
    if (odd_result<From>(result)) [[unlikely]]
      return exactly<O, From, To>(c, a, host, pages);
  note(state, O, 0, bits_of(x));
  put<To>(c, a->rd, result);
  PSIM_NEXT;
}

template <class From, class To, To (*F)(From), Operation O>
constexpr Execution kConvert{{.handler = convert<From, To, F, O>, .floating = true}};

}  // namespace
}  // namespace psim::isa::fp

namespace psim::isa::table {
using namespace fp;

namespace {
// clang-format off
constexpr Spec kFpConvertRows[] = {
    // To 64-bit and 32-bit integers.
    row("fstox", "10 ddddd 110100 00000 010000001 ttttt", kSd, kFpAdd, "V9 A.14", kConvert<float, std::int64_t, host::to_int64, Stox>, effect::kReadFsr),
    row("fdtox", "10 ddddd 110100 00000 010000010 ttttt", kDd, kFpAdd, "V9 A.14", kConvert<double, std::int64_t, host::to_int64, Dtox>, effect::kReadFsr),
    row("fqtox", "10 ddddd 110100 00000 010000011 ttttt", kQd, kFpQuad, "V9 A.14", quad::kToInteger<std::int64_t>, effect::kReadFsr),
    row("fstoi", "10 ddddd 110100 00000 011010001 ttttt", kSs, kFpAdd, "V9 A.14", kConvert<float, std::int32_t, host::to_int32, Stoi>, effect::kReadFsr),
    row("fdtoi", "10 ddddd 110100 00000 011010010 ttttt", kDs, kFpAdd, "V9 A.14", kConvert<double, std::int32_t, host::to_int32, Dtoi>, effect::kReadFsr),
    row("fqtoi", "10 ddddd 110100 00000 011010011 ttttt", kQs, kFpQuad, "V9 A.14", quad::kToInteger<std::int32_t>, effect::kReadFsr),
    // From integers.
    row("fxtos", "10 ddddd 110100 00000 010000100 ttttt", kDs, kFpAdd, "V9 A.16", kConvert<std::int64_t, float, host::to_single, Xtos>, effect::kReadFsr),
    row("fxtod", "10 ddddd 110100 00000 010001000 ttttt", kDd, kFpAdd, "V9 A.16", kConvert<std::int64_t, double, host::to_double, Xtod>, effect::kReadFsr),
    row("fxtoq", "10 ddddd 110100 00000 010001100 ttttt", kDq, kFpQuad, "V9 A.16", quad::kUnary<quad::identity, std::int64_t, QuadBits>, effect::kReadFsr),
    row("fitos", "10 ddddd 110100 00000 011000100 ttttt", kSs, kFpAdd, "V9 A.16", kConvert<std::int32_t, float, host::to_single, Itos>, effect::kReadFsr),
    row("fitod", "10 ddddd 110100 00000 011001000 ttttt", kSd, kFpAdd, "V9 A.16", kConvert<std::int32_t, double, host::to_double, Itod>, effect::kReadFsr),
    row("fitoq", "10 ddddd 110100 00000 011001100 ttttt", kSq, kFpQuad, "V9 A.16", quad::kUnary<quad::identity, std::int32_t, QuadBits>, effect::kReadFsr),
    // Between formats.
    row("fstod", "10 ddddd 110100 00000 011001001 ttttt", kSd, kFpAdd, "V9 A.15", kConvert<float, double, host::to_double, Stod>, effect::kReadFsr),
    row("fstoq", "10 ddddd 110100 00000 011001101 ttttt", kSq, kFpQuad, "V9 A.15", quad::kUnary<quad::identity, float, QuadBits>, effect::kReadFsr),
    row("fdtos", "10 ddddd 110100 00000 011000110 ttttt", kDs, kFpAdd, "V9 A.15", kConvert<double, float, host::to_single, Dtos>, effect::kReadFsr),
    row("fdtoq", "10 ddddd 110100 00000 011001110 ttttt", kDq, kFpQuad, "V9 A.15", quad::kUnary<quad::identity, double, QuadBits>, effect::kReadFsr),
    row("fqtos", "10 ddddd 110100 00000 011000111 ttttt", kQs, kFpQuad, "V9 A.15", quad::kUnary<quad::identity, QuadBits, float>, effect::kReadFsr),
    row("fqtod", "10 ddddd 110100 00000 011001011 ttttt", kQd, kFpQuad, "V9 A.15", quad::kUnary<quad::identity, QuadBits, double>, effect::kReadFsr),
};
// clang-format on
static_assert(disjoint(kFpConvertRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> fp_convert_rows() { return kFpConvertRows; }

}  // namespace psim::isa::table
