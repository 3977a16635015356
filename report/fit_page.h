// SPDX-License-Identifier: Apache-2.0
// The page of `psim fit`: for each region its expression, a chart of points, curve and prediction interval,
// and the relative residuals.
#pragma once

#include "report/page.h"

namespace psim::report {

/// Returns the body of the page. The key `page` of the result holds `fits`, an entry for each region:
/// `x_name`, `x` of each point and `curve`, rows [x, value, low, high].
PageBody fit_page(const nlohmann::ordered_json& result);

}  // namespace psim::report
