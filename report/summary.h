// SPDX-License-Identifier: Apache-2.0
// The large figures at the top of a result's page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace psim::report {

/// Returns the cards of the figures that the result has: instructions, cycles, simulated time, messages, …
std::string summary_section(const nlohmann::ordered_json& result);

}  // namespace psim::report
