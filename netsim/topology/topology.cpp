// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/topology.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "netsim/routing/deadlock_check.h"
#include "netsim/topology/graph_file.h"
#include "netsim/topology/kinds.h"
#include "netsim/topology/rails.h"

namespace psim::net {
namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

/// Throws UserError if keys of the choice between routes are set for a routing that has none.
void check_choice(const AdaptiveConfig& adaptive, const std::string& routing) {
  if (routing.starts_with("ugal") || routing == "par") return;
  const AdaptiveConfig usual;
  if (adaptive.bias == usual.bias && adaptive.candidates == usual.candidates) return;
  throw UserError(std::string(adaptive.bias == usual.bias ? "routing.candidates" : "routing.bias") +
                  ": routing " + routing +
                  " does not choose between minimal and other routes; expected ugal, ugal-g or par");
}

/// Returns the nodes of the first router that has any.
std::uint32_t nodes_of_a_router(const Graph& graph) {
  std::uint32_t count = 0;
  while (count < graph.nodes() && graph.node_router[count] == graph.node_router[0]) ++count;
  return count;
}

[[noreturn]] void unknown(const std::string& key, const std::string& value, const std::string& what,
                          const std::vector<std::string>& names) {
  std::string text = key + " = \"" + value + "\": unknown " + what + did_you_mean(value, names) + " (one of ";
  for (const std::string& name : names) text += (&name == names.data() ? "" : ", ") + name;
  throw UserError(text + ")");
}

}  // namespace

const std::vector<TopologyKind>& topology_kinds() {
  static const std::vector<TopologyKind> kKinds{
      {"torus", "sizes of 1 to 6 dimensions", "16x8x8", "dimension-order random-ties adaptive valiant bubble",
       "Each router has a node and two neighbours per dimension; every dimension is a ring.", make_torus},
      {"mesh", "sizes of 1 to 6 dimensions", "16x8x8", "dimension-order adaptive valiant",
       "As a torus, without the cables from the last router of a dimension back to the first.", make_mesh},
      {"tofu", "sizes of X, Y, Z", "4x3x2", "dimension-order random-ties adaptive valiant bubble",
       "Rings X, Y, Z of units of 12 nodes, which are a mesh A of 2, a ring B of 3 and a mesh C of 2. The "
       "machine's four network interfaces per node are nic.ports = 4.",
       make_tofu},
      {"crossbar", "number of nodes", "16", "direct", "One switch connects all nodes.", make_crossbar},
      {"star", "number of nodes", "16", "direct", "Another name for crossbar.", make_crossbar},
      {"fat-tree", "children by level, and after a colon parents by level", "4x4x4:1x4x4",
       "d-mod-k random adaptive",
       "XGFT(h; m1, …; w1, …): m1 nodes under each switch of level 1, m2 of these under each of level 2, …; "
       "a "
       "switch of level i has w(i+1) parents. Without the colon w(i+1) = mi, so \"4x4x4\" is the 4-ary "
       "3-tree; "
       "fewer parents make a tapered tree. w1 is 1.",
       make_fat_tree},
      {"dragonfly", "routers per group, nodes per router, global ports per router, groups", "4x2x2x9",
       "minimal valiant ugal ugal-g par",
       "Groups of a routers, all connected to each other; global cables join every pair of groups equally "
       "often. "
       "Without the last size there are a h + 1 groups. \":consecutive\" after the sizes lays the global "
       "cables by rising group number instead of by palm tree.",
       make_dragonfly},
      {"full", "routers per drawer, drawers, and after a colon cables between two drawers", "8x4:2",
       "minimal valiant ugal ugal-g par",
       "Full connection at two levels, one node per router: all routers of a drawer are connected, and any "
       "two "
       "drawers by several cables (default 2). One size is one drawer.",
       make_full},
      {"dragonfly+", "leaves per group, spines per group, nodes per leaf, global ports per spine, groups",
       "4x4x2x2x9", "minimal valiant ugal par",
       "Also called Megafly. Groups of leaf and spine routers, each leaf joined with each spine of its "
       "group; nodes "
       "are at leaves, and global cables between spines join every pair of groups equally often. Without the "
       "last "
       "size there are spines x ports + 1 groups.",
       make_dragonfly_plus},
      {"hyperx",
       "sizes of 1 to 6 dimensions, after a colon nodes per router, after another one cables by dimension",
       "4x4x3:2", "dimension-order adaptive valiant ugal ugal-g dal",
       "Each router is joined with all others that differ in one coordinate only, by one cable or several. "
       "One "
       "dimension is a full connection; sizes S with S nodes per router are a flattened butterfly.",
       make_hyperx},
      {"hypercube", "dimensions, after a colon nodes per router", "6:1",
       "e-cube adaptive valiant ugal ugal-g", "2^d routers, joined if their numbers differ in one bit.",
       make_hypercube},
      {"slim-fly", "q, after a colon nodes per router", "5:4", "minimal valiant ugal ugal-g",
       "McKay-Miller-Širáň graphs: 2 q² routers of (3 q - δ) / 2 cables, at most two hops apart, for prime "
       "powers "
       "q = 4 w + δ from 3 to 61 with δ = -1, 0 or 1. Without the nodes there is one for every two cables. "
       "Cables between the halves of the graph are link.global.",
       make_slim_fly},
      {"express-mesh", "sizes of 1 to 6 dimensions, after a colon the interval", "9x9:4",
       "dimension-order valiant ugal ugal-g",
       "A mesh in which the routers at multiples of the interval are also joined with the next ones there, "
       "in each "
       "dimension.",
       make_express_mesh},
      {"file", "name of a DOT file", "cluster.dot", "up-down shortest table",
       "Any graph: every vertex a router with nodes, every edge a cable. The file is read from the current "
       "directory.",
       make_file},
  };
  return kKinds;
}

