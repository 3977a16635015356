// SPDX-License-Identifier: Apache-2.0
// The JSON schema of results (--json): the common keys, the keys of each command, and all statistics with
// unit and meaning.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace psim {

/// Returns the schema of every result. Builds the parts of a machine, so no simulation may run in this
/// process.
nlohmann::ordered_json result_schema();

}  // namespace psim
