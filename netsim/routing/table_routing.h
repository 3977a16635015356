// SPDX-License-Identifier: Apache-2.0
// Routing by a table of the next port for each destination, for graphs of any form. In order.
// - shortest: the shortest route; each step takes the next virtual channel, as many as the diameter.
// - table: as given. One virtual channel; the deadlock check decides whether it is safe.
// Of several equally short routes, each router takes one by a hash of the destination.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/routing/routing.h"
#include "netsim/routing/virtual_channels.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net {

/// The next port by next[router * routers + destination]; unspecified at the destination itself.
struct PortTable {
  std::vector<std::uint16_t> next;
  std::uint32_t longest = 0;  ///< links of the longest route
};
/// Returns the table of shortest routes. The graph must be connected.
PortTable shortest_routes(const Graph& graph);

class TableRouting final : public Routing {
 public:
  /// Routes by `table`. `hop_channels`: each step takes the next of table.longest virtual channels, at most
  /// `virtual_channels`.
  TableRouting(const Graph& graph, PortTable table, bool hop_channels, std::uint32_t virtual_channels);

  std::uint32_t virtual_channels() const override { return sets_.needed(); }
  std::uint32_t address(NodeId node) const override { return addresses_[index(node)]; }
  Route route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
              const LocalLoad& load) const override;
  void dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                    const std::function<void(Route route, bool escape)>& sink) const override;

 private:
  std::uint32_t routers_;
  bool hop_channels_;
  VcSets sets_;
  std::vector<std::uint16_t> next_;
  std::vector<std::uint16_t> links_;  ///< of each router: ports to routers
  std::vector<std::uint32_t> addresses_;
  std::vector<std::uint32_t> first_port_;
  std::vector<std::vector<std::uint16_t>> onward_;  ///< by input: the outputs of its packets
  std::uint16_t node_ports_;
};

}  // namespace psim::net
