// SPDX-License-Identifier: Apache-2.0
#include "netsim/traffic/synthetic.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/random.h"

namespace psim::net {

SyntheticTraffic::SyntheticTraffic(const TrafficConfig& config, const NetworkConfig& network,
                                   Destinations destinations, std::uint32_t nodes)
    : config_(config),
      destinations_(std::move(destinations)),
      nodes_(nodes),
      bandwidth_(static_cast<double>(network.nic.bandwidth.count)),
      begin_(static_cast<std::uint64_t>(config.warm_up.count())),
      end_(begin_ + static_cast<std::uint64_t>(config.measured.count())),
      limit_(end_ + static_cast<std::uint64_t>(config.longest_drain.count())),
      made_(nodes),
      flows_(std::size_t{nodes} * 2),
      bursts_(config.bursts, config.seed, nodes) {
  interval_ =
      static_cast<double>(config.message.count) * 1e12 / (bandwidth_ * config.load) * config.bursts.share();
  for (std::uint32_t node = 0; node < nodes; ++node)
    if (!destinations_.silent(node)) senders_ += destinations_.share(node);
}

Picoseconds SyntheticTraffic::interval(const TrafficConfig& config, const NetworkConfig& network) {
  const double bandwidth = static_cast<double>(network.nic.bandwidth.count) * config.load;
  return Picoseconds{static_cast<std::int64_t>(static_cast<double>(config.message.count) * 1e12 / bandwidth) +
                     1};
}

const std::vector<std::string>& arrival_names() {
  static const std::vector<std::string> names{"poisson", "bernoulli"};
  return names;
}

Arrivals arrivals_of(std::string_view name) {
  const std::vector<std::string>& names = arrival_names();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<Arrivals>(i);
  throw UserError("--arrivals " + std::string(name.substr(0, 100)) + ": unknown" +
                  did_you_mean(name, names, "expected poisson or bernoulli"));
}

/// Schedules a node's next message. In a Poisson process the time to the next is exponential. By Bernoulli
/// trials it is a number of periods, geometrically distributed.
void SyntheticTraffic::make_later(std::uint32_t node) {
  const std::uint64_t bits = random_bits(config_.seed, std::uint64_t{node} * 2, made_[node]);
  const double uniform = (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53;
  const double interval = interval_ / destinations_.share(node);
  std::uint64_t wait = 0;
  if (config_.arrivals == Arrivals::Bernoulli) [[unlikely]] {
    const double period = static_cast<double>(config_.message.count) * 1e12 / bandwidth_,
                 chance = period / interval;
    const double trials = chance < 1 ? std::max(1.0, std::ceil(std::log(uniform) / std::log1p(-chance))) : 1;
    wait = static_cast<std::uint64_t>(std::llround(period * trials));
  } else {
    wait = static_cast<std::uint64_t>(-std::log(uniform) * interval);
  }
  const std::uint64_t time =
      simulation_->engine().now() + bursts_.stretch(node, std::max<std::uint64_t>(1, wait));
  if (time < limit_) simulation_->timer(time, node, 0);
}

TrafficPoint SyntheticTraffic::run(Simulation& simulation, std::function<bool()> interrupted,
                                   HostProcesses* processes) {
  start(simulation, std::move(interrupted), processes);
  simulation.run();
  return finish();
}

void SyntheticTraffic::start(Simulation& simulation, std::function<bool()> interrupted,
                             HostProcesses* processes) {
  simulation_ = &simulation;
  interrupted_ = std::move(interrupted);
  processes_ = processes;
  for (auto [node, end] = simulation.nodes_here(); node < end; ++node) {
    simulation.engine().set_router(simulation.graph().node_router[node]);
    if (!destinations_.silent(node)) make_later(node);
  }
}

TrafficPoint SyntheticTraffic::finish() {
  simulation_->gather();
  if (processes_ != nullptr)
    processes_->gather(
        [&](Parcel& parcel) {
          parcel.put_all(latencies_);
          parcel.put_all(flows_);
          parcel.put(measured_made_);
          parcel.put(arrived_while_measuring_);
        },
        [&](Parcel& parcel) {
          parcel.take_each<std::uint64_t>([&](std::uint64_t latency) { latencies_.push_back(latency); });
          std::size_t number = 0;
          parcel.take_each<Flow>([&](const Flow& flow) {
            flows_[number].made += flow.made;
            flows_[number++].arrived += flow.arrived;
          });
          measured_made_ += parcel.take<std::uint64_t>();
          arrived_while_measuring_ += parcel.take<std::uint64_t>();
        });
  return point();
}

void SyntheticTraffic::timer(std::uint64_t token, std::uint32_t) {
  const auto node = static_cast<std::uint32_t>(token);
  const std::uint64_t now = simulation_->engine().now();
  const std::uint64_t bits = random_bits(config_.seed, std::uint64_t{node} * 2 + 1, made_[node]);
  MessagePool& pool = simulation_->interfaces().pool();
  const std::uint32_t number = pool.take();
  Message& message = pool[number];
  message.node = destinations_.of(node, bits, made_[node]++);
  message.wire_bytes = config_.message.count;
  message.envelope = {};
  message.envelope.bytes = now;
  if (now >= begin_ && now < end_) {
    ++measured_made_;
    ++flows_[node].made;
    ++flows_[std::size_t{nodes_} + message.node].made;
  }
  simulation_->interfaces().send(node, number);
  make_later(node);
}

void SyntheticTraffic::delivered(Message& message) {
  const std::uint64_t now = simulation_->engine().now(), born = message.envelope.bytes;
  if (now >= begin_ && now < end_) {
    ++arrived_while_measuring_;
    ++flows_[message.source].arrived;
    ++flows_[std::size_t{nodes_} + message.node].arrived;
  }
  if (born >= begin_ && born < end_) latencies_.push_back(now - born);
}

Votes SyntheticTraffic::votes() { return {measured_made_, latencies_.size(), interrupted_() ? 1u : 0u}; }

bool SyntheticTraffic::should_continue(std::uint64_t start, const Votes& votes) {
  const auto [made, arrived, interrupted, none, nor] = votes;
  cut_ = interrupted != 0;
  return !cut_ && (start < end_ || (arrived < made && start < limit_));
}

bool SyntheticTraffic::falls_behind(std::uint64_t made, std::uint64_t arrived) {
  return made > arrived + kBlurred && 20 * arrived < 19 * made;
}

TrafficPoint SyntheticTraffic::point() {
  TrafficPoint point;
  point.interrupted = cut_;
  const double bytes = static_cast<double>(config_.message.count);
  const double most = bandwidth_ * static_cast<double>(end_ - begin_) * 1e-12 * senders_;
  point.offered = static_cast<double>(measured_made_) * bytes / most;
  point.accepted = static_cast<double>(arrived_while_measuring_) * bytes / most;
  point.messages = latencies_.size();
  for (const Flow& flow : flows_) point.starved += falls_behind(flow.made, flow.arrived);
  point.saturated = point.starved != 0 || latencies_.size() < measured_made_ ||
                    falls_behind(measured_made_, arrived_while_measuring_);
  if (latencies_.empty()) return point;
  std::sort(latencies_.begin(), latencies_.end());
  const auto at = [&](std::size_t per_cent) { return latencies_[(latencies_.size() - 1) * per_cent / 100]; };
  point.least = latencies_.front();
  point.median = at(50);
  point.p99 = at(99);
  point.most = latencies_.back();
  point.mean = static_cast<double>(std::accumulate(latencies_.begin(), latencies_.end(), std::uint64_t{0})) /
               static_cast<double>(latencies_.size());
  return point;
}

}  // namespace psim::net
