// SPDX-License-Identifier: Apache-2.0
#include "netsim/testing/flit_network.h"

#include <algorithm>

namespace psim::net::testing {
namespace {

/// No load: the reference routes deterministically.
class NoLoad final : public LocalLoad {
 public:
  std::uint64_t credits(std::uint16_t, std::uint8_t) const override { return 0; }
  std::uint64_t backlog(std::uint16_t) const override { return 0; }
};

}  // namespace

FlitNetwork::FlitNetwork(const Graph& graph, const Routing& routing, std::uint32_t vcs,
                         std::uint32_t buffer_flits, FlitTiming timing)
    : graph_(graph), routing_(routing), vcs_(vcs), timing_(timing) {
  routers_.resize(graph.routers());
  for (std::uint32_t router = 0; router < graph.routers(); ++router) {
    Router& state = routers_[router];
    state.inputs.resize(graph.ports(router) * vcs);
    state.outputs.resize(graph.ports(router));
    state.credits.assign(graph.ports(router) * vcs, buffer_flits);
    state.turns.assign(graph.ports(router), 0);
    state.held.assign(graph.ports(router), 0);
    state.lanes.resize(graph.ports(router) * vcs);
    state.passes.resize(graph.ports(router) * vcs);
  }
  nodes_.resize(graph.nodes());
  for (Node& node : nodes_) node.credits.assign(vcs, buffer_flits);
}

std::vector<FlitSight> FlitNetwork::run(const std::vector<FlitPacket>& packets, std::uint64_t limit) {
  packets_ = &packets;
  std::multimap<std::uint64_t, std::uint32_t> made;
  for (std::uint32_t i = 0; i < packets.size(); ++i) made.emplace(packets[i].made, i);
  for (std::uint64_t cycle = 0; cycle < limit && arrived_ < packets.size(); ++cycle) {
    deliver(cycle);
    for (std::uint32_t router = 0; router < graph_.routers(); ++router)
      timing_.interleaved ? arbitrate_lanes(cycle, router) : arbitrate(cycle, router);
    for (std::uint32_t router = 0; router < graph_.routers(); ++router)
      timing_.interleaved ? pass_lanes(cycle, router) : pass(cycle, router);
    for (auto it = made.begin(); it != made.end() && it->first == cycle; it = made.erase(it))
      nodes_[packets[it->second].source].waiting.push_back(it->second);
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node) inject(cycle, node);
  }
  std::sort(sights_.begin(), sights_.end());
  return sights_;
}

void FlitNetwork::deliver(std::uint64_t cycle) {
  if (const auto credits = credits_.find(cycle); credits != credits_.end()) {
    for (const auto& [at, port, vc, flits, to_node] : credits->second)
      (to_node ? nodes_[at].credits[vc] : routers_[at].credits[port * vcs_ + vc]) += flits;
    credits_.erase(credits);
  }
  const auto moves = moves_.find(cycle);
  if (moves == moves_.end()) return;
  for (Move& move : moves->second) {
    move.flit.requests_at = cycle + timing_.routing;
    if (move.flit.head)
      sights_.push_back({move.flit.requests_at, move.router, move.port, move.flit.packet, false});
    routers_[move.router].inputs[move.port * vcs_ + move.vc].flits.push_back(move.flit);
  }
  moves_.erase(moves);
}

bool FlitNetwork::requests(std::uint64_t cycle, std::uint32_t router, std::uint32_t candidate,
                           std::uint32_t output, Route& route) {
  Router& state = routers_[router];
  const Input& input = state.inputs[candidate];
  if (input.flits.empty() || !input.flits.front().head || input.flits.front().requests_at > cycle)
    return false;
  if (state.held[candidate / vcs_] != 0) return false;
  const FlitPacket& flit_packet = (*packets_)[input.flits.front().packet];
  Packet packet;
  packet.address = routing_.address(NodeId{flit_packet.destination});
  packet.source = flit_packet.source;
  route = routing_.route(RouterId{router}, static_cast<std::uint16_t>(candidate / vcs_),
                         static_cast<std::uint8_t>(candidate % vcs_), packet, NoLoad{});
  if (route.port != output) return false;
  const bool to_node = graph_.channel(router, output).to_router == Channel::kNowhere;
  return to_node || state.credits[output * vcs_ + route.vc] >= flit_packet.flits;
}

