// SPDX-License-Identifier: Apache-2.0
#include "isa/table/static_instruction.h"

namespace psim::isa {

std::string_view name(Unit unit) {
  static constexpr std::array<std::string_view, 6> kNames{"none", "int", "fp", "address", "branch", "simd"};
  return kNames[static_cast<std::size_t>(unit)];
}

std::string_view name(LatencyClass latency) {
  static constexpr std::array<std::string_view, kLatencyClasses> kNames{"none",
                                                                        "int_simple",
                                                                        "int_multiply",
                                                                        "int_divide",
                                                                        "fp_move",
                                                                        "fp_add",
                                                                        "fp_multiply",
                                                                        "fp_multiply_add",
                                                                        "fp_divide_single",
                                                                        "fp_divide_double",
                                                                        "fp_sqrt_single",
                                                                        "fp_sqrt_double",
                                                                        "fp_quad",
                                                                        "load",
                                                                        "store",
                                                                        "atomic",
                                                                        "prefetch",
                                                                        "block_transfer",
                                                                        "transfer_sync",
                                                                        "pe_move",
                                                                        "pe_sum",
                                                                        "branch",
                                                                        "serial"};
  return kNames[static_cast<std::size_t>(latency)];
}

void StaticInstruction::count_results() {
  std::uint64_t integer = 0, fp = 0, pe = 0;
  for (unsigned i = 0; i < destinations; ++i) {
    const RegisterRange range = destination[i];
    const std::uint64_t doubles = (range.count + 1u) / 2;
    if (range.first < reg::kFp)
      integer += range.count;
    else if (range.first < reg::kCcr)
      fp += doubles;
    else if (range.first >= reg::kSimdFp && range.first < reg::kSimdFcc)
      pe += doubles;
  }
  results = PerKind::of(integer, fp, pe);
}

}  // namespace psim::isa
