// SPDX-License-Identifier: Apache-2.0
// Steps on shortest routes of a graph whose routers have equal numbers of ports and nodes, by a table of the
// next port for each pair of routers: for ViaRouting. Of several equally short routes, each router takes one
// by a hash of the destination.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/topology/graphs/graph.h"

namespace psim::net {

class TableStep {
 public:
  static constexpr bool kHopChannels = true;

  TableStep(const Graph& graph, std::uint32_t link_ports, std::uint32_t terminals);

  std::uint32_t routers() const { return routers_; }
  std::uint32_t terminals() const { return terminals_; }
  std::uint32_t channels() const { return longest_; }  ///< the diameter, at least 1
  std::uint32_t link_ports() const { return link_ports_; }
  std::uint16_t port(std::uint32_t here, std::uint32_t to, std::uint32_t) const {
    return next_[std::size_t{here} * routers_ + to];
  }
  std::uint32_t beyond(std::uint32_t here, std::uint16_t port) const {
    return beyond_[std::size_t{here} * link_ports_ + port];
  }
  std::uint32_t hops(std::uint32_t here, std::uint32_t to) const {
    std::uint32_t count = 0;
    for (; here != to; ++count) here = beyond(here, port(here, to, 0));
    return count;
  }
  template <class Sink>
  void onward(std::uint32_t, std::uint16_t, Sink&& sink) const {
    for (std::uint32_t port = 0; port < link_ports_; ++port) sink(static_cast<std::uint16_t>(port));
  }

 private:
  std::uint32_t routers_, link_ports_, terminals_, longest_ = 1;
  std::vector<std::uint16_t> next_;
  std::vector<std::uint32_t> beyond_;
};

}  // namespace psim::net
