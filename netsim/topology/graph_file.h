// SPDX-License-Identifier: Apache-2.0
// Networks of any form, read from a file in the DOT language of Graphviz (undirected graphs):
//
//     graph cluster {
//       node [nodes=4];                      // from here on: computing nodes at each router; default 1
//       spine [nodes=0];
//       edge [kind="uplink"];                // from here on: the name of channels in figures; "link"
//       leaf1 -- spine [cables=2];           // parallel cables; default 1
//       leaf2 -- spine;
//       leaf1 [routes="leaf2:spine *:spine"] // for topology.routing = "table": destination:next router
//     }
//
// Every vertex is a router, every edge a cable with a channel each way. Routers, and with them nodes, are
// numbered in the order in which the file first names them. Attributes for drawing are ignored.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "netsim/topology/topology.h"

namespace psim::net {

struct GraphFile {
  static constexpr std::uint32_t kMostRouters = 8192;  ///< tables have an entry for each pair
  static constexpr std::uint32_t kMostCables = 1u << 20;

  struct Router {
    std::string name;
    std::uint32_t nodes = 1;
    std::string routes;
    std::uint32_t routes_line = 0;
  };
  struct Cable {
    std::uint32_t a = 0, b = 0;
    std::string kind;
  };
  std::string name;  ///< of the file, for messages
  std::vector<Router> routers;
  std::vector<Cable> cables;
};

/// Reads a graph. Throws UserError "net.dot:3: …".
GraphFile read_graph(std::string_view text, const std::string& name);

/// Makes a network of the graph. Throws as make_topology() does; errors of the file begin with its name.
Network make_network(const GraphFile& file, const NetworkConfig& config, std::uint32_t nodes,
                     const std::string& routing);
/// Makes a network of the file named by topology.shape.
Network make_file(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);

}  // namespace psim::net