void FlitNetwork::arbitrate(std::uint64_t cycle, std::uint32_t router) {
  while (allocate(cycle, router)) continue;
}

bool FlitNetwork::allocate(std::uint64_t cycle, std::uint32_t router) {
  struct Nominee {
    std::uint32_t vc = 0;
    Route route{};
    bool any = false;
  };
  Router& state = routers_[router];
  const std::uint32_t ports = graph_.ports(router);
  const auto is_free = [&](std::uint32_t port) {
    return state.outputs[port].holder < 0 && state.outputs[port].free_at <= cycle;
  };
  std::vector<Nominee> nominees(ports);
  for (std::uint32_t input = 0; input < ports; ++input)
    for (std::uint32_t i = 0; i < vcs_ && !nominees[input].any; ++i) {
      const std::uint32_t vc = (state.turns[input] + i) % vcs_;
      for (std::uint32_t port = 0; port < ports && !nominees[input].any; ++port) {
        Nominee& nominee = nominees[input];
        nominee.vc = vc;
        nominee.any = is_free(port) && requests(cycle, router, input * vcs_ + vc, port, nominee.route);
      }
    }
  bool given = false;
  for (std::uint32_t port = 0; port < ports; ++port) {
    Output& output = state.outputs[port];
    for (std::uint32_t i = 0; i < ports; ++i) {
      const std::uint32_t input = (output.turn + i) % ports;
      const Nominee& nominee = nominees[input];
      if (!nominee.any || nominee.route.port != port) continue;
      const std::uint32_t candidate = input * vcs_ + nominee.vc;
      output.holder = static_cast<int>(candidate);
      output.holder_packet = state.inputs[candidate].flits.front().packet;
      output.vc = nominee.route.vc;
      output.turn = (input + 1) % ports;
      state.turns[input] = (nominee.vc + 1) % vcs_;
      state.held[input] = 1 + port;
      if (graph_.channel(router, port).to_router != Channel::kNowhere)
        state.credits[port * vcs_ + nominee.route.vc] -= (*packets_)[output.holder_packet].flits;
      given = true;
      break;
    }
  }
  return given;
}

bool FlitNetwork::move(std::uint64_t cycle, std::uint32_t router, std::uint32_t candidate, std::uint32_t port,
                       std::uint8_t vc) {
  Router& state = routers_[router];
  const Flit flit = state.inputs[candidate].flits.front();
  state.inputs[candidate].flits.pop_front();
  const Channel& channel = graph_.channel(router, port);
  const std::uint32_t length = channel.cable == CableClass::Global ? timing_.global : 1;
  state.outputs[port].free_at = cycle + length;
  if (channel.to_router == Channel::kNowhere) {
    if (flit.tail) {  // the flit has passed a cycle after its start
      sights_.push_back(
          {cycle + 1 + timing_.to_output + timing_.node_cable, router, port, flit.packet, true});
      ++arrived_;
    }
  } else {
    // A slow flit moves on when it is complete.
    moves_[cycle + length - 1 + timing_.to_output + timing_.cable].push_back(
        {channel.to_router, channel.to_port, vc, flit});
  }
  if (!flit.tail) return false;
  const std::uint32_t in_port = candidate / vcs_;
  const auto in_vc = static_cast<std::uint8_t>(candidate % vcs_);
  const Channel& back = graph_.channel(router, in_port);
  const std::uint32_t flits = (*packets_)[flit.packet].flits;
  if (back.to_router == Channel::kNowhere)
    credits_[cycle + length + timing_.node_cable].push_back(
        {(*packets_)[flit.packet].source, 0, in_vc, flits, true});
  else
    credits_[cycle + length + timing_.credit].push_back({back.to_router, back.to_port, in_vc, flits, false});
  return true;
}

