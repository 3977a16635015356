// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/kinds.h"

#include <algorithm>

#include "netsim/routing/dragonfly_plus_routing.h"
#include "netsim/topology/graphs/dragonfly_plus_graph.h"
#include "netsim/topology/graphs/shape.h"

namespace psim::net {

Network make_dragonfly_plus(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing) {
  using Scheme = DragonflyPlusRouting::Scheme;
  const std::string& shape = config.topology.shape;
  const auto sizes = parse_sizes(shape, 4, 5, "4x4x2x2x9");
  DragonflyPlus d{.leaves = sizes[0], .spines = sizes[1], .p = sizes[2], .h = sizes[3]};
  const std::uint64_t slots = std::uint64_t{d.spines} * d.h;
  if (sizes.size() == 5 && sizes[4] > slots + 1)
    throw shape_error(shape, std::to_string(sizes[4]) +
                                 " groups; spines x h global ports per group join at most " +
                                 std::to_string(slots + 1));
  d.g = sizes.size() == 5 ? sizes[4] : static_cast<std::uint32_t>(std::min(slots + 1, kMostNodes));
  if (std::max(d.leaves, d.spines) > kMostNodes / 2 || slots > kMostNodes)
    throw shape_error(shape, "more than 16777216 routers");
  product({d.leaves + d.spines, d.g}, shape);
  d.rails = d.g == 1 ? 0 : static_cast<std::uint32_t>(slots / (d.g - 1));
  check_nodes(nodes, product({d.leaves, d.p, d.g}, shape), "dragonfly+", shape);
  const Scheme scheme = routing == "valiant" ? Scheme::Valiant
                        : routing == "ugal"  ? Scheme::Ugal
                        : routing == "par"   ? Scheme::Progressive
                                             : Scheme::Minimal;
  need_channels(config, routing, DragonflyPlusRouting::needed(d, scheme));
  Network network;
  network.graph = d.graph(config.nic.ports);
  network.routing = std::make_unique<DragonflyPlusRouting>(
      d, config.nic.ports, config.router.virtual_channels, scheme, config.adaptive);
  network.group = d.leaves * d.p;
  network.shape = shape_text({d.leaves, d.spines, d.p, d.h, d.g});
  network.router_name = [d](std::uint32_t router) {
    const std::uint32_t number = router % d.of_group();
    return "(" + std::to_string(router / d.of_group()) + (number < d.leaves ? ",leaf " : ",spine ") +
           std::to_string(number < d.leaves ? number : number - d.leaves) + ")";
  };
  network.drawing = [d](const Graph&, std::uint32_t most) { return draw(d, most); };
  return network;
}

}  // namespace psim::net
