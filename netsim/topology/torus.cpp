// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/torus.h"

#include "netsim/routing/dimension_order.h"
#include "netsim/topology/lattice.h"
#include "netsim/topology/shape.h"

namespace psim::net {
namespace {

Network network_of(const Lattice& lattice, const NetworkConfig& config, const std::string& routing) {
  Network network;
  network.graph = lattice.graph(config.nic.ports);
  network.place_name = [lattice](std::uint32_t place) { return lattice.name(place); };
  network.routing_name = routing;
  network.routing =
      std::make_unique<DimensionOrder>(lattice, config.nic.ports, config.router.virtual_channels);
  return network;
}

Network make(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing, bool wraps) {
  constexpr std::string_view kNames = "XYZABC";
  const std::string& shape = config.topology.shape;
  if (shape.empty() && nodes == 0) throw shape_error(shape, "says no number of nodes");
  const auto sizes =
      shape.empty() ? near_cubic(nodes) : parse_sizes(shape, 1, Lattice::kMostDimensions, "16x8x8");
  check_nodes(nodes, product(sizes, shape), wraps ? "torus" : "mesh", shape);
  std::vector<LatticeDimension> dimensions;
  for (const std::uint32_t size : sizes) dimensions.push_back({size, wraps, kNames[dimensions.size()]});
  Network network = network_of(Lattice(dimensions), config, routing);
  network.shape = shape_text(sizes);
  return network;
}

}  // namespace

Network make_torus(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing) {
  return make(config, nodes, routing, true);
}

Network make_mesh(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing) {
  return make(config, nodes, routing, false);
}

}  // namespace psim::net
