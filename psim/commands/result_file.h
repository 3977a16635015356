// SPDX-License-Identifier: Apache-2.0
// Results of psim as input of commands.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace psim::commands {

/// The result document in a file. Throws UserError if it cannot be read or is none.
nlohmann::json read_result(const std::string& path);

}  // namespace psim::commands
