// SPDX-License-Identifier: Apache-2.0
// The sections of a run's report, each from the keys of the result document that it shows. A key that is not
// there leaves its line or section out.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace psim::report {

/// Large figures: instructions, cycles, IPC, simulated seconds, …
std::string summary_section(const nlohmann::ordered_json& result);
/// The CPI stack as a bar and a table of exact cycles.
std::string cpi_section(const nlohmann::ordered_json& result);
/// Energy by group of places as a bar, by place and by class as tables. Empty without the key `energy`.
std::string energy_section(const nlohmann::ordered_json& result);
std::string regions_section(const nlohmann::ordered_json& result);
/// The effective configuration, folded.
std::string machine_section(const nlohmann::ordered_json& result);
/// Hashes of inputs and result, seed, host speed.
std::string identity_section(const nlohmann::ordered_json& result);
/// An energy and a time with their units, as HTML.
std::string joules_of(double joules);
std::string time_of(double seconds);
/// "front_end" → "Front end".
std::string label_of(std::string_view key);

}  // namespace psim::report
