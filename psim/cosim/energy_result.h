// SPDX-License-Identifier: Apache-2.0
// The key `energy` of a result of psim cosim --energy: one account of the joules of the whole machine.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cosim/cosim_run.h"
#include "cosim/scenario.h"
#include "netsim/simulation.h"

namespace psim {

/// The name of the detailed nodes among the loads of a network.
inline constexpr const char* kDetailedNodes = "detailed nodes";

/// Adds `energy` (docs/result-keys.md). `owners`: the names of loads, if several share the network.
void add_machine_energy(nlohmann::ordered_json& body, const Scenario& scenario, const CosimResult& run,
                        const net::Simulation& simulation, const std::vector<std::string>& owners);

/// Returns lines for people, from the key `energy`.
std::string machine_energy_lines(const nlohmann::json& account);
/// Returns the energy by node, rank, region, MPI function and load. Without `all` only the largest rows of
/// each.
std::string machine_energy_rows(const nlohmann::json& account, bool all);

}  // namespace psim
