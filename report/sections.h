// SPDX-License-Identifier: Apache-2.0
// The sections of a run's report, each from the keys of the result document that it shows. If a key is
// missing, its line or section is left out.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace psim::report {

/// Returns the CPI stack as a bar and a table of exact cycles.
std::string cpi_section(const nlohmann::ordered_json& result);
/// Returns the energy by group of places as a bar, by place and by class as tables. Empty without the key
/// `energy`.
std::string energy_section(const nlohmann::ordered_json& result);
std::string regions_section(const nlohmann::ordered_json& result);
/// Returns the sentences as a list; empty without any.
std::string assumptions_section(const std::vector<std::string>& sentences);
/// Returns the effective configuration, folded.
std::string machine_section(const nlohmann::ordered_json& result);
/// Returns hashes of inputs and result, seed, host speed.
std::string identity_section(const nlohmann::ordered_json& result);
/// Returns an energy with its unit, as HTML.
std::string joules_of(double joules);
std::string time_of(double seconds);
/// Returns the value of a key for readers, as HTML: whole numbers grouped, others with six digits, and with
/// the unit that the key ends with.
std::string shown_value(std::string_view key, const nlohmann::ordered_json& value);
/// Returns "Front end" for "front_end".
std::string label_of(std::string_view key);

}  // namespace psim::report
