// SPDX-License-Identifier: Apache-2.0
#include "netsim/network_statistics.h"

#include <fmt/format.h>

namespace psim::net {

using statistics::Run;

namespace {

/// Sums `of(channel)` over the directions of links between routers.
template <class Of>
std::function<std::uint64_t()> over_links(const Simulation& simulation, Of of) {
  return [&simulation, of] {
    std::uint64_t sum = 0;
    const Graph& graph = simulation.graph();
    for (std::uint32_t router = 0; router < graph.routers(); ++router)
      for (std::uint32_t port = 0; port < graph.ports(router); ++port)
        if (graph.channel(router, port).to_router != Channel::kNowhere)
          sum += of(simulation.fabric().count(router, port));
    return sum;
  };
}

template <class Of>
std::function<std::uint64_t()> over_node_ports(const Simulation& simulation, Of of) {
  return [&simulation, of] {
    std::uint64_t sum = 0;
    for (std::uint32_t node = 0; node < simulation.graph().nodes(); ++node)
      for (std::uint32_t port = 0; port < simulation.graph().node_ports; ++port)
        sum += of(simulation.interfaces().looped(node, port));
    return sum;
  };
}

template <class Of>
std::function<std::uint64_t()> over_directions(const LinkSleep& sleep, Of of) {
  return [&sleep, of] {
    std::uint64_t sum = 0;
    for (const LinkSleep::Direction& direction : sleep.directions())
      if (direction.kind != LinkSleep::kNotThere) sum += of(direction);
    return sum;
  };
}

std::function<std::uint64_t()> of(const Simulation& simulation, std::uint64_t InterfaceCounts::*count) {
  return [&simulation, count] { return simulation.interfaces().counts().*count; };
}

}  // namespace

NetworkStatistics::Interfaces::Interfaces(const Simulation& simulation)
    : messages(*this, "messages", "messages", "messages handed to network interfaces",
               [&simulation] { return simulation.interfaces().messages(); }),
      packets(*this, "packets", "packets", "packets received by nodes",
              [&simulation] { return simulation.interfaces().received().packets; }),
      bytes(*this, "bytes", "bytes", "bytes of these packets, headers included",
            [&simulation] { return simulation.interfaces().received().bytes; }),
      packet_hops(*this, [&simulation] { return simulation.fabric().packet_hops(); }),
      latency_ps(*this, [&simulation] { return simulation.interfaces().received().latency_sum; }),
      looped_packets(*this, "looped_packets", "packets",
                     "packets of nodes to themselves that crossed no router",
                     over_node_ports(simulation, [](const ChannelCount& count) { return count.packets; })),
      looped_bytes(*this, "looped_bytes", "bytes", "bytes of these packets",
                   over_node_ports(simulation, [](const ChannelCount& count) { return count.bytes; })),
      dma_read_ps(*this, [&simulation] { return simulation.interfaces().dma().read; }),
      dma_write_ps(*this, [&simulation] { return simulation.interfaces().dma().write; }),
      latency(*this, "latency", "seconds/packet",
              "from the start of a packet's injection until its tail has arrived", {latency_ps}, {packets},
              1e-12),
      hops(*this, "hops", "hops/packet", "links between routers that a packet crossed", {packet_hops},
           {packets}),
      throughput(*this, "throughput", "bytes/second",
                 "bytes received per second of simulated time, all nodes", {bytes}, {Run::Seconds}),
      dma_read(*this, "dma_read", "seconds", "time in which DMA engines read memory, all nodes",
               {dma_read_ps}, {}, 1e-12),
      dma_write(*this, "dma_write", "seconds", "time in which DMA engines wrote memory, all nodes",
                {dma_write_ps}, {}, 1e-12) {}

NetworkStatistics::Links::Links(const Simulation& simulation)
    : count(*this, "count", "links", "links between routers, each direction by itself",
            over_links(simulation, [](const ChannelCount&) { return std::uint64_t{1}; })),
      packets(*this, "packets", "packets", "packets carried",
              over_links(simulation, [](const ChannelCount& link) { return link.packets; })),
      bytes(*this, "bytes", "bytes", "bytes carried, headers included",
            over_links(simulation, [](const ChannelCount& link) { return link.bytes; })),
      busy_ps(*this, over_links(simulation, [](const ChannelCount& link) { return link.busy; })),
      channel_ps(*this,
                 over_links(simulation, [&simulation](const ChannelCount&) { return simulation.last(); })),
      busy(*this, "busy", "seconds", "time in which links carried packets, sum over links", {busy_ps}, {},
           1e-12),
      utilization(*this, "utilization", "share of time", "a link carries packets, mean of all links",
                  {busy_ps}, {channel_ps}),
      bandwidth(*this, "bandwidth", "bytes/second", "bytes carried per second and link", {bytes},
                {channel_ps}, 1e12) {}

NetworkStatistics::Buffers::Buffers(const Simulation& simulation) {
  for (std::size_t i = 0; i < std::tuple_size_v<OccupancyClasses>; ++i)
    tenths.push_back(std::make_unique<Computed>(
        *this, fmt::format("from_{}_percent", 10 * i), "samples",
        fmt::format("virtual channels, at up to 256 instants, whose buffer was {} to {} % taken or promised",
                    10 * i, 10 * i + 10),
        [&simulation, i] {
          std::uint64_t sum = 0;
          for (const OccupancySeries::Sample& sample : simulation.occupancy().samples())
            sum += sample.classes[i];
          return sum;
        }));
}

NetworkStatistics::Sleep::Sleep(const LinkSleep& sleep)
    : wakes(*this, "wakes", "times", "a direction of a link left low power for a packet",
            over_directions(sleep, [](const LinkSleep::Direction& d) { return std::uint64_t{d.wakes}; })),
      low_ps(*this, over_directions(sleep, [](const LinkSleep::Direction& d) { return d.low; })),
      time_ps(*this, over_directions(sleep, [&sleep](const LinkSleep::Direction&) { return sleep.time(); })),
      low(*this, "low", "seconds", "time in low power, sum over directions", {low_ps}, {}, 1e-12),
      share(*this, "low_share", "share of time", "a direction is in low power, mean of all directions",
            {low_ps}, {time_ps}) {}

NetworkStatistics::Options::Options(const Simulation& simulation)
    : send_waits(*this, "send_waits", "messages", "messages that waited for nic.send_interval",
                 of(simulation, &InterfaceCounts::send_waits)),
      send_wait_ps(*this, of(simulation, &InterfaceCounts::send_wait_ps)),
      receive_waits(*this, "receive_waits", "messages",
                    "messages that were complete later because of nic.receive_interval",
                    of(simulation, &InterfaceCounts::receive_waits)),
      receive_wait_ps(*this, of(simulation, &InterfaceCounts::receive_wait_ps)),
      striped(*this, "striped", "messages", "messages that were spread over several ports",
              of(simulation, &InterfaceCounts::striped)),
      retries(*this, "retries", "packets", "repetitions of packets by links, because of wrong bits",
              [&simulation] {
                return simulation.interfaces().counts().node_retries + simulation.fabric().retries().packets;
              }),
      retry_ps(*this,
               [&simulation] {
                 return simulation.interfaces().counts().node_retry_ps + simulation.fabric().retries().delay;
               }),
      marked(*this, "marked", "packets", "packets that routers marked because of congestion",
             of(simulation, &InterfaceCounts::marked)),
      notices(*this, "notices", "notices", "notices of congestion to sources",
              of(simulation, &InterfaceCounts::notices)),
      overtaking(*this, "overtaking", "packets", "packets that nic.placement = ordered held for earlier ones",
                 of(simulation, &InterfaceCounts::overtaking)),
      overtaking_ps(*this, of(simulation, &InterfaceCounts::overtaking_ps)),
      most_held(*this, "most_held", "bytes", "bytes of packets that one interface held at once, at most",
                of(simulation, &InterfaceCounts::most_held)),
      send_wait(*this, "send_wait", "seconds/message", "time of such a wait at the sender", {send_wait_ps},
                {send_waits}, 1e-12),
      receive_wait(*this, "receive_wait", "seconds/message", "time of such a wait at the receiver",
                   {receive_wait_ps}, {receive_waits}, 1e-12),
      retry(*this, "retry", "seconds/packet", "time that a link was held by a repetition", {retry_ps},
            {retries}, 1e-12),
      held(*this, "held", "seconds/packet", "time for which a packet was held", {overtaking_ps}, {overtaking},
           1e-12) {}

NetworkStatistics::NetworkStatistics(const Simulation& simulation)
    : simulation_(simulation),
      last_(simulation.last()),
      time_(last_),
      interfaces_(simulation),
      links_(simulation),
      buffers_(simulation) {
  if (simulation.sleep() != nullptr) sleep_.emplace(*simulation.sleep());
  if (simulation.interfaces().counts_options()) options_.emplace(simulation);
}

void NetworkStatistics::add_to(statistics::Registry& registry) const {
  registry.add("network", "The network as a whole", time_);
  registry.add("interfaces", "Network interfaces of all nodes", interfaces_);
  registry.add("links", "Links between routers", links_);
  registry.add("routers", "Routers", simulation_.fabric().stats());
  registry.add("buffers", "Buffers of virtual channels, over time", buffers_);
  if (sleep_) registry.add("sleep", "Links in low power", *sleep_);
  if (options_) registry.add("options", "Options of interfaces and links", *options_);
  registry.set_clock(time_.time.count(), 1e-12);
}

}  // namespace psim::net
