// SPDX-License-Identifier: Apache-2.0
// Where the running program lies, for the files that are installed next to it.
#pragma once

#include <filesystem>

namespace psim {

/// The absolute path of the running program, links followed; empty if it cannot be found out. Works without
/// /proc, too: then from the name under which the kernel was asked to run it.
const std::filesystem::path& executable_path();

/// The same, made of a link to the program and a name of it.
std::filesystem::path find_executable(const std::filesystem::path& link, const char* name);

}  // namespace psim
