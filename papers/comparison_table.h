// SPDX-License-Identifier: Apache-2.0
// Comparisons as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "papers/comparison.h"

namespace psim::reproduce {

/// Returns lines with a header: quantity, paper, ours by running and by fit each with its error, goal, and
/// "miss" if the judged number is not within the goal. `title` heads the first column.
std::string table_of(std::string_view title, const std::vector<Comparison>& comparisons);

/// Returns [{"quantity", "unit", "paper", "run", "fit", "error_run", "error_fit", "goal", "within"}]. A
/// missing number is null; errors and goals are fractions.
nlohmann::ordered_json json_of(const std::vector<Comparison>& comparisons);

}  // namespace psim::reproduce
