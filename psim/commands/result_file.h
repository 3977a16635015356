// SPDX-License-Identifier: Apache-2.0
// Results of psim as inputs of commands.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace psim::commands {

/// Returns the result document in a file. Throws UserError if the file cannot be read or contains no result.
/// Throws it also if the document is of another schema, or its result_hash shows that it was changed.
nlohmann::json read_result(const std::string& path);

}  // namespace psim::commands
