// SPDX-License-Identifier: Apache-2.0
// Where the running program lies, for the files that are installed next to it, and how it was started. All of
// it works without /proc, too.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace psim {

/// The absolute path of the running program, links followed; empty if it cannot be found out. Without /proc
/// it is made from the name under which it was started.
const std::filesystem::path& executable_path();

/// The same, made of a link to the program and a name of it.
std::filesystem::path find_executable(const std::filesystem::path& link, const char* name);

/// The words that the process was started with, the program's name first.
const std::vector<std::string>& command_line();

/// Replaces the process by a new run of the same program with these words. Returns only on failure, with
/// errno.
void execute_again(const std::vector<std::string>& words);

/// Returns share/psim/`folder` next to the bin of the running program, in the build tree as in an installed
/// one.
std::filesystem::path share_path(const std::filesystem::path& folder);

}  // namespace psim
