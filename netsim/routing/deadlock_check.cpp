// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/deadlock_check.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/error.h"

namespace psim::net {
namespace {

/// The check for bubble flow control. A ring is a set of virtual channels in which packets wait for each
/// other without entering again. It never fills: one of its packets can always move. So each ring counts as
/// one resource, and the waits to enter one ring from another must not form a circle.
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

/// Returns one channel of each ring of a circle in which each ring waits for the next and the last for the
/// first; empty if there is none. Memory: some 40 bytes for each virtual channel of the graph.
std::vector<ChannelVc> find_circle_of_rings(const Graph& graph, const Routing& routing,
                                            std::uint32_t virtual_channels) {
  const Rings rings(graph, routing, virtual_channels);
  std::vector<ChannelVc> channels;
  for (const std::uint32_t ring : rings.circle()) channels.push_back(rings.channel(ring));
  return channels;
}

/// A depth-first search over the waits between escape channels.
class Search {
 public:
  Search(const Graph& graph, const Routing& routing, std::uint32_t virtual_channels)
      : graph_(graph),
        routing_(routing),
        vcs_(virtual_channels),
        state_(graph.channels.size() * virtual_channels, kNew) {}

  std::vector<ChannelVc> circle() {
    for (std::uint32_t router = 0; router < graph_.routers(); ++router)
      for (std::uint32_t port = 0; port < graph_.ports(router); ++port)
        for (std::uint32_t vc = 0; vc < vcs_; ++vc)
          if (graph_.channel(router, port).to_router != Channel::kNowhere &&
              closes_circle({router, static_cast<std::uint16_t>(port), static_cast<std::uint8_t>(vc)}))
            return {path_.begin() + static_cast<std::ptrdiff_t>(circle_at_), path_.end()};
    return {};
  }

 private:
  enum State : std::uint8_t { kNew, kOnPath, kDone };

  std::uint8_t& state(const ChannelVc& c) {
    return state_[(std::uint64_t{graph_.first_port[c.router]} + c.port) * vcs_ + c.vc];
  }

  void enter(const ChannelVc& channel) {
    state(channel) = kOnPath;
    path_.push_back(channel);
    first_wait_.push_back(waits_.size());
    const Channel& link = graph_.channel(channel.router, channel.port);
    routing_.dependencies(RouterId{link.to_router}, link.to_port, channel.vc, [&](Route route, bool escape) {
      const bool leads_on = graph_.channel(link.to_router, route.port).to_router != Channel::kNowhere;
      if (escape && leads_on && route.vc < vcs_) waits_.push_back({link.to_router, route.port, route.vc});
    });
  }

  bool closes_circle(const ChannelVc& root) {
    if (state(root) != kNew) return false;
    for (enter(root); !path_.empty();) {
      if (waits_.size() == first_wait_.back()) {
        state(path_.back()) = kDone;
        path_.pop_back();
        first_wait_.pop_back();
        continue;
      }
      const ChannelVc next = waits_.back();
      waits_.pop_back();
      if (state(next) == kOnPath) {
        circle_at_ = static_cast<std::size_t>(std::find(path_.begin(), path_.end(), next) - path_.begin());
        return true;
      }
      if (state(next) == kNew) enter(next);
    }
    return false;
  }

  const Graph& graph_;
  const Routing& routing_;
  std::uint32_t vcs_;
  std::vector<std::uint8_t> state_;
  std::vector<ChannelVc> path_;          ///< each waits for the next
  std::vector<std::size_t> first_wait_;  ///< by channel of the path: begin of its untried waits
  std::vector<ChannelVc> waits_;
  std::size_t circle_at_ = 0;
};

}  // namespace

std::vector<ChannelVc> find_circle(const Graph& graph, const Routing& routing,
                                   std::uint32_t virtual_channels) {
  if (routing.bubble()) return find_circle_of_rings(graph, routing, virtual_channels);
  return Search(graph, routing, virtual_channels).circle();
}

std::optional<ChannelVc> find_trap(const Graph& graph, const Routing& routing,
                                   std::uint32_t virtual_channels) {
  std::vector<bool> adaptive(graph.channels.size() * virtual_channels);
  const auto number = [&](std::uint32_t router, std::uint32_t port, std::uint32_t vc) {
    return (std::uint64_t{graph.first_port[router]} + port) * virtual_channels + vc;
  };
  // Packets enter `to` at its port `port`, from the router that this port leads to, or from a node.
  const auto each_input = [&](auto&& visit) {
    for (std::uint32_t to = 0; to < graph.routers(); ++to)
      for (std::uint32_t port = 0; port < graph.ports(to); ++port)
        for (std::uint32_t vc = 0; vc < virtual_channels; ++vc)
          visit(to, static_cast<std::uint16_t>(port), static_cast<std::uint8_t>(vc));
  };
  each_input([&](std::uint32_t to, std::uint16_t port, std::uint8_t vc) {
    routing.dependencies(RouterId{to}, port, vc, [&](Route route, bool escape) {
      if (!escape) adaptive[number(to, route.port, route.vc)] = true;
    });
  });
  std::optional<ChannelVc> trap;
  each_input([&](std::uint32_t to, std::uint16_t port, std::uint8_t vc) {
    const Channel& back = graph.channel(to, port);
    if (back.to_router == Channel::kNowhere || !adaptive[number(back.to_router, back.to_port, vc)]) return;
    bool leads_on = false, escapes = false;
    routing.dependencies(RouterId{to}, port, vc, [&](Route, bool escape) {
      leads_on = true;
      escapes |= escape;
    });
    if (leads_on && !escapes) trap = ChannelVc{back.to_router, back.to_port, vc};
  });
  return trap;
}

std::string channel_name(const Graph& graph, const ChannelVc& channel, const RouterName& router_name) {
  const Channel& link = graph.channel(channel.router, channel.port);
  return router_name(channel.router) + graph.kinds[link.kind].name + " vc" + std::to_string(channel.vc);
}

void check_deadlock(const Graph& graph, const Routing& routing, const std::string& name,
                    std::uint32_t virtual_channels, const RouterName& router_name) {
  constexpr std::size_t kMostShown = 16;
  const std::vector<ChannelVc> circle = find_circle(graph, routing, virtual_channels);
  if (!circle.empty()) {
    const std::string key = "topology.routing = \"" + name + "\"";
    const std::string waits =
        ": packets can wait for each other in a circle of " + std::to_string(circle.size()) + " channels";
    const std::uint32_t needed = routing.virtual_channels();
    std::string text = virtual_channels < needed
                           ? "router.virtual_channels = " + std::to_string(virtual_channels) + waits +
                                 "; expected " + std::to_string(needed) + " for routing " + name + ": "
                           : key + waits + "; more virtual channels do not help: ";
    for (std::size_t i = 0; i < circle.size(); ++i) {
      if (circle.size() > kMostShown && i == kMostShown - 1) {
        text += "… -> ";
        i = circle.size() - 1;
      }
      text += channel_name(graph, circle[i], router_name) + " -> ";
    }
    throw UserError(text + channel_name(graph, circle[0], router_name));
  }
  if (!routing.adaptive()) return;
  if (const auto trap = find_trap(graph, routing, virtual_channels))
    throw UserError("topology.routing = \"" + name + "\": no escape channel from " +
                    channel_name(graph, *trap, router_name));
}

}  // namespace psim::net
