// SPDX-License-Identifier: Apache-2.0
// The page of `psim predict`: the time by number of ranks with its interval, the parts that regions have in
// it, and the assumptions of the interval.
#pragma once

#include "report/page.h"

namespace psim::report {

/// Returns the body of the page.
PageBody predict_page(const nlohmann::ordered_json& result);

}  // namespace psim::report
