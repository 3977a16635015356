// SPDX-License-Identifier: Apache-2.0
// Steps by dimension order on express meshes, for ViaRouting: in a dimension always towards the destination,
// on an express channel where one begins that does not lead past it. Positions only rise, or only fall, so
// one virtual channel is free of circles.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/topology/graphs/express_mesh_graph.h"

namespace psim::net {

class ExpressStep {
 public:
  static constexpr bool kHopChannels = false;

  explicit ExpressStep(const ExpressMesh& mesh);

  std::uint32_t routers() const { return routers_; }
  std::uint32_t terminals() const { return 1; }
  std::uint32_t channels() const { return 1; }
  std::uint32_t link_ports() const { return static_cast<std::uint32_t>(4 * sizes_.size()); }
  std::uint16_t port(std::uint32_t here, std::uint32_t to, std::uint32_t bits) const;
  std::uint32_t beyond(std::uint32_t here, std::uint16_t port) const;
  std::uint32_t hops(std::uint32_t here, std::uint32_t to) const;
  template <class Sink>
  void onward(std::uint32_t, std::uint16_t in_port, Sink&& sink) const {
    const std::uint32_t links = link_ports();
    std::uint32_t first = 0;
    if (in_port < links) {  // straight on, plain or express, or to a later dimension
      const std::uint32_t d = in_port / 4, other = (in_port % 2) ^ 1;
      sink(static_cast<std::uint16_t>(4 * d + other));
      sink(static_cast<std::uint16_t>(4 * d + 2 + other));
      first = 4 * d + 4;
    }
    for (std::uint32_t port = first; port < links; ++port) sink(static_cast<std::uint16_t>(port));
  }

 private:
  std::uint32_t coordinate(std::uint32_t router, std::size_t d) const {
    return coordinates_[router * sizes_.size() + d];
  }

  std::vector<std::uint32_t> sizes_, strides_, coordinates_;
  std::uint32_t routers_, interval_;
};

}  // namespace psim::net
