// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/hyperx_routing.h"

#include <bit>

namespace psim::net {

HyperXStep::HyperXStep(const HyperX& hyperx) : terminals_(hyperx.terminals) {
  // At most 24 bits and one for each of 6 dimensions; sizes 2 lose none.
  std::uint32_t shift = 0, stride = 1;
  for (std::size_t d = 0; d < hyperx.sizes.size(); ++d) {
    const std::uint32_t size = hyperx.sizes[d];
    if (size == 1) continue;
    const auto bits = static_cast<std::uint32_t>(std::bit_width(size - 1));
    for (std::uint32_t bit = 0; bit < bits; ++bit)
      axis_of_bit_[shift + bit] = static_cast<std::uint8_t>(axes_.size());
    const std::uint32_t ports = (size - 1) * hyperx.rails[d];
    axis_of_port_.insert(axis_of_port_.end(), ports, static_cast<std::uint8_t>(axes_.size()));
    axes_.push_back({shift, (1u << bits) - 1, size, hyperx.rails[d], link_ports_, stride});
    link_ports_ += ports;
    shift += bits;
    stride *= size;
  }
  packed_.resize(hyperx.routers());
  for (std::uint32_t router = 0; router < packed_.size(); ++router)
    for (const Axis& axis : axes_) packed_[router] |= router / axis.stride % axis.size << axis.shift;
}

std::uint32_t HyperXStep::beyond(std::uint32_t here, std::uint16_t port) const {
  const Axis& axis = axis_of_port(port);
  const std::uint32_t from = packed_[here] >> axis.shift & axis.mask;
  std::uint32_t to = (port - axis.first) % (axis.size - 1);
  if (to >= from) ++to;
  return here + (to - from) * axis.stride;
}

std::uint32_t HyperXStep::hops(std::uint32_t here, std::uint32_t to) const {
  std::uint32_t count = 0;
  const std::uint32_t differ = packed_[here] ^ packed_[to];
  for (const Axis& axis : axes_) count += (differ >> axis.shift & axis.mask) != 0;
  return count;
}

HyperXAdaptive::HyperXAdaptive(const HyperX& hyperx, std::uint32_t node_ports, std::uint32_t virtual_channels,
                               bool deroutes)
    : step_(hyperx),
      node_ports_(node_ports),
      vcs_(virtual_channels),
      terminal_bits_(static_cast<std::uint32_t>(std::bit_width(hyperx.terminals - 1))),
      deroutes_(deroutes) {}

void HyperXAdaptive::inject(Packet& packet, RouterId, std::uint16_t, const LocalLoad&, std::uint64_t) const {
  packet.via = 0;
}

Route HyperXAdaptive::route(RouterId router, std::uint16_t in_port, std::uint8_t, Packet& packet,
                            const LocalLoad& load) const {
  const std::uint32_t target = packet.address >> terminal_bits_, links = step_.link_ports();
  const std::uint32_t here = step_.packed(index(router)), to = step_.packed(target), differ = here ^ to;
  if (differ == 0) {
    const std::uint32_t terminal = packet.address & ((1u << terminal_bits_) - 1);
    return {static_cast<std::uint16_t>(links + terminal * node_ports_ + node_port_of(packet, node_ports_)),
            0};
  }
  if (in_port < links) {
    const HyperXStep::Axis& came = step_.axis_of_port(in_port);
    if ((differ >> came.shift & came.mask) != 0) packet.via |= 1u << step_.axis_number(in_port);
  }
  std::uint32_t hops = 0;
  for (const HyperXStep::Axis& axis : step_.axes()) hops += (differ >> axis.shift & axis.mask) != 0;
  // A packet must not wait for a busy channel while another of equal length is idle.
  constexpr std::uint64_t kNone = ~std::uint64_t{0}, kLater = std::uint64_t{1} << 63;
  std::uint64_t least = kNone;
  Route best{};
  const auto offer = [&](std::uint16_t port, std::uint32_t length) {
    const std::uint64_t own = deroutes_ ? packet.bytes : 0;
    const std::uint64_t later = deroutes_ || load.idle(port) ? 0 : kLater;
    const std::uint64_t cost = (load.backlog(port) + own) * length | later;
    if (cost >= least) return;
    std::uint64_t most = 0;
    std::uint8_t chosen = 0;
    for (std::uint32_t vc = 1; vc < vcs_; ++vc)
      if (const std::uint64_t room = load.credits(port, static_cast<std::uint8_t>(vc)); room > most) {
        most = room;
        chosen = static_cast<std::uint8_t>(vc);
      }
    if (most < packet.bytes) return;
    least = cost;
    best = {port, chosen};
  };
  for (const HyperXStep::Axis& axis : step_.axes()) {
    const std::uint32_t from = here >> axis.shift & axis.mask, aim = to >> axis.shift & axis.mask;
    for (std::uint32_t rail = 0; from != aim && rail < axis.rails; ++rail)
      offer(HyperXStep::port_of(axis, from, aim, rail), hops);
  }
  for (std::uint32_t d = 0; deroutes_ && d < step_.axes().size(); ++d) {
    const HyperXStep::Axis& axis = step_.axes()[d];
    const std::uint32_t from = here >> axis.shift & axis.mask, aim = to >> axis.shift & axis.mask;
    if (from == aim || (packet.via >> d & 1) != 0) continue;
    // From the destination's coordinate on, so that flows to different routers try different ones first.
    std::uint32_t each = aim;
    for (std::uint32_t n = 1; n < axis.size; ++n) {
      each = each + 1 == axis.size ? 0 : each + 1;
      for (std::uint32_t rail = 0; each != from && rail < axis.rails; ++rail)
        offer(HyperXStep::port_of(axis, from, each, rail), hops + 1);
    }
  }
  if (least != kNone) return best;
  return {step_.port(index(router), target, flow_bits(packet)), 0};
}

void HyperXAdaptive::dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                                  const std::function<void(Route, bool)>& sink) const {
  const auto links = static_cast<std::uint16_t>(step_.link_ports());
  // A packet from an adaptive channel may begin dimension order again.
  step_.onward(index(router), in_vc == 0 ? in_port : links, [&](std::uint16_t port) {
    sink({port, 0}, true);
  });
  for (std::uint16_t port = 0; port < links; ++port)
    for (std::uint32_t vc = 1; vc < vcs_; ++vc) sink({port, static_cast<std::uint8_t>(vc)}, false);
}

}  // namespace psim::net
