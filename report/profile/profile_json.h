// SPDX-License-Identifier: Apache-2.0
// A profile as the key `profile` of a result: the hottest functions and lines, and the instructions of the
// hottest functions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/profile/named_profile.h"

namespace psim::report {

nlohmann::ordered_json profile_json(const NamedProfile& profile);

}  // namespace psim::report
