// SPDX-License-Identifier: Apache-2.0
// Finding and merging machine files. With `base = "sparc64v"` at the top, a file takes everything from that
// machine except the keys that it sets itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/config/schema.h"
#include "base/config/setting.h"
#include "base/error.h"

namespace psim {

/// Returns the directories of shipped machines, the preferred one first: machines/ of the source tree in
/// which the executable was built, and share/psim/machines next to the installed executable.
std::vector<std::string> machine_directories();

/// Returns the names of all shipped machines, sorted.
std::vector<std::string> machine_names();

/// Returns the file of a machine: `name` itself if it has a '/' or ends in .toml. Any other name stands for
/// NAME.toml in machine_directories(), in `base_folder` or in the current directory. `base_folder` is the
/// directory of the file that names the machine as its base, or empty. A relative file name is relative to
/// it. Throws UserError with the nearest name.
std::string find_machine(std::string_view name, const std::string& base_folder = {});

/// Returns the settings of a machine, those of its bases first. Unreadable files, syntax errors and cyclic
/// bases are added to `problems`. `base` itself is not among the settings.
std::vector<Setting> load_machine_settings(std::string_view name, Problems& problems);

/// Sets `schema` to the machine and then to `overrides`, each "key=value". Throws UserError with every
/// problem.
void apply_machine(Schema& schema, std::string_view name, const std::vector<std::string>& overrides);

}  // namespace psim
