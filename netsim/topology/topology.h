// SPDX-License-Identifier: Apache-2.0
// From the configuration's words to a network: what joins what, and how packets find their way.
// docs/topologies.md lists every kind with its shapes and routings.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "netsim/config/network_config.h"
#include "netsim/routing/routing.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net {

struct Network {
  Graph graph;
  std::unique_ptr<Routing> routing;
  std::string shape;  ///< as the user could have written it: "16x8x8"
  std::string routing_name;
  std::function<std::string(std::uint32_t router)> router_name;  ///< "(3,1,0)"
  std::uint32_t idle = 0;  ///< nodes beyond those that make_topology() was asked for
};

/// Builds `config.topology` for `nodes` nodes; 0 takes as many as topology.shape says. Without a shape the
/// network may have more: Network::idle. Throws UserError, its text beginning with the key ("topology.shape =
/// \"16x0x8\": …"), for an unknown kind or routing, a bad shape, one with fewer nodes, and too few virtual
/// channels; or, when packets could wait for each other in a circle, with that circle of channels.
Network make_topology(const NetworkConfig& config, std::uint32_t nodes);

/// Throws UserError unless the routers have `needed` virtual channels for `routing`.
void need_channels(const NetworkConfig& config, const std::string& routing, std::uint32_t needed);

/// A row of the table of topologies.
struct TopologyKind {
  std::string name;      ///< of topology.kind
  std::string shape;     ///< what topology.shape is, "sizes of 1 to 6 dimensions"
  std::string example;   ///< a shape
  std::string routings;  ///< names of topology.routing, the usual one first, with spaces between
  std::string text;      ///< a sentence
  Network (*make)(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);
};
const std::vector<TopologyKind>& topology_kinds();

}  // namespace psim::net
