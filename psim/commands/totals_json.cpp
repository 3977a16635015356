// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/totals_json.h"

#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

namespace psim::commands {

nlohmann::ordered_json cpi_json(const pipeline::CpiAccount::Stack& cpi) {
  nlohmann::ordered_json parts = nlohmann::ordered_json::object();
  for (std::size_t part = 0; part < cpi.size(); ++part)
    parts[std::string(name(static_cast<pipeline::CpiPart>(part)))] = cpi[part];
  return parts;
}

void fill_in_totals(nlohmann::ordered_json& body, const pipeline::Totals& totals, double clock_hz) {
  body["instructions"] = totals.instructions;
  body["cycles"] = totals.cycles;
  body["seconds"] = static_cast<double>(totals.cycles) / clock_hz;
  body["ipc"] = totals.cycles == 0
                    ? 0.0
                    : static_cast<double>(totals.instructions) / static_cast<double>(totals.cycles);
  body["flops"] = totals.flops;
  body["cpi_stack"] = cpi_json(totals.cpi);
}

nlohmann::ordered_json regions_json(const std::vector<pipeline::MeasuredRegion>& regions) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const pipeline::MeasuredRegion& region : regions)
    rows.push_back({{"name", region.name},
                    {"args", region.arguments},
                    {"executions", region.executions},
                    {"cycles", region.totals.cycles},
                    {"instructions", region.totals.instructions},
                    {"flops", region.totals.flops},
                    {"cpi_stack", cpi_json(region.totals.cpi)}});
  return rows;
}

std::uint64_t idle_cycles(const pipeline::Totals& totals) {
  return totals.cycles - std::accumulate(totals.cpi.begin(), totals.cpi.end(), std::uint64_t{0});
}

void add_idle_cycles(nlohmann::ordered_json& rows, const std::vector<pipeline::MeasuredRegion>& regions) {
  for (std::size_t i = 0; i < regions.size(); ++i)
    rows[i]["cpi_stack"]["idle"] = idle_cycles(regions[i].totals);
}

}  // namespace psim::commands
