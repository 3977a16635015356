// SPDX-License-Identifier: Apache-2.0
// Makes the network of a configuration: its graph and its routing. docs/topology-list.md lists every kind
// with its shapes and routings.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "netsim/config/network_config.h"
#include "netsim/routing/routing.h"
#include "netsim/topology/drawings/drawing.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net {

struct Network {
  Graph graph;
  std::unique_ptr<Routing> routing;
  std::string shape;                                             ///< in the user's notation: "16x8x8"
  std::string routing_name;                                      ///< make_topology() sets it
  std::function<std::string(std::uint32_t router)> router_name;  ///< "(3,1,0)"
  /// Returns the places of routers in a picture of this network's graph with at most `most` points.
  /// make_topology() sets it to the picture of any graph if the topology has none of its own.
  std::function<Drawing(const Graph&, std::uint32_t most)> drawing;
  std::uint32_t idle = 0;  ///< nodes beyond those requested from make_topology()
  /// Nodes of a group, for adversarial traffic: of a dragonfly. make_topology() sets it to those of a router
  /// if the topology has no groups.
  std::uint32_t group = 0;
};

/// Builds `config.topology` for `nodes` nodes; 0 takes all nodes of topology.shape. Without a shape the
/// network may have more: Network::idle. Throws UserError, its text beginning with the key ("topology.shape =
/// \"16x0x8\": …"), for an unknown kind or routing, a bad shape, a shape with fewer nodes, and too few
/// virtual channels. If packets could wait for each other in a circle, the error shows this circle of
/// channels.
Network make_topology(const NetworkConfig& config, std::uint32_t nodes);

/// Throws UserError unless the routers have `needed` virtual channels for `routing`.
void need_channels(const NetworkConfig& config, const std::string& routing, std::uint32_t needed);

/// A row of the table of topologies.
struct TopologyKind {
  std::string name;      ///< of topology.kind
  std::string shape;     ///< meaning of topology.shape, "sizes of 1 to 6 dimensions"
  std::string example;   ///< a shape
  std::string routings;  ///< names of topology.routing, the default first, separated by spaces
  std::string text;      ///< a sentence
  Network (*make)(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);
};
const std::vector<TopologyKind>& topology_kinds();

}  // namespace psim::net
