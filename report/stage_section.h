// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace psim::report {

/// Returns the section of a page with the stage view `view`, the key `stages` of the result's page.
std::string stage_section(const nlohmann::ordered_json& view);

}  // namespace psim::report
