// SPDX-License-Identifier: Apache-2.0
// JSON schemas (draft 7) for editors and validators: of machine files, from the keys of a machine.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "base/config/schema.h"

namespace psim {

/// The address of the JSON Schema draft that all schemas of psim follow; Taplo and VS Code read it.
inline constexpr std::string_view kSchemaDraft = "http://json-schema.org/draft-07/schema#";

/// Returns the schema of a machine file. Every key is optional, and every value may be a table of value and
/// source. Limits of quantities with units are in the description: JSON Schema cannot compare them.
nlohmann::ordered_json machine_file_schema(const Schema& machine, std::string_view title);

}  // namespace psim
