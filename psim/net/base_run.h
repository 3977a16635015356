// SPDX-License-Identifier: Apache-2.0
// A variant of the run, in a process of its own and before this one: the base of `--compare`.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace psim {

/// Calls run(path) in a child process that prints nothing and writes its result as JSON to `path`. Returns
/// the result as text, empty if there is none. Call it before any object of this process's own run exists.
std::string run_base(const std::function<void(const std::string& json)>& run);

}  // namespace psim
