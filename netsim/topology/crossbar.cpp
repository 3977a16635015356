// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/kinds.h"

#include "netsim/routing/virtual_channels.h"
#include "netsim/topology/graphs/graph_builder.h"
#include "netsim/topology/graphs/shape.h"

namespace psim::net {
namespace {

/// Routes straight to the node's port.
class Direct final : public Routing {
 public:
  explicit Direct(std::uint32_t node_ports) : node_ports_(node_ports) {}
  std::uint32_t virtual_channels() const override { return 1; }
  std::uint32_t address(NodeId node) const override { return index(node) * node_ports_; }
  Route route(RouterId, std::uint16_t, std::uint8_t, Packet& packet, const LocalLoad&) const override {
    return {static_cast<std::uint16_t>(packet.address + node_port_of(packet, node_ports_)), 0};
  }
  void dependencies(RouterId, std::uint16_t, std::uint8_t,
                    const std::function<void(Route, bool)>&) const override {}

 private:
  std::uint32_t node_ports_;
};

}  // namespace

Network make_crossbar(const NetworkConfig& config, std::uint32_t nodes, const std::string&) {
  const std::string& shape = config.topology.shape;
  if (shape.empty() && nodes == 0) throw shape_error(shape, "expected sizes or a number of nodes");
  const std::uint32_t count = shape.empty() ? nodes : parse_sizes(shape, 1, 1, "16")[0];
  check_nodes(nodes, count, config.topology.kind, shape);
  GraphBuilder builder({0}, {count}, config.nic.ports);
  Network network;
  network.graph = builder.take();
  network.routing = std::make_unique<Direct>(config.nic.ports);
  network.shape = std::to_string(count);
  network.router_name = [](std::uint32_t) { return "(switch)"; };
  return network;
}

}  // namespace psim::net
