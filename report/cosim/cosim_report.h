// SPDX-License-Identifier: Apache-2.0
// The HTML report of a run on cycle-level nodes, made from the result document of psim cosim.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/statistics/registry.h"
#include "cosim/message_timeline.h"

namespace psim::report {

/// Returns the whole page. `program` is the command as the user gave it; `text` that of the finished
/// document. `statistics`: of all nodes and of the network. `timeline`: the messages to show, if any.
std::string cosim_report(const std::string& program, const std::string& text,
                         const std::vector<statistics::Reading>& statistics,
                         const cosim::MessageTimeline& timeline);

/// Returns the energy of nodes and links by part, over time, and by node, rank, region, call and load. Empty
/// without the key `energy`.
std::string machine_energy_section(const nlohmann::ordered_json& result);

}  // namespace psim::report
