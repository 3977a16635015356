// SPDX-License-Identifier: Apache-2.0
// The section of a page with a row for each rank or core over time; web/rank_view.js and web/row_charts.js
// fill it.
#pragma once

#include <string>
#include <string_view>

namespace psim::report {

/// Returns the section. `title` and `row` ("rank") are HTML.
std::string rank_section(std::string_view title, std::string_view row);

}  // namespace psim::report
