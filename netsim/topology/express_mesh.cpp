// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/kinds.h"

#include <algorithm>

#include "netsim/routing/express_step.h"
#include "netsim/routing/via_routing.h"
#include "netsim/topology/graphs/express_mesh_graph.h"
#include "netsim/topology/graphs/shape.h"

namespace psim::net {

Network make_express_mesh(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing) {
  constexpr const char* kExample = "16x16:4";
  const std::string& shape = config.topology.shape;
  const std::size_t colon = shape.find(':');
  if (colon == std::string::npos)
    throw shape_error(shape, "expected sizes, a colon and the interval, as in \"16x16:4\"");
  ExpressMesh mesh{.sizes = parse_sizes(shape.substr(0, colon), 1, ExpressMesh::kMostDimensions, kExample),
                   .interval = parse_sizes(shape.substr(colon + 1), 1, 1, "4")[0]};
  const std::uint32_t longest = *std::max_element(mesh.sizes.begin(), mesh.sizes.end());
  if (mesh.interval < 2 || mesh.interval >= longest)
    throw shape_error(shape, "interval " + std::to_string(mesh.interval) +
                                 "; expected 2 or more, and less than the longest dimension");
  check_nodes(nodes, product(mesh.sizes, shape), "express mesh", shape);
  Network network;
  ExpressStep step(mesh);
  const ViaScheme scheme = via_scheme(routing);
  need_channels(config, routing, ViaRouting<ExpressStep>::needed(step, scheme));
  network.graph = mesh.graph(config.nic.ports);
  network.routing = std::make_unique<ViaRouting<ExpressStep>>(std::move(step), config.nic.ports,
                                                              config.router.virtual_channels, scheme,
                                                              config.adaptive, config.router.vc_choice);
  network.shape = shape_text(mesh.sizes) + ":" + std::to_string(mesh.interval);
  network.router_name = [mesh](std::uint32_t router) { return mesh.name(router); };
  network.drawing = [mesh](const Graph&, std::uint32_t most) { return draw(mesh, most); };
  return network;
}

}  // namespace psim::net
