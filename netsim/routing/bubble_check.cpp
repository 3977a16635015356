// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/bubble_check.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace psim::net {
namespace {

class Rings {
 public:
  Rings(const Graph& graph, const Routing& routing, std::uint32_t virtual_channels)
      : graph_(graph), routing_(routing), vcs_(virtual_channels), parent_(graph.channels.size() * vcs_) {
    std::iota(parent_.begin(), parent_.end(), 0u);
    each_wait([this](std::uint32_t from, std::uint32_t to, bool enters) {
      if (!enters) parent_[ring_of(from)] = ring_of(to);
    });
    each_wait([this](std::uint32_t from, std::uint32_t to, bool enters) {
      if (enters) waits_.emplace_back(ring_of(from), ring_of(to));
    });
    std::sort(waits_.begin(), waits_.end());
    waits_.erase(std::unique(waits_.begin(), waits_.end()), waits_.end());
  }

  /// Removes rings that wait for no remaining ring; the rest wait in a circle, or for one.
  std::vector<std::uint32_t> circle() const {
    std::vector<std::uint32_t> waits_for(parent_.size()), gone;
    for (const auto& [from, to] : waits_) ++waits_for[from];
    std::vector<std::pair<std::uint32_t, std::uint32_t>> back;
    for (const auto& [from, to] : waits_) back.emplace_back(to, from);
    std::sort(back.begin(), back.end());
    for (std::uint32_t ring = 0; ring < waits_for.size(); ++ring)
      if (waits_for[ring] == 0) gone.push_back(ring);
    for (std::size_t i = 0; i < gone.size(); ++i)
      for (auto wait = std::lower_bound(back.begin(), back.end(), std::pair(gone[i], 0u));
           wait != back.end() && wait->first == gone[i]; ++wait)
        if (--waits_for[wait->second] == 0) gone.push_back(wait->second);
    const auto stays = [&](std::uint32_t ring) { return waits_for[ring] != 0; };
    const auto first =
        std::find_if(waits_.begin(), waits_.end(), [&](const auto& w) { return stays(w.first); });
    if (first == waits_.end()) return {};
    std::vector<std::uint32_t> path{first->first};
    for (;;) {
      auto wait = std::lower_bound(waits_.begin(), waits_.end(), std::pair(path.back(), 0u));
      while (!stays(wait->second)) ++wait;
      const auto again = std::find(path.begin(), path.end(), wait->second);
      if (again != path.end()) return {again, path.end()};
      path.push_back(wait->second);
    }
  }

  ChannelVc channel(std::uint32_t number) const {
    const std::uint32_t port = number / vcs_;
    const auto after = std::upper_bound(graph_.first_port.begin(), graph_.first_port.end(), port);
    const auto router = static_cast<std::uint32_t>(after - graph_.first_port.begin() - 1);
    return {router, static_cast<std::uint16_t>(port - graph_.first_port[router]),
            static_cast<std::uint8_t>(number % vcs_)};
  }

 private:
  /// Calls visit(from, to, enters) for all waits between channels that lead to routers.
  template <class Visit>
  void each_wait(Visit visit) const {
    for (std::uint32_t router = 0; router < graph_.routers(); ++router)
      for (std::uint32_t port = 0; port < graph_.ports(router); ++port) {
        const Channel& link = graph_.channel(router, port);
        for (std::uint32_t vc = 0; vc < vcs_ && link.to_router != Channel::kNowhere; ++vc)
          routing_.dependencies(
              RouterId{link.to_router}, link.to_port, static_cast<std::uint8_t>(vc), [&](Route route, bool) {
                if (graph_.channel(link.to_router, route.port).to_router == Channel::kNowhere) return;
                visit(number(router, port, vc), number(link.to_router, route.port, route.vc), route.enters);
              });
      }
  }
  std::uint32_t number(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
    return (graph_.first_port[router] + port) * vcs_ + vc;
  }
  std::uint32_t ring_of(std::uint32_t channel) {
    while (parent_[channel] != channel) channel = parent_[channel] = parent_[parent_[channel]];
    return channel;
  }

  const Graph& graph_;
  const Routing& routing_;
  std::uint32_t vcs_;
  std::vector<std::uint32_t> parent_;  ///< union-find: of channels, to the representative of their ring
  std::vector<std::pair<std::uint32_t, std::uint32_t>> waits_;  ///< of rings, sorted
};

}  // namespace

std::vector<ChannelVc> find_circle_of_rings(const Graph& graph, const Routing& routing,
                                            std::uint32_t virtual_channels) {
  const Rings rings(graph, routing, virtual_channels);
  std::vector<ChannelVc> channels;
  for (const std::uint32_t ring : rings.circle()) channels.push_back(rings.channel(ring));
  return channels;
}

}  // namespace psim::net
