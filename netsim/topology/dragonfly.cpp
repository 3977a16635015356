// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/kinds.h"

#include "netsim/routing/dragonfly_routing.h"
#include "netsim/topology/graphs/dragonfly_graph.h"
#include "netsim/topology/graphs/shape.h"

namespace psim::net {
namespace {

Network network_of(const Dragonfly& dragonfly, const NetworkConfig& config, const std::string& routing) {
  using Scheme = DragonflyRouting::Scheme;
  const Scheme scheme = routing == "valiant"  ? Scheme::Valiant
                        : routing == "ugal"   ? Scheme::Ugal
                        : routing == "ugal-g" ? Scheme::UgalGlobal
                        : routing == "par"    ? Scheme::Progressive
                                              : Scheme::Minimal;
  need_channels(config, routing, DragonflyRouting::needed(dragonfly, scheme));
  Network network;
  network.graph = dragonfly.graph(config.nic.ports);
  network.routing = std::make_unique<DragonflyRouting>(
      dragonfly, config.nic.ports, config.router.virtual_channels, scheme, config.adaptive);
  network.group = dragonfly.a * dragonfly.p;
  network.drawing = [dragonfly](const Graph&, std::uint32_t most) { return draw(dragonfly, most); };
  network.router_name = [a = dragonfly.a](std::uint32_t router) {
    return "(" + std::to_string(router / a) + "," + std::to_string(router % a) + ")";
  };
  return network;
}

/// Returns the sizes of the balanced dragonfly (a = 2 p = 2 h, all groups) of `nodes` nodes.
std::vector<std::uint32_t> balanced(std::uint32_t nodes) {
  for (std::uint32_t p = 1; p < 64; ++p)
    if (2 * p * p * (2 * p * p + 1) == nodes) return {2 * p, p, p};
  throw shape_error("", "no dragonfly with a = 2 p = 2 h has " + std::to_string(nodes) +
                            " nodes; expected its sizes, as in \"4x2x2x9\"");
}

}  // namespace

Network make_dragonfly(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing) {
  const std::string& shape = config.topology.shape;
  const std::size_t colon = shape.find(':');
  const std::string arrangement = colon == std::string::npos ? "palmtree" : shape.substr(colon + 1);
  if (arrangement != "palmtree" && arrangement != "consecutive")
    throw shape_error(shape, "expected palmtree or consecutive after the colon");
  const auto sizes = shape.empty() ? balanced(nodes) : parse_sizes(shape.substr(0, colon), 3, 4, "4x2x2x9");
  Dragonfly d{.a = sizes[0], .p = sizes[1], .h = sizes[2], .palm_tree = arrangement == "palmtree"};
  const std::uint64_t slots = std::uint64_t{d.a} * d.h;
  if (sizes.size() == 4 && sizes[3] > slots + 1)
    throw shape_error(shape, std::to_string(sizes[3]) +
                                 " groups; a x h global ports per group join at most " +
                                 std::to_string(slots + 1));
  d.g = sizes.size() == 4 ? sizes[3] : static_cast<std::uint32_t>(std::min(slots + 1, kMostNodes));
  product({d.a, d.p, d.g}, shape);
  d.rails = d.g == 1 ? 0 : static_cast<std::uint32_t>(slots / (d.g - 1));
  check_nodes(nodes, d.nodes(), "dragonfly", shape);
  Network network = network_of(d, config, routing);
  network.shape = shape_text({d.a, d.p, d.h, d.g}) + ":" + arrangement;
  return network;
}

Network make_full(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing) {
  const std::string& shape = config.topology.shape;
  if (shape.empty() && nodes == 0) throw shape_error(shape, "expected sizes or a number of nodes");
  const std::size_t colon = shape.find(':');
  const auto sizes = shape.empty() ? std::vector{nodes} : parse_sizes(shape.substr(0, colon), 1, 2, "8x4:2");
  Dragonfly d{.a = sizes[0], .g = sizes.size() == 2 ? sizes[1] : 1, .rails = 2};
  if (colon != std::string::npos) d.rails = parse_sizes(shape.substr(colon + 1), 1, 1, "2")[0];
  if (d.g == 1) d.rails = 0;
  product({d.a, d.g}, shape);
  const std::uint64_t ports = (std::uint64_t{d.rails} * (d.g - 1) + d.a - 1) / d.a;
  if (ports > 0xffff)
    throw shape_error(shape, "a router of " + std::to_string(ports) + " ports; at most 65535");
  d.h = static_cast<std::uint32_t>(ports);
  check_nodes(nodes, d.nodes(), "full connection", shape);
  Network network = network_of(d, config, routing);
  network.shape = d.g == 1 ? std::to_string(d.a) : shape_text({d.a, d.g}) + ":" + std::to_string(d.rails);
  return network;
}

}  // namespace psim::net
