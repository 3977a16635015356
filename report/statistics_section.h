// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/statistics/registry.h"

namespace psim::report {

/// All statistics by component, with unit and meaning, and a field that searches them (web/statistics.js).
/// Distributions have a small bar chart. Empty if there are none.
std::string statistics_section(const std::vector<statistics::Reading>& readings);

}  // namespace psim::report
