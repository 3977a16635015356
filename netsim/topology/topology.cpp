// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/topology.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "base/error.h"
#include "netsim/routing/deadlock_check.h"
#include "netsim/topology/torus.h"

namespace psim::net {
namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

[[noreturn]] void unknown(const std::string& key, const std::string& value, const std::string& what,
                          const std::vector<std::string>& names) {
  std::string text = key + " = \"" + value + "\": unknown " + what;
  const std::string near = nearest(value, names);
  if (!near.empty()) text += "; did you mean " + near + "?";
  text += " (one of ";
  for (const std::string& name : names) text += (&name == names.data() ? "" : ", ") + name;
  throw UserError(text + ")");
}

}  // namespace

const std::vector<TopologyKind>& topology_kinds() {
  static const std::vector<TopologyKind> kKinds{
      {"torus", "sizes of 1 to 6 dimensions", "16x8x8", "dimension-order",
       "Each router has a node and two neighbours a dimension; every dimension is a ring.", make_torus},
      {"mesh", "sizes of 1 to 6 dimensions", "16x8x8", "dimension-order",
       "As a torus, without the cables from the last router of a dimension back to the first.", make_mesh},
  };
  return kKinds;
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
    Network network = kind.make(config, nodes, routing);
    check_deadlock(network.graph, *network.routing, config.router.virtual_channels, network.place_name);
    return network;
  }
  unknown("topology.kind", config.topology.kind, "topology", names);
}

}  // namespace psim::net
