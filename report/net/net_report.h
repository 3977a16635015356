// SPDX-License-Identifier: Apache-2.0
// The page of a run on a network or of synthetic traffic, and the data of its map of links.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/statistics/registry.h"
#include "netsim/simulation.h"
#include "report/net/machine_map.h"
#include "report/page.h"

namespace psim {

/// Returns the data of the heat map: for each kind of channel and group of neighbouring routers, the share of
/// time in which the busiest channel was occupied. There are at most 512 groups. `ranked` adds the channels
/// that were busy longest, with the numbers of their links in `map` if that is not null.
nlohmann::ordered_json link_map(const net::Graph& graph, const net::Simulation& simulation,
                                const MachineMap* map = nullptr);

/// Returns the most used links of a link_map(), as a table.
std::string ranked_links(const nlohmann::ordered_json& map);
/// Returns the element in which the machine is drawn, with an explanation; `machine` is
/// MachineMap::drawing(). `over_time`: its history is there, too.
std::string machine_element(const nlohmann::ordered_json& machine, bool over_time);
/// Returns the element in which the map of links is drawn, with its scale.
std::string link_map_element();

/// Return the bodies of the pages. `described` has the units and meanings of statistics. The key `page` of
/// the result holds `links`, a link_map(), and with --report `ranks`, the rank_rows(); of traffic `maps`, a
/// link_map() of each load.
report::PageBody net_page(const nlohmann::ordered_json& result,
                          const std::vector<statistics::Reading>& described);
report::PageBody traffic_page(const nlohmann::ordered_json& result);

}  // namespace psim
