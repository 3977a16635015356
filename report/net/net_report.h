// SPDX-License-Identifier: Apache-2.0
// The HTML report of a run on a network, made from the result document and the individual links.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/statistics/registry.h"
#include "netsim/simulation.h"

namespace psim {

/// Returns the data of the heat map: for each kind of channel and group of neighbouring routers, the share of
/// time in which the busiest channel was occupied. There are at most 512 groups. `ranked` adds the channels
/// that were busy longest.
nlohmann::ordered_json link_map(const net::Graph& graph, const net::Simulation& simulation);

/// Returns the most used links of a link_map(), as a table.
std::string ranked_links(const nlohmann::ordered_json& map);
/// Returns the element in which the map of links is drawn, with its scale.
std::string link_map_element();

/// Returns the whole page. `program` is the command as the user gave it; `result` the text of the finished
/// document. `rows`: rank_rows(), or null. `statistics`: of the whole run.
std::string net_report(const std::string& program, const std::string& result,
                       const nlohmann::ordered_json& links, const nlohmann::ordered_json& rows,
                       const std::vector<statistics::Reading>& statistics);

}  // namespace psim
