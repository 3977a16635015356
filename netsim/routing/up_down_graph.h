// SPDX-License-Identifier: Apache-2.0
// Up*/down* on arbitrary graphs (Schroeder et al., Autonet, 1991). Routers form levels by their distance from
// a root, the router with the most cables (the first of equals); within a level the lower number is higher
// up. A route is the shortest that goes up, then down; between equals each router decides by a hash of the
// destination. Packets that go up never wait for packets that go down, and neither kind forms circles: one
// virtual channel is enough. In order.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/routing/graph_routes.h"

namespace psim::net {

class UpDownGraph final : public Routing {
 public:
  UpDownGraph(const Graph& graph, std::uint32_t virtual_channels);

  std::uint32_t virtual_channels() const override { return 1; }
  std::uint32_t address(NodeId node) const override { return addresses_[index(node)]; }
  Route route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
              const LocalLoad& load) const override;
  void dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                    const std::function<void(Route route, bool escape)>& sink) const override;

 private:
  void lay_routes_to(const Graph& graph, std::uint32_t to);
  bool arrived_downwards(std::uint32_t router, std::uint16_t port) const {
    return !down_[first_port_[router] + port];
  }

  std::uint32_t routers_;
  VcSets sets_;
  std::vector<std::uint16_t> next_[2];  ///< of packets that may still go up, and of those that may not
  std::vector<std::uint16_t> links_;
  std::vector<std::uint32_t> addresses_;
  std::vector<std::uint32_t> first_port_;
  std::vector<bool> down_;  ///< of each channel: leads away from the root
  std::uint16_t node_ports_;
};

}  // namespace psim::net
