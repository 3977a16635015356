// SPDX-License-Identifier: Apache-2.0
// A point of synthetic traffic as a line, as a row of --csv and in the result.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/statistics/registry.h"
#include "netsim/traffic/synthetic.h"

namespace psim {

struct LoadPoint {
  double load = 0;
  net::TrafficPoint point;
  nlohmann::ordered_json
      energy;                    ///< link_energy (report/net/link_energy_result.h); null if links never sleep
  nlohmann::ordered_json links;  ///< link_map(); null unless a result or page is written
  nlohmann::ordered_json loads;  ///< MachineMap::totals(); null without a picture of the machine
  std::vector<statistics::Reading> statistics;  ///< empty unless written
};

nlohmann::ordered_json json_of(const LoadPoint& point);

// Returns the head of --csv. `energy`: whether points have it.
std::string csv_head(bool energy);
std::string csv_row(const LoadPoint& point);
/// Returns the statistics of all points: with `csv` a row for each, else a table for each.
std::string statistics_of_loads(const std::vector<LoadPoint>& points, bool csv);
/// Returns the head of the table for people.
std::string text_head(bool energy);
std::string text_row(const LoadPoint& point);

}  // namespace psim
