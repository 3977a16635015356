// SPDX-License-Identifier: Apache-2.0
// The location of the running program, for the files that are installed next to it, and its command line. All
// of it works without /proc, too.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace psim {

/// Returns the absolute path of the running program, links followed; empty if it cannot be determined.
/// Without /proc it is derived from the name under which the program was started.
const std::filesystem::path& executable_path();

/// Returns the same, from a link to the program and a name of it.
std::filesystem::path find_executable(const std::filesystem::path& link, const char* name);

/// Returns the words with which the process was started, the program's name first.
const std::vector<std::string>& command_line();

/// Replaces the process by a new run of the same program with these words. Returns only on failure, with
/// errno set.
void execute_again(const std::vector<std::string>& words);

/// Returns share/psim/`folder` next to the bin folder of the running program, in a build tree as in an
/// installed one.
std::filesystem::path share_path(const std::filesystem::path& folder);

}  // namespace psim
