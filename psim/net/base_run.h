// SPDX-License-Identifier: Apache-2.0
// The same run another way, in a process of its own, before this one: what `--compare` compares with.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace psim {

/// Calls run(path) in a child process that prints nothing; it writes its result as JSON to `path`. Returns
/// the result as text, empty if it wrote none. Before anything of this process's own run is made.
std::string run_base(const std::function<void(const std::string& json)>& run);

}  // namespace psim
