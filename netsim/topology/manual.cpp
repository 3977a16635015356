// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/manual.h"

#include <map>
#include <sstream>

#include "netsim/topology/graph_file.h"
#include "netsim/topology/topology.h"

namespace psim::net {
namespace {

constexpr std::string_view kGraph = R"(graph cluster {
  node [nodes=4];            // from here on: computing nodes at each router; default 1
  spine [nodes=0];
  edge [kind="uplink"];      // from here on: name of the channels in figures; default "link"; "global": as link.global
  leaf1 -- spine [cables=2]; // parallel cables; default 1
  leaf2 -- spine;
  spine [routes="leaf1:leaf1 leaf2:leaf2"];  // for routing "table": destination:next, * for all others
  leaf1 [routes="*:spine"];
  leaf2 [routes="*:spine"];
}
)";

const std::map<std::string, std::string>& routing_texts() {
  static const std::map<std::string, std::string> kTexts{
      {"dimension-order",
       "one dimension after the other, in the shorter direction; datelines on rings; in order"},
      {"random-ties", "as dimension-order, but each packet draws its direction where both are equally short"},
      {"adaptive",
       "of the shortest routes the one with most credits, or an escape channel by dimension order"},
      {"fat-tree adaptive", "upwards to the parent with the least backlog"},
      {"valiant", "through a random third router, which evens out any pattern"},
      {"dragonfly valiant", "through a random third group, which evens out any pattern"},
      {"full valiant", "through a random third drawer, which evens out any pattern"},
      {"dragonfly+ valiant", "through a random third group, which evens out any pattern"},
      {"bubble", "as dimension-order, but a packet enters a ring only if two packets have room; in order"},
      {"direct", "through the switch; in order"},
      {"d-mod-k", "upwards by digits of the destination; in order"},
      {"random", "upwards at random, for each packet"},
      {"minimal", "over one global cable at most; in order"},
      {"slim-fly minimal", "the shortest route; in order"},
      {"hyperx dimension-order", "one dimension after the other; in order"},
      {"hyperx valiant", "through a random third router, which evens out any pattern"},
      {"hyperx dal",
       "dimensionally adaptive: in each dimension at most one detour; of all channels with room the one with "
       "the least hops x backlog"},
      {"e-cube", "one bit after the other, the lowest first; in order"},
      {"express-mesh dimension-order",
       "one dimension after the other, on express channels where they lead on; in order"},
      {"ugal-g", "as ugal, by the queues of all channels of each route, which no router can know"},
      {"par", "as ugal, and once more at the next router of the source's group"},
      {"ugal", "at the source, minimal or Valiant, by steps and local queues"},
      {"up-down", "the shortest route that goes first up, then down in a tree of levels; in order"},
      {"shortest", "the shortest route, each step on the next virtual channel; in order"},
      {"table", "by the routes of the file; in order"}};
  return kTexts;
}

const std::string& text_of(const std::string& kind, const std::string& routing) {
  const auto own = routing_texts().find(kind + " " + routing);
  return own != routing_texts().end() ? own->second : routing_texts().at(routing);
}

Network example_of(const TopologyKind& kind, const std::string& routing) {
  NetworkConfig config;
  config.topology = {kind.name, kind.example, routing};
  config.router.virtual_channels = 4;
  if (kind.name == "file") return make_network(read_graph(kGraph, kind.example), config, 0, routing);
  return make_topology(config, 0);
}

}  // namespace

std::string topologies_manual() {
  std::ostringstream out;
  for (const TopologyKind& kind : topology_kinds()) {
    std::istringstream routings(kind.routings);
    std::ostringstream rows;
    for (std::string routing; routings >> routing;) {
      const Network network = example_of(kind, routing);
      if (rows.str().empty())
        out << "## " << kind.name << "\n"
            << kind.text << "\n\n`topology.shape`: " << kind.shape << ". `\"" << kind.example << "\"` has "
            << network.graph.nodes() << " nodes and " << network.graph.routers()
            << (network.graph.routers() == 1 ? " router" : " routers")
            << ".\n\n| `topology.routing` | virtual channels there | route |\n|---|---|---|\n";
      rows << "| " << routing << " | " << network.routing->virtual_channels() << " | "
           << text_of(kind.name, routing) << " |\n";
    }
    out << rows.str() << "\n";
    if (kind.name == "file") out << "```dot\n" << kGraph << "```\n";
  }
  return out.str();
}

}  // namespace psim::net
