// SPDX-License-Identifier: Apache-2.0
// For tests of routings: walks packets through a network as an empty fabric would.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "netsim/topology/topology.h"

namespace psim::net::testing {

/// A router whose every virtual channel is as `room` and `queue` say.
struct ChosenLoad : LocalLoad {
  std::map<std::uint16_t, std::uint64_t> queue;           ///< backlog of ports; 0 where none is given
  std::set<std::pair<std::uint16_t, std::uint8_t>> full;  ///< virtual channels without credits
  std::uint64_t credits(std::uint16_t port, std::uint8_t vc) const override {
    return full.contains({port, vc}) ? 0 : 1u << 20;
  }
  std::uint64_t backlog(std::uint16_t port) const override {
    const auto found = queue.find(port);
    return found == queue.end() ? 0 : found->second;
  }
};

/// A configuration with these three and `virtual_channels`, the rest as usual.
NetworkConfig config(const std::string& kind, const std::string& shape, const std::string& routing = "",
                     std::uint32_t virtual_channels = 2);

struct Walk {
  std::uint32_t hops = 0;
  std::string problem;              ///< empty if the packet arrived, by allowed routes only
  std::vector<std::uint8_t> kinds;  ///< of the channels taken
};
/// From node to node. Every route taken must be one of dependencies().
Walk walk(const Network& network, std::uint32_t from, std::uint32_t to, std::uint32_t message = 0,
          const LocalLoad& load = ChosenLoad{});

/// Walks between all pairs of nodes, `messages` packets each. Returns the first problem, or empty:
/// not arriving, a route that dependencies() lacks, `minimal` and longer than the shortest way.
std::string walk_all(const Network& network, bool minimal, std::uint32_t messages = 1);

/// The first port whose reverse does not lead back, a node's port that leads on, a wrong count; or empty.
std::string check_graph(const Graph& graph);

}  // namespace psim::net::testing
