// SPDX-License-Identifier: Apache-2.0
#include "netsim/analytic/analytic_network.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace psim::net {
namespace {

std::uint64_t analytic_ps(Picoseconds time) { return static_cast<std::uint64_t>(time.count()); }

/// Routers without any traffic.
class EmptyNetwork final : public LocalLoad {
 public:
  std::uint64_t credits(std::uint16_t, std::uint8_t) const override {
    return std::numeric_limits<std::uint32_t>::max();
  }
  std::uint64_t backlog(std::uint16_t) const override { return 0; }
};

bool of_packets(const NetworkConfig& config) { return config.analytic.latency.count() == 0; }

std::uint64_t latency_of(const NetworkConfig& config) {
  if (config.analytic.ideal) return 0;
  if (!of_packets(config)) return analytic_ps(config.analytic.latency);
  return analytic_ps(2 * config.nic.delay + config.router.pass());
}

std::uint64_t hop_of(const NetworkConfig& config, CableClass cable) {
  if (config.analytic.ideal) return 0;
  if (!of_packets(config)) return analytic_ps(config.analytic.hop);
  return analytic_ps(config.router.pass() + link_of(config.link, cable).delay);
}

BytesPerSecond bandwidth_of(const NetworkConfig& config) {
  if (config.analytic.bandwidth.count != 0) return config.analytic.bandwidth;
  return std::min(config.nic.bandwidth, config.link.bandwidth);
}

/// Returns the random bits of all packets between two nodes.
std::uint64_t random_of_pair(std::uint32_t from, std::uint32_t to) {
  std::uint64_t x = std::uint64_t{from} << 32 | to;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

}  // namespace

void ArrivalOrder::grow() {
  std::vector<Slot> before = std::exchange(slots_, {});
  for (std::size_t size = before.size() * 2;; size *= 2) {
    slots_.assign(size, {});
    mask_ = size - 1;
    const bool all = std::ranges::all_of(before, [&](const Slot& slot) {
      if (slot.pair == ~std::uint64_t{0}) return true;
      std::size_t at = first_place(slot.pair);
      for (std::size_t tries = 0; tries < kMostTries; ++tries, at = (at + 1) & mask_)
        if (slots_[at].pair == ~std::uint64_t{0}) {
          slots_[at] = slot;
          return true;
        }
      return false;
    });
    if (all) return;
  }
}

AnalyticNetwork::AnalyticNetwork(const NetworkConfig& config, const Graph& graph, const Routing& routing)
    : graph_(graph), routing_(routing), rate_(bandwidth_of(config)), latency_(latency_of(config)) {
  for (std::size_t i = 0; i < kCableClasses; ++i) hop_[i] = hop_of(config, static_cast<CableClass>(i));
  counts_hops_ = std::ranges::any_of(hop_, [](std::uint64_t hop) { return hop != 0; });
  if (counts_hops_) known_.resize(std::size_t{1} << kKnownBits);
}

std::uint64_t AnalyticNetwork::lookahead(const NetworkConfig& config) {
  constexpr std::uint64_t kOneRouter = 100'000;  // it waits for no other: any length of a window is right
  if (config.analytic.ideal) return kOneRouter;
  std::uint64_t hop = ~std::uint64_t{0};
  for (std::size_t i = 0; i < kCableClasses; ++i)
    hop = std::min(hop, hop_of(config, static_cast<CableClass>(i)));
  return std::max<std::uint64_t>(1, (latency_of(config) + hop) / 2);
}

/// Walks the route of a packet through the empty network.
std::uint64_t AnalyticNetwork::hops(std::uint32_t from, std::uint32_t to, std::uint32_t from_port,
                                    std::uint32_t to_port) const {
  const EmptyNetwork empty;
  Packet packet;
  packet.source = from;
  packet.bytes = 1;
  packet.address = routing_.port_address(NodeId{to}, to_port);
  std::uint32_t router = graph_.node_router[from];
  auto port = static_cast<std::uint16_t>(graph_.node_port[from] + from_port);
  std::uint8_t vc = 0;
  std::uint64_t sum = 0;
  routing_.inject(packet, RouterId{router}, port, empty, random_of_pair(from, to));
  for (;;) {
    const Route route = routing_.route(RouterId{router}, port, vc, packet, empty);
    const Channel& link = graph_.channel(router, route.port);
    if (link.to_router == Channel::kNowhere) return sum;
    sum += hop_[static_cast<std::size_t>(link.cable)];
    router = link.to_router;
    port = link.to_port;
    vc = route.vc;
  }
}

}  // namespace psim::net
