// SPDX-License-Identifier: Apache-2.0
// The HTML report of a run on a network: made of the result document, and of the links one by one.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "netsim/simulation.h"

namespace psim {

/// For the heat map: of each kind of channel and group of neighbouring routers, the share of time that the
/// busiest channel was taken. At most 512 groups. With `ranked`, the channels that were
/// busy longest.
nlohmann::ordered_json link_map(const net::Graph& graph, const net::Simulation& simulation);

/// The most used links of a link_map(), as a table.
std::string ranked_links(const nlohmann::ordered_json& map);
/// Where the map of links is drawn, with its scale.
std::string link_map_place();

/// The whole page. `program` is the command as the user gave it; `result` the text of the finished document.
/// `rows`: rank_rows(), or null.
std::string net_report(const std::string& program, const std::string& result,
                       const nlohmann::ordered_json& links, const nlohmann::ordered_json& rows);

}  // namespace psim
