// SPDX-License-Identifier: Apache-2.0
// Routing by a table of the next port for each destination, for graphs of any form. In order.
// - shortest: the shortest way; each step takes the next virtual channel, so as many as the diameter.
// - table: as given. One virtual channel; whether it can lock up is for the check to say.
// Of several equally short ways, each router takes one by a hash of the destination.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/routing/routing.h"
#include "netsim/routing/virtual_channels.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net {

/// next[router * routers + destination]: a port, any at the destination itself.
struct PortTable {
  std::vector<std::uint16_t> next;
  std::uint32_t longest = 0;  ///< links of the longest way
};
/// All routers must reach each other.
PortTable shortest_routes(const Graph& graph);

class TableRouting final : public Routing {
 public:
  /// By the table's own ways; `hop_channels`: each step on the next of longest virtual channels, which must
  /// not be more than there are.
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
  std::vector<std::vector<std::uint16_t>> onward_;  ///< of each input: ports that what came by it takes
  std::uint16_t node_ports_;
};

}  // namespace psim::net
