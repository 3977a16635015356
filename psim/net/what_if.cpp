// SPDX-License-Identifier: Apache-2.0
#include "psim/net/what_if.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace psim {
namespace {

void halve(Picoseconds& time) { time = Picoseconds{time.count() / 2}; }
/// Halves a time that counts only if it is not 0.
void halve_stated(Picoseconds& time) {
  if (time.count() != 0) time = Picoseconds{(time.count() + 1) / 2};
}
void twice(BytesPerSecond& bandwidth) { bandwidth = BytesPerSecond{2 * bandwidth.count}; }

void speed_up(net::NetworkConfig& network) {
  twice(network.link.bandwidth);
  halve(network.link.delay);
  for (net::CableConfig& cable : network.link.classes) {
    twice(cable.bandwidth);
    halve_stated(cable.delay);
  }
  net::RouterConfig& router = network.router;
  const bool passes = router.pass().count() > 0;
  for (Picoseconds* time : {&router.routing, &router.vc_allocation, &router.switch_allocation}) halve(*time);
  halve(router.traversal);
  halve_stated(router.credit_delay);
  if (passes && router.pass().count() == 0) router.traversal = Picoseconds{1};
  if ((router.pass() + network.link.delay).count() == 0) network.link.delay = Picoseconds{1};
  net::NicConfig& nic = network.nic;
  for (BytesPerSecond* bandwidth : {&nic.bandwidth, &nic.dma_bandwidth, &nic.injection_rate})
    twice(*bandwidth);
  for (Picoseconds* time :
       {&nic.delay, &nic.dma_startup, &nic.packet_interval, &nic.send_interval, &nic.receive_interval})
    halve(*time);
  halve_stated(network.analytic.latency);
  halve(network.analytic.hop);
  twice(network.analytic.bandwidth);
}

}  // namespace

std::string WhatIf::text() const {
  if (halves) return region.empty() ? "computing twice as fast" : "region " + region + " twice as fast";
  switch (network) {
    case ChangedNetwork::Ideal:
      return "ideal network";
    case ChangedNetwork::TwiceAsFast:
      return "network twice as fast";
    case ChangedNetwork::Uncontended:
      return "no contention";
    default:
      return "no change";
  }
}

std::string WhatIf::to_json() const {
  return nlohmann::json{
      {"network", static_cast<int>(network)}, {"halves", halves}, {"region", region}, {"record", record}}
      .dump();
}

WhatIf WhatIf::from_json(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  return {static_cast<ChangedNetwork>(json.at("network").get<int>()), json.at("halves").get<bool>(),
          json.at("region").get<std::string>(), json.at("record").get<std::string>()};
}

void change(ChangedNetwork how, NetworkMachine& machine) {
  net::NetworkConfig& network = machine.network;
  net::MpiConfig& mpi = machine.mpi;
  switch (how) {
    case ChangedNetwork::None:
      return;
    case ChangedNetwork::TwiceAsFast:
      speed_up(network);
      // Rounded up, they stay above the least time between two routers.
      for (Picoseconds* time : {&mpi.hardware.barrier_latency, &mpi.hardware.tree_latency,
                                &mpi.hardware.tree_hop, &mpi.sync.line})
        halve_stated(*time);
      twice(mpi.hardware.tree_bandwidth);
      return;
    case ChangedNetwork::Ideal:
      network.analytic = {.ideal = true};
      for (Picoseconds* time : {&mpi.send_overhead, &mpi.recv_overhead, &mpi.rdma.post, &mpi.rdma.completion})
        *time = Picoseconds{0};
      [[fallthrough]];
    case ChangedNetwork::Uncontended:
      network.model = net::NetworkModel::Analytic;
      network.link.sleep.policy = net::SleepPolicy::Off;
  }
}

void check_ideal_network(std::uint32_t nodes) {
  constexpr std::uint32_t kMost = 60'000;  // ports of a router
  if (nodes > kMost)
    throw UserError(
        fmt::format("--efficiency: {} nodes; expected at most {}, which the ideal network puts on one router",
                    nodes, kMost));
}

net::Network ideal_network(const net::NetworkConfig& config, std::uint32_t nodes) {
  net::NetworkConfig one = config;
  one.topology = {.kind = "crossbar", .shape = "", .routing = ""};
  one.nic.ports = 1;
  return net::make_topology(one, nodes);
}

}  // namespace psim
