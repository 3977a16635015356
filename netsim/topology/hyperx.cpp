// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/kinds.h"

#include <bit>

#include "netsim/routing/hyperx_routing.h"
#include "netsim/routing/via_routing.h"
#include "netsim/topology/graphs/hyperx_graph.h"
#include "netsim/topology/graphs/shape.h"

namespace psim::net {
namespace {

Network network_of(const HyperX& hyperx, const NetworkConfig& config, const std::string& routing) {
  const std::uint32_t ports = config.nic.ports, channels = config.router.virtual_channels;
  Network network;
  if (routing == "adaptive" || routing == "dal") {
    need_channels(config, routing, HyperXAdaptive::kNeeded);
    network.routing = std::make_unique<HyperXAdaptive>(hyperx, ports, channels, routing == "dal");
  } else {
    HyperXStep step(hyperx);
    const ViaScheme scheme = via_scheme(routing);
    need_channels(config, routing, ViaRouting<HyperXStep>::needed(step, scheme));
    network.routing = std::make_unique<ViaRouting<HyperXStep>>(std::move(step), ports, channels, scheme,
                                                               config.adaptive, config.router.vc_choice);
  }
  network.graph = hyperx.graph(ports);
  network.router_name = [hyperx](std::uint32_t router) { return hyperx.name(router); };
  network.drawing = [hyperx](const Graph&, std::uint32_t most) { return draw(hyperx, most); };
  return network;
}

/// Checks sizes whose product is over all ports of a router and all nodes.
void check_hyperx(const HyperX& hyperx, std::uint32_t nodes, const std::string& kind,
                  const std::string& shape) {
  std::vector<std::uint32_t> all = hyperx.sizes;
  all.push_back(hyperx.terminals);
  const std::uint32_t has = product(all, shape);
  std::uint64_t ports = 0;
  for (std::size_t d = 0; d < hyperx.sizes.size(); ++d)
    ports += (std::uint64_t{hyperx.sizes[d]} - 1) * hyperx.rails[d];
  if (ports > 0xffff)
    throw shape_error(shape, "a router of " + std::to_string(ports) + " ports; at most 65535");
  check_nodes(nodes, has, kind, shape);
}

}  // namespace

Network make_hyperx(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing) {
  constexpr const char* kExample = "4x4x3:2";
  constexpr std::size_t kMostSizes = 6;
  const std::string& shape = config.topology.shape;
  if (shape.empty() && nodes == 0) throw shape_error(shape, "expected sizes or a number of nodes");
  HyperX hyperx;
  if (shape.empty()) {
    hyperx.sizes = near_cubic(nodes);
  } else {
    const std::size_t colon = shape.find(':');
    hyperx.sizes = parse_sizes(shape.substr(0, colon), 1, kMostSizes, kExample);
    if (colon != std::string::npos) {
      const std::size_t second = shape.find(':', colon + 1);
      const std::size_t length = second == std::string::npos ? second : second - colon - 1;
      hyperx.terminals = parse_sizes(shape.substr(colon + 1, length), 1, 1, "2")[0];
      if (second != std::string::npos)
        hyperx.rails =
            parse_sizes(shape.substr(second + 1), hyperx.sizes.size(), hyperx.sizes.size(), "2x1x1");
    }
  }
  if (hyperx.rails.empty()) hyperx.rails.assign(hyperx.sizes.size(), 1);
  check_hyperx(hyperx, nodes, "HyperX", shape);
  Network network = network_of(hyperx, config, routing);
  network.shape = shape_text(hyperx.sizes) + ":" + std::to_string(hyperx.terminals);
  if (hyperx.rails != std::vector<std::uint32_t>(hyperx.sizes.size(), 1))
    network.shape += ":" + shape_text(hyperx.rails);
  return network;
}

Network make_hypercube(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing) {
  const std::string& shape = config.topology.shape;
  if (shape.empty() && nodes == 0) throw shape_error(shape, "expected dimensions or a number of nodes");
  HyperX hyperx;
  std::uint32_t dimensions = static_cast<std::uint32_t>(std::bit_width(nodes - 1));
  if (!shape.empty()) {
    const std::size_t colon = shape.find(':');
    dimensions = parse_sizes(shape.substr(0, colon), 1, 1, "6:2")[0];
    if (colon != std::string::npos) hyperx.terminals = parse_sizes(shape.substr(colon + 1), 1, 1, "2")[0];
  } else if (nodes == 1) {
    dimensions = 1;
  }
  if (dimensions > HyperX::kMostDimensions)
    throw shape_error(shape, std::to_string(dimensions) + " dimensions; expected 1 … " +
                                 std::to_string(HyperX::kMostDimensions));
  hyperx.sizes.assign(dimensions, 2);
  hyperx.rails.assign(dimensions, 1);
  check_hyperx(hyperx, nodes, "hypercube", shape);
  Network network = network_of(hyperx, config, routing);
  network.shape = std::to_string(dimensions) + ":" + std::to_string(hyperx.terminals);
  return network;
}

}  // namespace psim::net
