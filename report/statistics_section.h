// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/statistics/registry.h"

namespace psim::report {

/// Returns all statistics by component, with unit and meaning, and a search field (web/statistics.js).
/// Distributions have a small bar chart. Empty if there are no statistics.
std::string statistics_section(const std::vector<statistics::Reading>& readings);

}  // namespace psim::report
