// SPDX-License-Identifier: Apache-2.0
// The energy of links in the result of psim net, compared with that of links that never sleep.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "energy/link_energy.h"

namespace psim {

/// Adds link_energy: joules, watts, low_share, wakes, of all, by kind and by router, and watts over time.
void add_link_energy(nlohmann::ordered_json& body, const energy::LinkEnergy& energy);

/// Adds `link_energy.jobs` and `link_energy.nobody` if links record whose packets kept them awake; `jobs`
/// holds the names.
void add_link_shares(nlohmann::ordered_json& body, const energy::LinkEnergy& energy,
                     const std::vector<std::string>& jobs);

/// Adds link_energy.compare: the run next to `base`, the result of the same run whose links never sleep.
void compare_with_always_on(nlohmann::ordered_json& body, const nlohmann::ordered_json& base);

/// Returns a line for people, or two with compare.
std::string link_energy_lines(const nlohmann::ordered_json& body);

/// Returns a table with a row per direction: router and port, or node and port, kind, low_s, wakes, joules.
std::string link_energy_table(const net::LinkSleep& sleep, const net::Graph& graph,
                              const energy::LinkEnergy& energy);

}  // namespace psim
