// SPDX-License-Identifier: Apache-2.0
// A configuration, written out: as a machine file, for results, and as its manual.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/config/schema.h"

namespace psim {

/// The effective configuration as a machine file that reads back as itself; each line says its meaning and
/// where its value came from.
std::string config_toml(const Schema& schema);
/// {"section": {"key": value}}: counts, numbers and truths as such, quantities as text with their unit.
nlohmann::ordered_json config_json(const Schema& schema);
/// docs/configuration.md: every key with default, limits, meaning and source.
std::string config_manual(const Schema& schema);
/// One key in full.
std::string config_explain(const Field& field);

}  // namespace psim
