// SPDX-License-Identifier: Apache-2.0
// libFuzzer: reads any bytes as a graph in DOT, builds and routes it and checks it for deadlock.
#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "netsim/routing/deadlock_check.h"
#include "netsim/testing/routing.h"
#include "netsim/topology/graph_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace psim::net;
  try {
    const GraphFile file = read_graph({reinterpret_cast<const char*>(data), size}, "fuzz.dot");
    std::uint32_t nodes = 0;
    for (const GraphFile::Router& router : file.routers) nodes += router.nodes;
    if (file.routers.size() > 16 || nodes > 64 || file.cables.size() > 256) return 0;
    for (const char* routing : {"up-down", "shortest", "table"}) {
      NetworkConfig config;
      config.router.virtual_channels = 16;
      const Network network = make_network(file, config, 0, routing);
      if (!testing::check_graph(network.graph).empty()) std::abort();
      if (!testing::walk_all(network, false).empty()) std::abort();
      const bool locks = !find_circle(network.graph, *network.routing, 16).empty();
      if (locks && std::string(routing) != "table") std::abort();
    }
  } catch (const psim::UserError&) {
  }
  return 0;
}
