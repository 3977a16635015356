// SPDX-License-Identifier: Apache-2.0
// Prints a configuration as a machine file, for results and as its manual.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/config/schema.h"

namespace psim {

/// Returns the effective configuration as a machine file that reads back as itself. Each line states its
/// meaning and the origin of its value.
std::string config_toml(const Schema& schema);
/// Returns {"section": {"key": value}}: counts, numbers and booleans as such, quantities as text with their
/// unit. Keys that Schema::left_out() names are missing, except with `all`.
nlohmann::ordered_json config_json(const Schema& schema, bool all = false);
/// Returns docs/configuration.md: every key with default, limits, meaning and source.
std::string config_manual(const Schema& schema);
/// Returns the full description of one key.
std::string config_explain(const Field& field);

}  // namespace psim
