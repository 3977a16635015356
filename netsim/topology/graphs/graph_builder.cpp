// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/graphs/graph_builder.h"

#include "base/error.h"

namespace psim::net {

GraphBuilder::GraphBuilder(const std::vector<std::uint32_t>& link_ports,
                           const std::vector<std::uint32_t>& nodes, std::uint32_t node_ports) {
  constexpr std::uint64_t kMostPorts = 0xffff, kMostChannels = 0xffffffff;
  graph_.node_ports = static_cast<std::uint16_t>(node_ports);
  graph_.first_port.reserve(link_ports.size() + 1);
  std::uint64_t channels = 0;
  graph_.first_port.push_back(0);
  for (std::size_t p = 0; p < link_ports.size(); ++p) {
    const std::uint64_t ports = link_ports[p] + std::uint64_t{nodes[p]} * node_ports;
    if (ports > kMostPorts)
      throw UserError("topology.shape: a router of " + std::to_string(ports) + " ports; at most 65535");
    for (std::uint32_t n = 0; n < nodes[p]; ++n) {
      graph_.node_router.push_back(static_cast<std::uint32_t>(p));
      graph_.node_port.push_back(static_cast<std::uint16_t>(link_ports[p] + n * node_ports));
    }
    channels += ports;
    if (channels > kMostChannels) throw UserError("topology.shape: more than 2^32 ports");
    graph_.first_port.push_back(static_cast<std::uint32_t>(channels));
  }
  graph_.channels.resize(channels);
}

std::uint8_t GraphBuilder::kind(std::string name) {
  graph_.kinds.push_back({std::move(name)});
  return static_cast<std::uint8_t>(graph_.kinds.size() - 1);
}

void GraphBuilder::join(std::uint32_t a, std::uint32_t a_port, std::uint8_t kind, std::uint32_t b,
                        std::uint32_t b_port, std::uint8_t back, CableClass cable) {
  graph_.channels[graph_.first_port[a] + a_port] = {b, static_cast<std::uint16_t>(b_port), kind, cable};
  graph_.channels[graph_.first_port[b] + b_port] = {a, static_cast<std::uint16_t>(a_port), back, cable};
}

}  // namespace psim::net
