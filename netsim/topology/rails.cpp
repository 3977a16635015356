// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/rails.h"

#include <map>
#include <utility>

#include "base/error.h"
#include "netsim/routing/rail_routing.h"

namespace psim::net {
namespace {

/// Returns a plain network's picture for its planes, which lie on each other.
Drawing of_planes(Drawing drawing, std::size_t kinds, std::uint32_t planes) {
  if (drawing.stubs.empty()) return drawing;
  drawing.stubs.resize(kinds);
  const auto one = drawing.stubs;
  for (std::uint32_t plane = 1; plane < planes; ++plane)
    drawing.stubs.insert(drawing.stubs.end(), one.begin(), one.end());
  return drawing;
}

/// Returns a plain network's picture with routers in the middle of their switches. Routers whose first
/// switches are one point of it are one point.
Drawing of_spread(Drawing plain, const RailGraph& rails) {
  std::vector<Drawing::Point> points;
  std::vector<std::uint32_t> point_of(rails.routers());
  std::map<std::uint32_t, std::uint32_t> known;
  for (std::uint32_t router = 0; router < rails.routers(); ++router) {
    const std::uint32_t first = rails.first_switch[router], end = rails.first_switch[router + 1];
    const auto [found, fresh] = known.try_emplace(plain.point(rails.switches[first].plain),
                                                  static_cast<std::uint32_t>(points.size()));
    point_of[router] = found->second;
    if (!fresh) continue;
    Drawing::Point& at = points.emplace_back();
    for (std::uint32_t each = first; each < end; ++each) {
      const Drawing::Point& from = plain.points[plain.point(rails.switches[each].plain)];
      at.x += from.x / static_cast<float>(end - first);
      at.y += from.y / static_cast<float>(end - first);
    }
  }
  plain.points = std::move(points);
  if (!plain.detailed()) plain.point_of = std::move(point_of);
  plain.nodes.clear();
  return plain;
}

}  // namespace

NetworkConfig plain_config(const NetworkConfig& config) {
  NetworkConfig plain = config;
  if (config.nic.rails == NicRails::Planes) plain.nic.ports = 1;
  return plain;
}

Network with_rails(Network plain, const NetworkConfig& config) {
  const std::uint32_t ports = config.nic.ports;
  const bool planes = config.nic.rails == NicRails::Planes;
  RailGraph rails = planes ? RailGraph::planes(plain.graph, ports) : RailGraph::spread(plain.graph, ports);
  if (const std::uint32_t ends = rails.switches[0].ends; !planes && ends != 0 && plain.group % ends != 0)
    throw UserError("nic.rails = \"spread\": groups of " +
                    std::to_string(std::uint64_t{plain.group} * ports / ends) +
                    " routers with nodes; expected a multiple of nic.ports = " + std::to_string(ports));
  Network network = std::move(plain);
  const Graph graph = std::exchange(network.graph, rails.graph(network.graph));
  network.routing = std::make_unique<RailRouting>(rails, graph, std::move(network.routing));
  if (planes) {
    if (network.drawing)
      network.drawing = [draw_one = std::move(network.drawing), kinds = graph.kinds.size(), ports](
                            const Graph& all, std::uint32_t most) {
        return of_planes(draw_one(all, most), kinds, ports);
      };
    return network;
  }
  network.router_name = [name = std::move(network.router_name), rails](std::uint32_t router) {
    const std::uint32_t first = rails.switches[rails.first_switch[router]].plain;
    const std::uint32_t last = rails.switches[rails.first_switch[router + 1] - 1].plain;
    return first == last ? name(first) : name(first) + "…" + name(last);
  };
  if (network.drawing)
    network.drawing = [draw_plain = std::move(network.drawing), rails = std::move(rails)](
                          const Graph& all, std::uint32_t most) {
      return of_spread(draw_plain(all, most), rails);
    };
  return network;
}

}  // namespace psim::net