void need_channels(const NetworkConfig& config, const std::string& routing, std::uint32_t needed) {
  if (config.router.virtual_channels >= needed) return;
  throw UserError("router.virtual_channels = " + std::to_string(config.router.virtual_channels) +
                  ": routing " + routing + " on this " + config.topology.kind + " needs " +
                  std::to_string(needed));
}

Network make_topology(const NetworkConfig& config, std::uint32_t nodes) {
  std::vector<std::string> names;
  for (const TopologyKind& kind : topology_kinds()) {
    names.push_back(kind.name);
    if (kind.name != config.topology.kind) continue;
    const std::vector<std::string> routings = words(kind.routings);
    const std::string& routing = config.topology.routing.empty() ? routings[0] : config.topology.routing;
    if (std::find(routings.begin(), routings.end(), routing) == routings.end())
      unknown("topology.routing", routing, "routing of a " + kind.name, routings);
    check_choice(config.adaptive, routing);
    const bool rails = config.nic.rails != NicRails::Shared;
    Network network = kind.make(rails ? plain_config(config) : config, nodes, routing);
    if (config.router.vc_choice == VcChoice::Free && !network.routing->any_set())
      throw UserError("router.vc_choice = \"free\": not with routing " + routing + " of a " + kind.name +
                      "; expected dimension-order or random-ties of a torus or mesh, a routing without "
                      "escape channels of a "
                      "HyperX, hypercube, express mesh or Slim Fly, or router.vc_choice = \"flow\"");
    network.routing_name = routing;
    if (rails) network = with_rails(std::move(network), config);
    if (network.group == 0) network.group = nodes_of_a_router(network.graph);
    if (!network.drawing)
      network.drawing = [](const Graph& graph, std::uint32_t most) { return draw(graph, most); };
    check_deadlock(network.graph, *network.routing, routing, config.router.virtual_channels,
                   network.router_name);
    if (nodes != 0) network.idle = network.graph.nodes() - nodes;
    return network;
  }
  unknown("topology.kind", config.topology.kind, "topology", names);
}

}  // namespace psim::net
