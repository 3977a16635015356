// SPDX-License-Identifier: Apache-2.0
// Finding machine files and laying them over each other: `base = "sparc64v"` at the top of a file takes
// everything from that machine but what the file says itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/config/schema.h"
#include "base/config/setting.h"
#include "base/error.h"

namespace psim {

/// Directories that hold shipped machines, best first: machines/ of the source tree the executable was built
/// in, and share/psim/machines beside the installed executable.
std::vector<std::string> machine_directories();

/// The names of all shipped machines, sorted.
std::vector<std::string> machine_names();

/// The file of a machine: `name` itself if it has a '/' or ends in .toml, else NAME.toml in
/// machine_directories(), `beside` (the directory of the file that names it as base; may be empty), or the
/// current directory. A relative file name is relative to `beside`.
/// Throws UserError with the nearest name.
std::string find_machine(std::string_view name, const std::string& beside = {});

/// The settings of a machine with its bases' before its own. Unreadable files, syntax errors and circles of
/// bases go to `problems`. `base` itself is not among the settings.
std::vector<Setting> load_machine_settings(std::string_view name, Problems& problems);

/// Sets `schema` to the machine and then to `overrides`, "key=value" each. Throws UserError with every
/// problem.
void apply_machine(Schema& schema, std::string_view name, const std::vector<std::string>& overrides);

}  // namespace psim
