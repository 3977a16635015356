// SPDX-License-Identifier: Apache-2.0
#include "netsim/traffic/background_traffic.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace psim::net {

BackgroundTraffic::BackgroundTraffic(const TrafficConfig& config, const NetworkConfig& network,
                                     Destinations destinations, std::vector<std::uint32_t> sources)
    : config_(config),
      destinations_(std::move(destinations)),
      sources_(std::move(sources)),
      interval_(static_cast<double>(config.message.count) * 1e12 /
                (static_cast<double>(network.nic.bandwidth.count) * config.load)) {}

void BackgroundTraffic::start(Simulation& simulation, std::uint32_t rank, std::uint8_t owner) {
  simulation_ = &simulation;
  rank_ = rank, owner_ = owner;
  made_.resize(simulation.graph().nodes());
  for (const std::uint32_t node : sources_) {
    const std::uint32_t router = simulation.graph().node_router[node];
    if (!simulation.engine().is_here(router) || destinations_.silent(node)) continue;
    simulation.engine().set_router(router);
    make_later(node);
  }
}

/// Schedules a node's next message. They are a Poisson process: the time to the next is exponential.
void BackgroundTraffic::make_later(std::uint32_t node) {
  const std::uint64_t bits = random_bits(config_.seed, std::uint64_t{node} * 2, made_[node]);
  const double uniform = (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53;
  const auto wait = static_cast<std::uint64_t>(-std::log(uniform) * interval_ / destinations_.share(node));
  simulation_->timer(simulation_->engine().now() + std::max<std::uint64_t>(1, wait), node, rank_);
}

void BackgroundTraffic::timer(std::uint64_t token, std::uint32_t) {
  const auto node = static_cast<std::uint32_t>(token);
  const std::uint64_t bits = random_bits(config_.seed, std::uint64_t{node} * 2 + 1, made_[node]);
  MessagePool& pool = simulation_->interfaces().pool();
  const std::uint32_t number = pool.take();
  Message& message = pool[number];
  message.node = destinations_.of(node, bits, made_[node]++);
  message.wire_bytes = config_.message.count;
  message.envelope = {};
  message.envelope.bytes = simulation_->engine().now();
  message.owner = owner_;
  ++counts_.made;
  simulation_->interfaces().send(node, number);
  make_later(node);
}

void BackgroundTraffic::delivered(Message& message) {
  const std::uint64_t latency = simulation_->engine().now() - message.envelope.bytes;
  ++counts_.arrived;
  counts_.latency_sum += latency;
  counts_.latency_most = std::max(counts_.latency_most, latency);
}

void BackgroundTraffic::gather(HostProcesses& processes) {
  processes.gather([&](Parcel& parcel) { parcel.put(counts_); },
                   [&](Parcel& parcel) {
                     const auto theirs = parcel.take<Counts>();
                     counts_.made += theirs.made;
                     counts_.arrived += theirs.arrived;
                     counts_.latency_sum += theirs.latency_sum;
                     counts_.latency_most = std::max(counts_.latency_most, theirs.latency_most);
                   });
}

}  // namespace psim::net
