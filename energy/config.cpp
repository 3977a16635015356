// SPDX-License-Identifier: Apache-2.0
#include "energy/config.h"

#include <string>

namespace psim::energy {

namespace {
// The tables of [energy], in the order of the coefficients.
constexpr std::pair<std::string_view, std::string_view> kSections[] = {
    {"latch", "energy of a latch clocked once"},
    {"bits", "bits that move into each stage"},
    {"entry", "bits of one entry of each structure built of latches"},
    {"array", "energy of one access"},
    {"execute", "energy of one operation"},
    {"leakage", "power at all times"},
};
constexpr std::uint64_t kMostBits = 1'000'000, kMostFemtojoules = 1'000'000'000'000,
                        kMostMicrowatts = 1'000'000'000;
}  // namespace

void describe(Schema& schema, Config& config) {
  schema.section("energy", "energy of a run, for --energy");
  schema.add("energy.gating", config.gating,
             {{"none", Gating::None}, {"stage", Gating::Stage}, {"ideal", Gating::Ideal}},
             "clock gating: none, by stage, or of every latch", "paper 003 table 2");
  std::string_view section;
  for (const CoefficientRow& row : coefficient_table()) {
    const std::string_view table = row.key.substr(0, row.key.find('.'));
    if (table != section) {
      section = table;
      for (const auto& [name, doc] : kSections)
        if (name == section) schema.section("energy." + std::string(name), doc);
    }
    std::uint64_t& value = config.coefficients[row.id];
    const std::string key = "energy." + std::string(row.key);
    if (row.dimension == Dimension::Count)
      schema.add(key, value, {0, kMostBits}, row.doc, row.source);
    else
      schema.add(key, value, row.dimension,
                 {0, row.dimension == Dimension::Energy ? kMostFemtojoules : kMostMicrowatts}, row.doc,
                 row.source);
  }
}

}  // namespace psim::energy
