// SPDX-License-Identifier: Apache-2.0
// DCQCN (Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015) at the interfaces
// of a host process. Destinations answer marked packets with notices, at most one per flow and
// congestion.interval. A source that gets a notice sets
//   target = rate, rate = rate · (1 - estimate / 2), estimate = (1 - g) · estimate + g.
// Without notices the estimate falls by the factor 1 - g every congestion.decay, and every
// congestion.increase the rate goes to the middle of rate and target; after `recovery` of these steps the
// target rises by congestion.step each time. The paper's second clock, by bytes sent, and its hyper increase
// are left out: below 1.5 Tb/s the 10 MB of its counter take longer than the first clock's 55 us. A flow that
// is back at the rate of its port has no state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "netsim/nic/flow_rates.h"

namespace psim::net {

class Dcqcn final : public FlowRates {
 public:
  /// `line`: the rate of a port.
  Dcqcn(const CongestionConfig& config, BytesPerSecond line)
      : config_(config), line_(static_cast<double>(line.count)) {}

  std::uint64_t next(std::uint64_t flow) const override {
    const auto found = flows_.find(flow);
    return found == flows_.end() ? 0 : found->second.next;
  }
  void sent(std::uint64_t flow, std::uint64_t now, std::uint64_t bytes) override {
    const auto found = flows_.find(flow);
    if (found == flows_.end()) return;
    Flow& it = found->second;
    advance(it, now);
    if (it.rate >= line_)
      flows_.erase(found);
    else
      it.next = now + static_cast<std::uint64_t>(static_cast<double>(bytes) / it.rate * 1e12);
  }
  void take(std::uint64_t flow, std::uint64_t now, const Notice&) override {
    const auto [found, fresh] = flows_.try_emplace(flow);
    Flow& it = found->second;
    if (fresh)
      it = {.rate = line_, .target = line_, .estimate = 1};
    else
      advance(it, now);
    it.target = it.rate;
    it.rate = std::max(it.rate * (1 - it.estimate / 2), static_cast<double>(config_.least.count));
    it.estimate = (1 - config_.gain) * it.estimate + config_.gain;
    it.falls = now + ps(config_.decay);
    it.rises = now + ps(config_.increase);
    it.risen = 0;
  }
  std::optional<Notice> arrived(std::uint64_t flow, std::uint64_t now, const Arrival& arrival) override {
    if (!arrival.marked) return std::nullopt;
    const auto [found, fresh] = noticed_.try_emplace(flow, now);
    if (!fresh && now - found->second < ps(config_.interval)) return std::nullopt;
    found->second = now;
    return Notice{};
  }
  /// Returns the present rate of a flow, bytes per second.
  double rate(std::uint64_t flow, std::uint64_t now) {
    const auto found = flows_.find(flow);
    if (found == flows_.end()) return line_;
    advance(found->second, now);
    return found->second.rate;
  }

 private:
  struct Flow {
    double rate = 0, target = 0;  ///< bytes per second
    double estimate = 0;          ///< of congestion, 0 to 1
    std::uint64_t next = 0;       ///< ps; when the next packet may leave
    std::uint64_t falls = 0;      ///< ps; when the estimate falls
    std::uint64_t rises = 0;      ///< ps; when the rate rises
    std::uint32_t risen = 0;      ///< times since the last notice
  };

  /// Brings a flow to `now`.
  void advance(Flow& flow, std::uint64_t now) const {
    for (; flow.falls <= now && flow.rate < line_; flow.falls += ps(config_.decay))
      flow.estimate *= 1 - config_.gain;
    for (; flow.rises <= now && flow.rate < line_; flow.rises += ps(config_.increase)) {
      if (++flow.risen > config_.recovery) flow.target += static_cast<double>(config_.step.count);
      flow.target = std::min(flow.target, line_);
      flow.rate = (flow.rate + flow.target) / 2;
      if (flow.target >= line_ && flow.rate > 0.999 * line_) flow.rate = line_;
    }
  }

  CongestionConfig config_;
  double line_;
  std::unordered_map<std::uint64_t, Flow> flows_;             ///< of sources here; never iterated
  std::unordered_map<std::uint64_t, std::uint64_t> noticed_;  ///< time of the last notice; never iterated
};

}  // namespace psim::net
