// SPDX-License-Identifier: Apache-2.0
// The JSON schema of results (--json): all keys at every depth, and all statistics with unit and meaning.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/config/schema.h"

namespace psim {

/// The configurations that results contain, by the names of their parts in result_keys.h: "core".
using ResultConfigurations = std::vector<std::pair<std::string, const Schema*>>;

/// Returns the schema of every result. Builds the parts of a machine, so no simulation may run in this
/// process.
nlohmann::ordered_json result_schema(const ResultConfigurations& configurations,
                                     const std::vector<std::string>& experiments);

}  // namespace psim
