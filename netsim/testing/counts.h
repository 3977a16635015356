// SPDX-License-Identifier: Apache-2.0
// Runs to compare, with all their counts as text.
#pragma once

#include <fmt/format.h>

#include <string>

#include "netsim/simulation.h"
#include "netsim/traffic/synthetic.h"

namespace psim::net {

/// A small network with enough uniform traffic for contention.
struct BusyNetwork {
  BusyNetwork(const char* kind, const char* shape, const char* routing) {
    config.topology.kind = kind;
    config.topology.shape = shape;
    config.topology.routing = routing;
    config.router.virtual_channels = 4;
    traffic.load = 0.9;
    traffic.message = Bytes{5'000};
    traffic.warm_up = Picoseconds{2'000'000};
    traffic.measured = Picoseconds{10'000'000};
  }
  SyntheticTraffic source(std::uint32_t nodes) const {
    return {traffic, config, Destinations(Pattern::Uniform, nodes, {nodes}), nodes};
  }

  NetworkConfig config;
  TrafficConfig traffic;
};

inline std::string counts(const Simulation& simulation) {
  std::string text;
  const auto add = [&](auto value) { text += fmt::format("{} ", value); };
  add(simulation.last()), add(simulation.fabric().packet_hops()), add(simulation.interfaces().messages());
  const PacketCount& received = simulation.interfaces().received();
  add(received.packets), add(received.bytes), add(received.latency_sum), add(received.latency_most);
  for (std::uint32_t i = 0; i < LatencyHistogram::kClasses; ++i) add(received.latency.count(i));
  for (std::uint64_t InterfaceCounts::*count : InterfaceCounts::kAll)
    add(simulation.interfaces().counts().*count);
  add(simulation.interfaces().counts().most_held);
  add(simulation.fabric().retries().packets), add(simulation.fabric().retries().delay);
  for (std::uint32_t router = 0; router < simulation.graph().routers(); ++router)
    for (std::uint32_t port = 0; port < simulation.graph().ports(router); ++port)
      for (const ChannelCount count = simulation.fabric().count(router, port);
           const std::uint64_t value : {count.packets, count.busy, count.bytes})
        add(value);
  for (std::uint32_t node = 0; node < simulation.graph().nodes(); ++node)
    for (std::uint32_t port = 0; port < simulation.graph().node_ports; ++port)
      add(simulation.interfaces().sent(node, port).packets),
          add(simulation.interfaces().sent(node, port).bytes);
  for (const std::uint64_t sum : simulation.fabric().busy().sums()) add(sum);
  for (const OccupancySeries::Sample& sample : simulation.occupancy().samples()) {
    add(sample.time);
    for (const std::uint64_t of_class : sample.classes) add(of_class);
  }
  if (const LinkSleep* sleep = simulation.sleep()) {
    for (const LinkSleep::Direction& direction : sleep->directions())
      add(direction.low), add(direction.wakes);
    for (const std::uint64_t sum : sleep->low().sums()) add(sum);
  }
  return text;
}

}  // namespace psim::net
