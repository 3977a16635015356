// SPDX-License-Identifier: Apache-2.0
// Steps and adaptive routes on HyperX and hypercubes.
//
// Dimension order: one dimension after the other; one virtual channel is free of circles.
// Adaptive (Duato, 1996): in any dimension in which the destination differs, on adaptive virtual channels; a
// packet that finds no room takes virtual channel 0 by dimension order, which it may leave again.
// DAL (Ahn et al., SC 2009): as adaptive, but in each dimension a packet may be derouted once, to a router
// that does not agree with the destination in it. Of all channels with room it takes the one with the least
// product of remaining hops and backlog, its own bytes included. A packet that comes by a dimension in which
// it still differs was derouted there, which Packet::via records.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "netsim/routing/routing.h"
#include "netsim/routing/virtual_channels.h"
#include "netsim/topology/graphs/hyperx_graph.h"

namespace psim::net {

/// The coordinates of a HyperX's routers, and its ports.
class HyperXStep {
 public:
  static constexpr bool kHopChannels = false;
  struct Axis {
    std::uint32_t shift = 0, mask = 0;  ///< of the coordinate in packed coordinates
    std::uint32_t size = 0, rails = 0;
    std::uint32_t first = 0, stride = 0;  ///< first port; difference of the numbers of neighbours
  };

  explicit HyperXStep(const HyperX& hyperx);

  std::uint32_t routers() const { return static_cast<std::uint32_t>(packed_.size()); }
  std::uint32_t terminals() const { return terminals_; }
  std::uint32_t channels() const { return 1; }
  std::uint32_t link_ports() const { return link_ports_; }
  std::uint16_t port(std::uint32_t here, std::uint32_t to, std::uint32_t bits) const {
    const std::uint32_t at = packed_[here], target = packed_[to];
    const Axis& axis = axes_[axis_of_bit_[static_cast<unsigned>(__builtin_ctz(at ^ target))]];
    return port_of(axis, at >> axis.shift & axis.mask, target >> axis.shift & axis.mask,
                   axis.rails == 1 ? 0 : scaled(bits, axis.rails));
  }
  std::uint32_t beyond(std::uint32_t here, std::uint16_t port) const;
  std::uint32_t hops(std::uint32_t here, std::uint32_t to) const;
  template <class Sink>
  void onward(std::uint32_t, std::uint16_t in_port, Sink&& sink) const {
    const std::uint32_t from = in_port >= link_ports_ ? 0 : end_of_axis(in_port);
    for (std::uint32_t port = from; port < link_ports_; ++port) sink(static_cast<std::uint16_t>(port));
  }

  const std::vector<Axis>& axes() const { return axes_; }
  std::uint32_t packed(std::uint32_t router) const { return packed_[router]; }
  const Axis& axis_of_port(std::uint16_t port) const { return axes_[axis_of_port_[port]]; }
  std::uint32_t axis_number(std::uint16_t port) const { return axis_of_port_[port]; }
  static std::uint16_t port_of(const Axis& axis, std::uint32_t from, std::uint32_t to, std::uint32_t rail) {
    return static_cast<std::uint16_t>(axis.first + rail * (axis.size - 1) + (to < from ? to : to - 1));
  }

 private:
  std::uint32_t end_of_axis(std::uint16_t port) const {
    const Axis& axis = axis_of_port(port);
    return axis.first + (axis.size - 1) * axis.rails;
  }

  std::vector<Axis> axes_;  ///< of sizes ≥ 2
  std::array<std::uint8_t, 32> axis_of_bit_{};
  std::vector<std::uint8_t> axis_of_port_;
  std::vector<std::uint32_t> packed_;
  std::uint32_t terminals_, link_ports_ = 0;
};

class HyperXAdaptive final : public Routing {
 public:
  static constexpr std::uint32_t kNeeded = 2;
  /// `virtual_channels` ≥ kNeeded.
  HyperXAdaptive(const HyperX& hyperx, std::uint32_t node_ports, std::uint32_t virtual_channels,
                 bool deroutes);

  bool adaptive() const override { return true; }
  bool in_order() const override { return false; }
  std::uint32_t virtual_channels() const override { return kNeeded; }
  std::uint32_t address(NodeId node) const override {
    return index(node) / step_.terminals() << terminal_bits_ | index(node) % step_.terminals();
  }
  void inject(Packet& packet, RouterId, std::uint16_t, const LocalLoad&, std::uint64_t random) const override;
  Route route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
              const LocalLoad& load) const override;
  void dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                    const std::function<void(Route route, bool escape)>& sink) const override;

 private:
  HyperXStep step_;
  std::uint32_t node_ports_, vcs_, terminal_bits_;
  bool deroutes_;
};

}  // namespace psim::net
