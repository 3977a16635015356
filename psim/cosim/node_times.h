// SPDX-License-Identifier: Apache-2.0
// The time of the ranks on cycle-level nodes by region, as keys of a result: `compute` of the run, with the
// keys of a result of psim net where these have the same meaning, and `regions` of each rank.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cosim/cosim_run.h"
#include "cosim/scenario.h"

namespace psim {

// The puts and gets of detailed nodes, as text and in the key `operations` of a result of psim cosim.

void print(const cosim::Operation& operation);
nlohmann::ordered_json json_of(const cosim::Operation& operation);

/// Adds `seconds`, `compute` and `work`, and `regions` and `outside` to each rank in `nodes`. Marks that do
/// not fit become `assumptions`.
void add_node_times(nlohmann::ordered_json& body, const Scenario& scenario, const CosimResult& run);

/// Adds and prints `warnings` about ranks that ended without MPI_Finalize, as psim net does.
void add_warnings(nlohmann::ordered_json& body, const CosimResult& run);

/// Prints the table of regions on standard error, if a rank has marked one, and the marks that do not fit.
void print_node_times(const nlohmann::ordered_json& body);

}  // namespace psim
