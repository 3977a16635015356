// SPDX-License-Identifier: Apache-2.0
// The HTML page of a result: one file without dependencies, made from the document alone. `--report` of a run
// and `psim report` of its saved result give the same page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/statistics/registry.h"

namespace psim::report {

/// Returns the page of a result of any command. `described` has the units and meanings of statistics; those
/// that it lacks are shown without. Throws nlohmann::json::exception if the document lacks keys that results
/// of its command always have.
std::string result_page(const nlohmann::ordered_json& document,
                        const std::vector<statistics::Reading>& described);

/// Returns the name of a run for readers: its program with arguments, or another input.
std::string title_of_result(const nlohmann::ordered_json& document);

}  // namespace psim::report
