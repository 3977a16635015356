// SPDX-License-Identifier: Apache-2.0
// congestion.control = back-pressure, after Slingshot (De Sensi et al., "An In-Depth Analysis of the
// Slingshot Interconnect", SC 2020), whose hardware tracks the packets of each two endpoints,
// finds the flows that congest an endpoint, and throttles their sources at once, but no others. Its rules are
// not published; these are simple ones (docs/decisions/0117).
//
// A node's port is congested if it has received packets without a gap for congestion.throttle_wait. A packet
// that it receives then, and that has waited in the network for as long, causes a notice to its source, with
// its wait and the number of flows that have lately reached the node. The source's rate to this node becomes
//   share · hold / (hold + wait), share: the rate of the node's ports divided by the number of flows,
// so that in the time hold + wait the node takes the packets that wait for it, and later ones. After
// congestion.throttle_hold without a notice the rate doubles, until it is that of the ports again. A flow at
// that rate has no state.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "netsim/nic/flow_rates.h"

namespace psim::net {

class BackPressure final : public FlowRates {
 public:
  BackPressure(const CongestionConfig& config, BytesPerSecond port, std::uint32_t ports)
      : wait_(ps(config.throttle_wait)),
        hold_(ps(config.throttle_hold)),
        port_(static_cast<double>(port.count)),
        line_(port_ * ports) {}

  std::uint64_t next(std::uint64_t flow) const override {
    const auto found = flows_.find(flow);
    return found == flows_.end() ? 0 : found->second.next;
  }
  void sent(std::uint64_t flow, std::uint64_t now, std::uint64_t bytes) override {
    const auto found = flows_.find(flow);
    if (found == flows_.end()) return;
    Flow& it = found->second;
    for (; it.rises <= now && it.rate < line_; it.rises += hold_) it.rate *= 2;
    if (it.rate >= line_) {
      flows_.erase(found);
      return;
    }
    it.next = now + time(bytes, it.rate);
    // A slow flow keeps its rate for two packets, which may cause notices too.
    if (!std::exchange(it.used, true)) it.rises = std::max(it.rises, it.next + 1);
  }
  void take(std::uint64_t flow, std::uint64_t now, const Notice& notice) override {
    Flow& it = flows_[flow];
    const auto hold = static_cast<double>(hold_);
    it.rate = line_ / notice.flows * hold / (hold + static_cast<double>(notice.wait));
    it.rises = now + hold_;
    it.used = false;
  }
  std::optional<Notice> arrived(std::uint64_t flow, std::uint64_t now, const Arrival& arrival) override {
    const bool congested = follows(arrival, now) >= wait_;
    std::vector<Seen>& all = seen_[static_cast<std::uint32_t>(flow)];
    // A flow that sends its share comes back after the packets of the others.
    const std::uint64_t lately = hold_ + time(arrival.bytes * all.size(), line_);
    std::erase_if(all, [&](const Seen& each) { return each.flow != flow && now - each.last > lately; });
    auto found = std::ranges::find(all, flow, &Seen::flow);
    if (found == all.end()) found = all.insert(all.end(), Seen{.flow = flow});
    found->last = now;
    const auto flows = static_cast<std::uint32_t>(std::min<std::size_t>(all.size(), 0xffff));
    if (!congested || arrival.wait < wait_ || flows == 1) return std::nullopt;
    if (found->flows >= flows && now - found->noticed < hold_ / 2) return std::nullopt;
    found->flows = flows;
    found->noticed = now;
    return Notice{.flows = flows, .wait = arrival.wait};
  }

 private:
  struct Flow {
    double rate = 0;          ///< bytes per second
    std::uint64_t next = 0;   ///< ps; when the next packet may leave
    std::uint64_t rises = 0;  ///< ps; when the rate doubles
    bool used = false;        ///< by a packet since the last notice
  };
  struct Seen {  ///< at a destination
    std::uint64_t flow = 0;
    std::uint64_t last = 0;     ///< ps; arrival of its last packet
    std::uint64_t noticed = 0;  ///< ps; the last notice
    std::uint32_t flows = 0;    ///< in that; 0: there was none
  };
  struct Train {                        ///< packets that a port receives without a gap
    std::uint64_t first = 0, last = 0;  ///< ps; arrivals
  };

  static std::uint64_t time(std::uint64_t bytes, double rate) {
    return static_cast<std::uint64_t>(static_cast<double>(bytes) / rate * 1e12);
  }
  /// Returns for how long the port has received packets without a gap. The time of a packet is none.
  std::uint64_t follows(const Arrival& arrival, std::uint64_t now) {
    Train& train = trains_[arrival.port];
    if (now - train.last > 2 * time(arrival.bytes, port_)) train.first = now;
    train.last = now;
    return now - train.first;
  }

  std::uint64_t wait_, hold_;
  double port_, line_;
  std::unordered_map<std::uint64_t, Flow> flows_;              ///< of sources here; never iterated
  std::unordered_map<std::uint32_t, std::vector<Seen>> seen_;  ///< by destination here; never iterated
  std::unordered_map<std::uint64_t, Train> trains_;            ///< by port here; never iterated
};

}  // namespace psim::net
