// SPDX-License-Identifier: Apache-2.0
// nic.port_choice = near: the pairs of a node's and its destination's port between which the time on links is
// shortest in the empty network. They are the same for all nodes of a router, found once for each two
// routers.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "netsim/analytic/analytic_network.h"

namespace psim::net {

class NearPorts {
 public:
  struct Pair {
    std::uint32_t from = 0, to = 0;
  };

  /// `graph` and `routing` must outlive it.
  NearPorts(NetworkConfig config, const Graph& graph, const Routing& routing)
      : graph_(graph), times_((config.analytic = {}, config), graph, routing) {}

  /// Returns the nearest pairs, at most one for each port of `from`.
  const std::vector<Pair>& between(std::uint32_t from, std::uint32_t to) {
    const auto [found, fresh] =
        known_.try_emplace(std::uint64_t{graph_.node_router[from]} << 32 | graph_.node_router[to]);
    std::vector<Pair>& nearest = found->second;
    if (!fresh) return nearest;
    from = first_beside(from);
    to = first_beside(to);
    std::uint64_t least = ~std::uint64_t{0};
    for (std::uint32_t port = 0; port < graph_.node_ports; ++port) {
      Pair best;
      std::uint64_t time = ~std::uint64_t{0};
      for (std::uint32_t i = 0; i < graph_.node_ports; ++i) {  // that of the same number first
        const std::uint32_t other = (port + i) % graph_.node_ports;
        if (const std::uint64_t each = times_.hops(from, to, port, other); each < time) {
          time = each;
          best = {port, other};
        }
      }
      if (time > least) continue;
      if (time < least) nearest.clear();
      least = time;
      nearest.push_back(best);
    }
    return nearest;
  }

 private:
  /// Returns the first node of a node's router, so that routes do not depend on the node that came first.
  std::uint32_t first_beside(std::uint32_t node) const {
    while (node != 0 && graph_.node_router[node - 1] == graph_.node_router[node]) --node;
    return node;
  }

  const Graph& graph_;
  AnalyticNetwork times_;
  std::unordered_map<std::uint64_t, std::vector<Pair>> known_;  ///< by two routers; never iterated
};

}  // namespace psim::net
