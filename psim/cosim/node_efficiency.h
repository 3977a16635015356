// SPDX-License-Identifier: Apache-2.0
// `psim cosim --efficiency`: why a run of cycle-level nodes takes its time.
#pragma once

#include "base/result_document.h"
#include "cosim/cosim_run.h"
#include "cosim/scenario.h"
#include "psim/net/reruns.h"

namespace psim {

/// Number of further runs.
inline constexpr std::size_t kNodeEfficiencyRuns = 3;

/// Throws UserError if the nodes cannot run again on another network.
void check_node_efficiency(const Scenario& scenario);
/// Changes the network of a further run.
void change(const WhatIf& what_if, Scenario& scenario);
/// Adds `efficiency` to the result of a finished run, after further runs.
void add_node_efficiency(Reruns& reruns, const Scenario& scenario, const CosimResult& run,
                         ResultDocument& result);

}  // namespace psim
