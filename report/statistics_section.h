// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/statistics/registry.h"

namespace psim::report {

/// Returns the key `statistics` of a result by component, with unit and meaning as in `described`, and a
/// search field (web/statistics.js). Distributions have a small bar chart. Empty if there are no statistics.
std::string statistics_section(const nlohmann::ordered_json& result,
                               const std::vector<statistics::Reading>& described);

}  // namespace psim::report
