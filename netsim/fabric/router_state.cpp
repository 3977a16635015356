// SPDX-License-Identifier: Apache-2.0
#include "netsim/fabric/router_state.h"

#include <algorithm>
#include <new>

namespace psim::net {

bool RouterStates::one_line(const Graph& graph, std::uint32_t vcs, std::uint32_t speedup) {
  std::uint32_t most = 0;
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    most = std::max(most, graph.ports(router));
  return vcs <= kVcsOfLine && speedup == 1 && most * kVcsOfLine <= 64;
}

RouterStates::RouterStates(const Graph& graph, std::uint32_t vcs, std::uint32_t speedup, std::uint32_t buffer)
    : vcs_(one_line(graph, vcs, speedup) ? kVcsOfLine : vcs),
      speedup_(speedup),
      vc_shift_(static_cast<std::uint32_t>(std::bit_width(vcs_ - 1))) {
  locations_.resize(graph.routers() + 1);
  std::uint32_t line = 0;
  for (std::uint32_t router = 0; router < graph.routers(); ++router) {
    const std::uint32_t ports = graph.ports(router), words = ((ports << vc_shift_) + 63) / 64;
    locations_[router] = {line, static_cast<std::uint16_t>(ports),
                          static_cast<std::uint16_t>(stride(words) / kGrain)};
    const std::size_t bytes = std::size_t{ports} * (stride(words) + sizeof(PortCount));
    line += static_cast<std::uint32_t>((bytes + 63) / 64);
  }
  locations_.back() = {line, 0, 0};
  bytes_.resize(std::size_t{line} * 64);
  for (std::uint32_t router = 0; router < graph.routers(); ++router) {
    const Router<> at = this->router(router);
    for (std::uint32_t port = 0; port < at.ports(); ++port) {
      const Channel& channel = graph.channel(router, port);
      PortHead& head = *new (&at.head(port)) PortHead;
      head.to_router = channel.to_router;
      head.to_port = channel.to_port;
      for (std::uint32_t word = 0; word < at.words(); ++word) at.request(port, word) = 0;
      for (std::uint32_t unit = 0; unit < speedup_; ++unit) new (&at.unit(port, unit)) Unit;
      for (std::uint32_t vc = 0; vc < vcs_; ++vc) new (&at.vcs(port)[vc]) VcState{{}, buffer};
      PortCount& count = *new (&at.count(port)) PortCount;
      count.kind = channel.kind;
      count.cable = channel.cable;
    }
  }
}

}  // namespace psim::net
