// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace psim::report {

/// Returns the key `profile` of a result as a section: functions and lines, which web/profile.js sorts and
/// searches, and the instructions of the hottest functions. Empty without the key.
std::string profile_section(const nlohmann::ordered_json& result);

}  // namespace psim::report
