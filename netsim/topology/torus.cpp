// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/kinds.h"

#include "netsim/routing/adaptive_lattice.h"
#include "netsim/routing/bubble_torus.h"
#include "netsim/routing/dimension_order.h"
#include "netsim/routing/free_dimension_order.h"
#include "netsim/routing/valiant_lattice.h"
#include "netsim/topology/graphs/lattice.h"
#include "netsim/topology/graphs/shape.h"

namespace psim::net {
namespace {

/// Returns the sizes of topology.cabinet, one for each size of topology.shape.
std::vector<std::uint32_t> cabinet_of(const NetworkConfig& config, std::size_t dimensions) {
  if (config.topology.cabinet.empty()) return {};
  try {
    return parse_sizes(config.topology.cabinet, dimensions, dimensions, "8x8x4");
  } catch (const UserError& error) {
    std::string text = error.what();
    const std::string key = "topology.shape";
    if (text.starts_with(key)) text.replace(0, key.size(), "topology.cabinet");
    throw UserError(text);
  }
}

Network network_of(const Lattice& lattice, const NetworkConfig& config, const std::string& routing,
                   std::size_t dimensions, bool units = false) {
  Network network;
  network.graph = lattice.graph(config.nic.ports, cabinet_of(config, dimensions));
  network.router_name = [lattice](std::uint32_t router) { return lattice.name(router); };
  network.drawing = [lattice, units](const Graph&, std::uint32_t most) { return draw(lattice, units, most); };
  const std::uint32_t ports = config.nic.ports, channels = config.router.virtual_channels;
  if (routing == "adaptive") {
    need_channels(config, routing, AdaptiveLattice::needed(lattice));
    network.routing = std::make_unique<AdaptiveLattice>(lattice, ports, channels);
  } else if (routing == "valiant") {
    need_channels(config, routing, ValiantLattice::needed(lattice));
    network.routing = std::make_unique<ValiantLattice>(lattice, ports, channels);
  } else if (routing == "bubble") {
    const std::uint64_t packet =
        std::max<std::uint64_t>(1, config.nic.payload.count + config.nic.header.count);
    if (config.router.buffer.count < 2 * packet)
      throw UserError("router.buffer = " + std::to_string(config.router.buffer.count) +
                      " B: too small for routing bubble; expected room for two packets of " +
                      std::to_string(packet) + " B");
    network.routing = std::make_unique<BubbleTorus>(lattice, ports, channels);
  } else if (const bool free = config.router.vc_choice == VcChoice::Free; free || routing == "random-ties") {
    network.routing =
        std::make_unique<FreeDimensionOrder>(lattice, ports, channels, free, routing == "random-ties");
  } else {
    network.routing = std::make_unique<DimensionOrder>(lattice, ports, channels);
  }
  return network;
}

Network make(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing, bool wraps) {
  constexpr std::string_view kNames = "XYZABC";
  const std::string& shape = config.topology.shape;
  if (shape.empty() && nodes == 0) throw shape_error(shape, "expected sizes or a number of nodes");
  const auto sizes =
      shape.empty() ? near_cubic(nodes) : parse_sizes(shape, 1, Lattice::kMostDimensions, "16x8x8");
  check_nodes(nodes, product(sizes, shape), wraps ? "torus" : "mesh", shape);
  std::vector<LatticeDimension> dimensions;
  for (const std::uint32_t size : sizes) dimensions.push_back({size, wraps, kNames[dimensions.size()]});
  Network network = network_of(Lattice(dimensions), config, routing, sizes.size());
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

Network make_tofu(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing) {
  constexpr std::uint32_t kUnit = 2 * 3 * 2;
  const std::string& shape = config.topology.shape;
  if (shape.empty() && nodes == 0) throw shape_error(shape, "expected sizes or a number of nodes");
  const std::uint32_t units = nodes / kUnit + (nodes % kUnit != 0 ? 1 : 0);
  const auto sizes = shape.empty() ? near_cubic(units) : parse_sizes(shape, 3, 3, "8x4x4");
  std::vector<LatticeDimension> dimensions{{sizes[0], true, 'X'}, {sizes[1], true, 'Y'},
                                           {sizes[2], true, 'Z'}, {2, false, 'A'},
                                           {3, true, 'B'},        {2, false, 'C'}};
  const Lattice lattice(dimensions);
  check_nodes(nodes, lattice.routers(), "Tofu", shape);
  Network network = network_of(lattice, config, routing, sizes.size(), true);
  network.shape = shape_text(sizes);
  return network;
}

}  // namespace psim::net
