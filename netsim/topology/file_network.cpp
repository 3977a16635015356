// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <sstream>

#include "base/error.h"
#include "base/read_file.h"
#include "netsim/routing/graph_routes.h"
#include "netsim/routing/table_routing.h"
#include "netsim/routing/up_down_graph.h"
#include "netsim/topology/graph_file.h"
#include "netsim/topology/graphs/graph_builder.h"
#include "netsim/topology/graphs/shape.h"

namespace psim::net {
namespace {

Graph graph_of(const GraphFile& file, std::uint32_t node_ports) {
  std::vector<std::uint32_t> links(file.routers.size()), nodes;
  for (const GraphFile::Router& router : file.routers) nodes.push_back(router.nodes);
  for (const GraphFile::Cable& cable : file.cables) ++links[cable.a], ++links[cable.b];
  GraphBuilder builder(links, nodes, node_ports);
  std::map<std::string, std::uint8_t> kinds;
  std::fill(links.begin(), links.end(), 0);
  for (const GraphFile::Cable& cable : file.cables) {
    if (!kinds.contains(cable.kind)) {
      if (kinds.size() == 256) throw UserError(file.name + ": more than 256 kinds of cables");
      kinds[cable.kind] = builder.kind(cable.kind);
    }
    const std::uint8_t kind = kinds[cable.kind];
    builder.join(cable.a, links[cable.a]++, kind, cable.b, links[cable.b]++, kind,
                 cable.kind == "global" ? CableClass::Global : CableClass::Usual);
  }
  return builder.take();
}

void check_connected(const GraphFile& file, const Graph& graph) {
  const std::vector<std::uint32_t> distance = distances(graph, 0);
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    if (distance[router] == kNoRoute)
      throw UserError(file.name + ": no cables lead from " + file.routers[0].name + " to " +
                      file.routers[router].name);
}

/// Reads the "destination:next" pairs of the routers into a table.
class Routes {
 public:
  Routes(const GraphFile& file, const Graph& graph) : file_(file), graph_(graph) {
    for (const GraphFile::Router& vertex : file.routers)
      numbers_.emplace(vertex.name, static_cast<std::uint32_t>(numbers_.size()));
  }

  PortTable table() {
    const std::uint32_t routers = graph_.routers();
    PortTable table;
    table.next.assign(std::size_t{routers} * routers, kUnset);
    for (std::uint32_t router = 0; router < routers; ++router) read(table, router);
    for (std::uint32_t to = 0; to < routers; ++to)
      for (std::uint32_t from = 0; from < routers; ++from) check(table, from, to);
    return table;
  }

 private:
  static constexpr std::uint16_t kUnset = 0xffff;

  void read(PortTable& table, std::uint32_t router) {
    const GraphFile::Router& vertex = file_.routers[router];
    const std::size_t row = std::size_t{router} * graph_.routers();
    std::istringstream words(vertex.routes);
    for (std::string word; words >> word;) {
      const std::size_t colon = word.find(':');
      if (colon == std::string::npos) throw error(vertex, "expected destination:next, found '" + word + "'");
      const std::uint32_t next = number(vertex, word.substr(colon + 1));
      const bool all = word.substr(0, colon) == "*";
      const std::uint32_t first = all ? 0 : number(vertex, word.substr(0, colon));
      for (std::uint32_t to = first; to < (all ? graph_.routers() : first + 1); ++to)
        if (!all || table.next[row + to] == kUnset) table.next[row + to] = port(vertex, router, next, to);
    }
  }

  std::uint16_t port(const GraphFile::Router& vertex, std::uint32_t router, std::uint32_t next,
                     std::uint32_t to) {
    BestPort best(router, to);
    bool found = false;
    for (std::uint32_t port = 0; port < graph_.ports(router); ++port)
      if (graph_.channel(router, port).to_router == next) best.offer(port, 0), found = true;
    if (!found) throw error(vertex, "no cable leads from " + vertex.name + " to " + file_.routers[next].name);
    return best.port();
  }

  void check(const PortTable& table, std::uint32_t from, std::uint32_t to) {
    std::uint32_t router = from;
    for (std::uint32_t steps = 0; router != to; ++steps) {
      const GraphFile::Router& vertex = file_.routers[router];
      const std::uint16_t port = table.next[std::size_t{router} * graph_.routers() + to];
      if (port == kUnset) throw error(vertex, vertex.name + " has no route to " + file_.routers[to].name);
      if (steps == graph_.routers())
        throw error(vertex, "routes from " + file_.routers[from].name + " to " + file_.routers[to].name +
                                " loop at " + vertex.name);
      router = graph_.channel(router, port).to_router;
    }
  }

  std::uint32_t number(const GraphFile::Router& vertex, const std::string& name) const {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) throw error(vertex, "no router " + name);
    return found->second;
  }

  UserError error(const GraphFile::Router& vertex, const std::string& what) const {
    const std::string line = vertex.routes_line == 0 ? "" : ":" + std::to_string(vertex.routes_line);
    return UserError(file_.name + line + ": " + what);
  }

  const GraphFile& file_;
  const Graph& graph_;
  std::map<std::string, std::uint32_t> numbers_;
};

}  // namespace

Network make_network(const GraphFile& file, const NetworkConfig& config, std::uint32_t nodes,
                     const std::string& routing) {
  const std::uint32_t channels = config.router.virtual_channels;
  Network network;
  network.graph = graph_of(file, config.nic.ports);
  if (network.graph.nodes() == 0) throw UserError(file.name + ": no nodes at any router");
  check_nodes(nodes, network.graph.nodes(), "graph", file.name);
  check_connected(file, network.graph);
  if (routing == "table") {
    network.routing =
        std::make_unique<TableRouting>(network.graph, Routes(file, network.graph).table(), false, channels);
  } else if (routing == "shortest") {
    PortTable table = shortest_routes(network.graph);
    need_channels(config, routing, table.longest);
    network.routing = std::make_unique<TableRouting>(network.graph, std::move(table), true, channels);
  } else {
    network.routing = std::make_unique<UpDownGraph>(network.graph, channels);
  }
  network.shape = file.name;
  network.router_name = [routers = file.routers](std::uint32_t router) {
    return "(" + routers[router].name + ")";
  };
  return network;
}

Network make_file(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing) {
  const std::string& name = config.topology.shape;
  if (name.empty()) throw shape_error(name, "the name of a DOT file is missing");
  const FileBytes file = read_file(name);
  if (!file.problem.empty()) throw shape_error(name, "cannot be read: " + file.problem);
  return make_network(read_graph(file.bytes, name), config, nodes, routing);
}

}  // namespace psim::net
