// SPDX-License-Identifier: Apache-2.0
// A profile in the Callgrind format, version 1 (https://valgrind.org/docs/manual/cl-format.html), for
// KCachegrind, QCachegrind and callgrind_annotate: costs of each instruction, and inclusive costs of calls.
#pragma once

#include <string>
#include <string_view>

#include "report/profile/named_profile.h"

namespace psim::report {

/// Returns the file's text. `program` is the file, `command` the whole command line.
std::string callgrind_file(const NamedProfile& profile, std::string_view creator, std::string_view program,
                           std::string_view command);

}  // namespace psim::report
