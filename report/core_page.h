// SPDX-License-Identifier: Apache-2.0
// The page of a run on the core: `psim run` and `psim replay`.
#pragma once

#include <vector>

#include "base/statistics/registry.h"
#include "report/page.h"

namespace psim::report {

/// Returns the body of the page. `described` has the units and meanings of statistics.
PageBody core_page(const nlohmann::ordered_json& result, const std::vector<statistics::Reading>& described);

}  // namespace psim::report
