// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/kinds.h"

#include "netsim/routing/table_step.h"
#include "netsim/routing/via_routing.h"
#include "netsim/topology/graphs/shape.h"
#include "netsim/topology/graphs/slim_fly_graph.h"

namespace psim::net {
namespace {

/// Returns whether a graph of this q exists: q = 4 w + δ is a prime power, δ = -1, 0 or 1.
bool slim_fly_exists(std::uint32_t q) {
  return q >= 3 && q <= SlimFly::kMostQ && q % 4 != 2 && FiniteField::characteristic(q) != 0;
}

/// Returns the nodes at each router for which the network keeps up with uniform traffic (section 3.3 there).
std::uint32_t balanced_terminals(std::uint32_t q) { return (SlimFly::degree(q) + 1) / 2; }

std::string near_q(std::uint32_t q) {
  std::string text;
  for (std::uint32_t below = std::min(q, SlimFly::kMostQ + 1); below-- > 3;)
    if (slim_fly_exists(below)) {
      text = std::to_string(below);
      break;
    }
  for (std::uint32_t above = std::max(q, 2u) + 1; above <= SlimFly::kMostQ; ++above)
    if (slim_fly_exists(above)) return text + (text.empty() ? "" : " or ") + std::to_string(above);
  return text;
}

}  // namespace

Network make_slim_fly(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing) {
  const std::string& shape = config.topology.shape;
  if (shape.empty() && nodes == 0) throw shape_error(shape, "expected q or a number of nodes");
  SlimFly fly;
  if (shape.empty()) {
    fly.q = 3;
    while (fly.q <= SlimFly::kMostQ &&
           (!slim_fly_exists(fly.q) || fly.routers() * balanced_terminals(fly.q) < nodes))
      ++fly.q;
    fly.terminals = balanced_terminals(fly.q);
  } else {
    const std::size_t colon = shape.find(':');
    fly.q = parse_sizes(shape.substr(0, colon), 1, 1, "5:4")[0];
    if (slim_fly_exists(fly.q)) fly.terminals = balanced_terminals(fly.q);
    if (colon != std::string::npos) fly.terminals = parse_sizes(shape.substr(colon + 1), 1, 1, "4")[0];
  }
  if (!slim_fly_exists(fly.q))
    throw shape_error(shape, "q = " + std::to_string(fly.q) +
                                 "; expected a prime power 4 w - 1, 4 w or 4 w + 1 "
                                 "from 3 to " +
                                 std::to_string(SlimFly::kMostQ) + ", such as " + near_q(fly.q));
  check_nodes(nodes, product({fly.routers(), fly.terminals}, shape), "Slim Fly", shape);
  Network network;
  network.graph = fly.graph(config.nic.ports);
  TableStep step(network.graph, SlimFly::degree(fly.q), fly.terminals);
  const ViaScheme scheme = via_scheme(routing);
  need_channels(config, routing, ViaRouting<TableStep>::needed(step, scheme));
  network.routing = std::make_unique<ViaRouting<TableStep>>(std::move(step), config.nic.ports,
                                                            config.router.virtual_channels, scheme,
                                                            config.adaptive, config.router.vc_choice);
  network.shape = std::to_string(fly.q) + ":" + std::to_string(fly.terminals);
  network.router_name = [fly](std::uint32_t router) { return fly.name(router); };
  network.drawing = [fly](const Graph&, std::uint32_t most) { return draw(fly, most); };
  return network;
}

}  // namespace psim::net
