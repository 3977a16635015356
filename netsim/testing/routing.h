// SPDX-License-Identifier: Apache-2.0
// Test helpers for routings: walk packets through a network like an empty fabric.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "netsim/topology/topology.h"

namespace psim::net::testing {

/// The load of a router as given by `queue` and `full`.
struct ChosenLoad : LocalLoad {
  std::map<std::uint16_t, std::uint64_t> queue;           ///< backlog of ports; default 0
  std::set<std::pair<std::uint16_t, std::uint8_t>> full;  ///< virtual channels without credits
  std::uint64_t credits(std::uint16_t port, std::uint8_t vc) const override {
    return full.contains({port, vc}) ? 0 : 1u << 20;
  }
  std::uint64_t backlog(std::uint16_t port) const override {
    const auto found = queue.find(port);
    return found == queue.end() ? 0 : found->second;
  }
};

/// Returns a configuration with these three and `virtual_channels`, and defaults.
NetworkConfig config(const std::string& kind, const std::string& shape, const std::string& routing = "",
                     std::uint32_t virtual_channels = 2);

struct Walk {
  std::uint32_t hops = 0;
  std::string problem;              ///< empty if the packet arrived, by allowed routes only
  std::vector<std::uint8_t> kinds;  ///< of the channels taken
};
/// Walks a packet from node to node. Every step must be one of dependencies().
Walk walk(const Network& network, std::uint32_t from, std::uint32_t to, std::uint32_t message = 0,
          const LocalLoad& load = ChosenLoad{});

/// Walks between all pairs of nodes, `messages` packets each. Returns the first problem, or empty: a packet
/// that does not arrive, a step that dependencies() lacks, or with `minimal` a route longer than the
/// shortest.
std::string walk_all(const Network& network, bool minimal, std::uint32_t messages = 1);

/// Returns the first error of a graph, or empty: a port whose reverse does not lead back, a node's port that
/// leads to a router, or a wrong count.
std::string check_graph(const Graph& graph);

}  // namespace psim::net::testing
