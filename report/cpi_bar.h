// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace psim::report {

/// Returns a CPI stack as a bar of colours, each part as wide as its share, with its name and cycles as a
/// title. `small`: of a line's height and without names in it, for a table. Empty if the stack has no cycles.
std::string cpi_bar(const nlohmann::ordered_json& stack, bool small);

}  // namespace psim::report
