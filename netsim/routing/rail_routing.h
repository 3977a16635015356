// SPDX-License-Identifier: Apache-2.0
// Routing where the ports of a node are at several switches (RailGraph): the routing of the plain network, in
// which every switch is a router. A packet arrives at the port of its destination that its address names; in
// planes, at the one of its own plane.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "netsim/routing/routing.h"
#include "netsim/topology/graphs/rail_graph.h"

namespace psim::net {

class RailRouting final : public Routing {
 public:
  /// `plain_graph` and `plain` are the plain network, whose nodes have one port for planes, else rails.rails.
  RailRouting(RailGraph rails, const Graph& plain_graph, std::unique_ptr<Routing> plain);

  bool adaptive() const override { return plain_->adaptive(); }
  bool in_order() const override { return plain_->in_order(); }
  bool any_set() const override { return plain_->any_set(); }
  bool global() const override { return plain_->global(); }
  bool bubble() const override { return plain_->bubble(); }
  std::uint32_t virtual_channels() const override { return plain_->virtual_channels(); }
  std::uint32_t address(NodeId node) const override { return port_address(node, 0); }
  std::uint32_t port_address(NodeId node, std::uint32_t port) const override {
    return rails_.copies ? plain_->address(node) : addresses_[std::size_t{index(node)} * rails_.rails + port];
  }
  std::uint32_t rail(NodeId node) const override { return rails_.copies ? 0 : ends_[index(node)]; }
  void inject(Packet& packet, RouterId router, std::uint16_t in_port, const LocalLoad& load,
              std::uint64_t random) const override;
  Route route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
              const LocalLoad& load) const override;
  void dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                    const std::function<void(Route route, bool escape)>& sink) const override;

 private:
  RailGraph rails_;
  std::unique_ptr<Routing> plain_;
  // Of a network whose routers share nodes.
  std::vector<std::uint32_t> addresses_;  ///< by node and port
  std::vector<std::uint8_t> ends_;        ///< by node: rail()
};

}  // namespace psim::net
