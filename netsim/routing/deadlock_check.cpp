// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/deadlock_check.h"

#include <algorithm>

#include "base/error.h"
#include "netsim/routing/bubble_check.h"

namespace psim::net {
namespace {

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
