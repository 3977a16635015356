// SPDX-License-Identifier: Apache-2.0
// A profile as tables for a terminal or a file.
#pragma once

#include <cstddef>
#include <string>

#include "report/profile/named_profile.h"

namespace psim::report {

struct ProfileTextLimits {
  std::size_t functions = 10, lines = 10;
  std::size_t listed = 0;  ///< functions with their instructions
};
std::string profile_text(const NamedProfile& profile, const ProfileTextLimits& limits);

}  // namespace psim::report
