// SPDX-License-Identifier: Apache-2.0
// The choice of the nodes that psim cosim simulates cycle by cycle: --detailed and --functional-cpi. The
// others execute functionally.
#pragma once

#include <CLI/App.hpp>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>

#include "cosim/cosim_run.h"
#include "cosim/scenario.h"

namespace psim {

struct DetailedOptions {
  std::string nodes;  ///< numbers and ranges; empty: all
  double cpi = 0;     ///< of the others; 0: measured
};
/// Declares --detailed and --functional-cpi.
void add_detailed_options(CLI::App& app, DetailedOptions& options);

/// Applies the options to the scenario. Throws UserError.
void choose_detailed(const DetailedOptions& options, Scenario& scenario);
/// Throws UserError if nodes are functional and the machine or one of the `wishes` (present or not, and its
/// name) needs all of them cycle by cycle.
void check_detailed(const DetailedOptions& options, const Scenario& scenario,
                    std::initializer_list<std::pair<bool, const char*>> wishes);
/// Does the same for a stage dump of this core.
void check_dumped(const DetailedOptions& options, const Scenario& scenario, const ObservedCore& core);
/// Marks functional nodes in `nodes` of the result, and states their pace in `assumptions`.
void add_functional_nodes(nlohmann::ordered_json& body, const Scenario& scenario);

}  // namespace psim
