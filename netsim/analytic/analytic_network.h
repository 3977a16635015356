// SPDX-License-Identifier: Apache-2.0
// The analytic network: a message of s bytes takes l + s/w, and a time for each link on its route between
// routers. Messages do not disturb each other, at interfaces neither (paper 003, 3.5). Messages inside a node
// are not its business.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rate.h"
#include "netsim/config/network_config.h"
#include "netsim/routing/routing.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net {

/// The times at which messages arrive, so that none overtakes an earlier one of the same two ranks. Memory
/// grows with the messages in flight.
class ArrivalOrder {
 public:
  /// Returns the arrival of a message that would arrive at `arrival`: not before its predecessors. `pair`:
  /// the two ranks; `now`: at most `arrival`.
  std::uint64_t after_earlier(std::uint64_t pair, std::uint64_t now, std::uint64_t arrival) {
    std::size_t at = first_place(pair);
    std::size_t free = kNone;
    for (std::size_t tries = 0; tries < kMostTries; ++tries, at = (at + 1) & mask_) {
      Slot& slot = slots_[at];
      if (slot.pair == pair) {
        slot.last = std::max(slot.last, arrival);
        return slot.last;
      }
      if (free == kNone && slot.last <= now) free = at;
    }
    if (free == kNone) {
      grow();
      return after_earlier(pair, now, arrival);
    }
    slots_[free] = {pair, arrival};
    return arrival;
  }

 private:
  // A pair has its slot within kMostTries of its first place; slots whose time has passed are free.
  static constexpr std::size_t kMostTries = 8, kNone = ~std::size_t{0};
  struct Slot {
    std::uint64_t pair = ~std::uint64_t{0};
    std::uint64_t last = 0;  ///< arrival of the pair's last message, ps
  };
  std::size_t first_place(std::uint64_t pair) const {
    return static_cast<std::size_t>(pair * 0x9e3779b97f4a7c15u >> 20) & mask_;
  }
  void grow();

  std::vector<Slot> slots_ = std::vector<Slot>(1 << 12);
  std::size_t mask_ = slots_.size() - 1;
};

class AnalyticNetwork {
 public:
  /// `graph` and `routing` must outlive it.
  AnalyticNetwork(const NetworkConfig& config, const Graph& graph, const Routing& routing);

  /// Returns the least time from a router to another, at most half of the least time of a message, so that
  /// a collective of that length has two parts. At least 1 ps.
  static std::uint64_t lookahead(const NetworkConfig& config);

  /// Returns s/w, ps; not of an ideal network.
  std::uint64_t transfer(std::uint64_t bytes) const { return rate_.time(bytes); }
  /// Returns the time of a message of no bytes between two nodes, ps.
  std::uint64_t latency(std::uint32_t from, std::uint32_t to) {
    if (!counts_hops_) return latency_;
    const std::uint64_t pair = std::uint64_t{from} << 32 | to;
    Known& known = known_[pair * 0x9e3779b97f4a7c15u >> (64 - kKnownBits)];
    if (known.pair != pair) known = {pair, latency_ + hops(from, to)};
    return known.latency;
  }
  /// Returns the time of a packet on the links between routers, from a port of a node to one of another, ps.
  std::uint64_t hops(std::uint32_t from, std::uint32_t to, std::uint32_t from_port = 0,
                     std::uint32_t to_port = 0) const;
  ArrivalOrder& order() { return order_; }

 private:
  static constexpr unsigned kKnownBits = 16;
  struct Known {
    std::uint64_t pair = ~std::uint64_t{0};
    std::uint64_t latency = 0;
  };

  const Graph& graph_;
  const Routing& routing_;
  Rate rate_;
  std::uint64_t latency_;
  std::uint64_t hop_[kCableClasses];  ///< of each class of cables, ps
  bool counts_hops_;
  std::vector<Known> known_;
  ArrivalOrder order_;
};

}  // namespace psim::net
