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

namespace {
/// Appends the names in `range` to `list`, at `count`.
template <std::size_t kMost>
void append(std::array<std::uint8_t, kMost>& list, std::uint8_t& count, RegisterRange range) {
  const auto pairs_of = [&](unsigned base, unsigned reg) { return reg >= base && reg < base + 64; };
  const unsigned end = range.first + range.count;
  for (unsigned reg = range.first; reg < end;) {
    const bool scalar = pairs_of(reg::kFp, reg), pe = pairs_of(reg::kSimdFp, reg);
    const unsigned half = scalar ? reg - reg::kFp : reg - reg::kSimdFp;
    const bool pair = (scalar || pe) && half % 2 == 0 && reg + 1 < end;
    list.at(count++) = static_cast<std::uint8_t>(pair ? reg::kPairs + (pe ? 32 : 0) + half / 2 : reg);
    reg += pair ? 2 : 1;
  }
}
}  // namespace

void StaticInstruction::resolve_registers() {
  names = {};
  const bool datum_apart = store && !load && unit == Unit::Address;
  for (unsigned i = 0; i < sources; ++i) {
    append(names.source, names.sources, source[i]);
    if (i < address_sources || !datum_apart) names.address_sources = names.sources;
  }
  for (unsigned i = 0; i < destinations; ++i) append(names.destination, names.destinations, destination[i]);
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