void FlitNetwork::pass(std::uint64_t cycle, std::uint32_t router) {
  Router& state = routers_[router];
  for (std::uint32_t port = 0; port < graph_.ports(router); ++port) {
    Output& output = state.outputs[port];
    if (output.holder < 0 || output.free_at > cycle) continue;
    const auto candidate = static_cast<std::uint32_t>(output.holder);
    const Input& input = state.inputs[candidate];
    if (input.flits.empty() || input.flits.front().packet != output.holder_packet) continue;
    if (!move(cycle, router, candidate, port, output.vc)) continue;
    output.holder = -1;
    state.held[candidate / vcs_] = 0;
  }
}

void FlitNetwork::arbitrate_lanes(std::uint64_t cycle, std::uint32_t router) {
  Router& state = routers_[router];
  const std::uint32_t count = graph_.ports(router) * vcs_;
  for (std::uint32_t port = 0; port < graph_.ports(router); ++port)
    for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
      Lane& lane = state.lanes[port * vcs_ + vc];
      for (std::uint32_t i = 0; i < count && lane.holder < 0; ++i) {
        const std::uint32_t candidate = (lane.turn + i) % count;
        Route route;
        if (state.passes[candidate] || !requests(cycle, router, candidate, port, route) || route.vc != vc)
          continue;
        lane.holder = static_cast<int>(candidate);
        lane.packet = state.inputs[candidate].flits.front().packet;
        lane.turn = (candidate + 1) % count;
        state.passes[candidate] = true;
        if (graph_.channel(router, port).to_router != Channel::kNowhere)
          state.credits[port * vcs_ + vc] -= (*packets_)[lane.packet].flits;
      }
    }
}

void FlitNetwork::pass_lanes(std::uint64_t cycle, std::uint32_t router) {
  Router& state = routers_[router];
  std::vector<bool> used(graph_.ports(router));
  for (std::uint32_t port = 0; port < graph_.ports(router); ++port) {
    Output& output = state.outputs[port];
    for (std::uint32_t i = 0; i < vcs_ && output.free_at <= cycle; ++i) {
      const std::uint32_t vc = (output.turn + i) % vcs_;
      Lane& lane = state.lanes[port * vcs_ + vc];
      if (lane.holder < 0) continue;
      const auto candidate = static_cast<std::uint32_t>(lane.holder);
      const Input& input = state.inputs[candidate];
      if (used[candidate / vcs_] || input.flits.empty() || input.flits.front().packet != lane.packet)
        continue;
      used[candidate / vcs_] = true;
      output.turn = vc + 1;
      if (move(cycle, router, candidate, port, static_cast<std::uint8_t>(vc))) {
        lane.holder = -1;
        state.passes[candidate] = false;
      }
      break;
    }
  }
}

void FlitNetwork::inject(std::uint64_t cycle, std::uint32_t index) {
  Node& node = nodes_[index];
  if (node.waiting.empty()) return;
  const std::uint32_t number = node.waiting.front();
  const FlitPacket& packet = (*packets_)[number];
  const auto vc = static_cast<std::uint8_t>(packet.destination % vcs_);
  if (node.sent == 0) {
    if (node.credits[vc] < packet.flits) return;
    node.credits[vc] -= packet.flits;
  }
  const Flit flit{number, node.sent == 0, node.sent + 1 == packet.flits, 0};
  moves_[cycle + timing_.node_cable].push_back(
      {graph_.node_router[index], graph_.node_port[index], vc, flit});
  if (++node.sent < packet.flits) return;
  node.sent = 0;
  node.waiting.pop_front();
}

}  // namespace psim::net::testing
