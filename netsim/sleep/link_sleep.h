// SPDX-License-Identifier: Apache-2.0
// On/Off links (paper 002, figure 1): each direction of a link is active, in low power, or waking. It goes to
// low power when it has carried nothing and nobody has asked for it for T_s; the packet that then asks waits
// T_w. The state is a function of when the direction became idle, so no event is spent on it: it is looked at
// when a packet asks, and at the end.
//
// Whose doing it is that a direction is awake can be told, too (docs/decisions/0029): it belongs to an owner
// from when a packet of its is granted it or wakes it until it goes to low power, or a packet of another gets
// it.
//
// Directions are outputs: those of routers, as in Graph::channels, to routers and to nodes; then those of
// nodes, by node and port. What is counted here is time; power is others' business (energy/link_energy.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "netsim/config/network_config.h"
#include "netsim/engine/partition.h"
#include "netsim/engine/prefetch.h"
#include "netsim/parallel/parcel.h"
#include "netsim/sleep/policy.h"
#include "netsim/statistics/time_bins.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net {

class LinkSleep {
 public:
  /// What one direction did. A line of cache each: which of them is next has no order.
  struct alignas(64) Direction {
    std::uint64_t low = 0;  ///< ps in low power
    /// ps; what others know better goes first: the port's other direction, the end
    std::uint64_t idle_since = 0;
    std::uint64_t owned_since = 0;  ///< ps; where owners are counted
    Habit habit;                    ///< SleepPolicy::Predict
    std::uint32_t wakes = 0;
    std::uint32_t kind = kNotThere;  ///< index into kinds()
    std::uint8_t owner = kNobody;
  };
  static constexpr std::uint32_t kNotThere = 0xffffffff;     ///< an unused port
  static constexpr std::uint64_t kBusy = ~std::uint64_t{0};  ///< idle_since of one that is asked for
  static constexpr std::uint8_t kNobody = 0;

  /// What the packets of an owner kept awake.
  struct Share {
    std::uint64_t awake = 0;  ///< ps, all directions; of kNobody, low power too
    std::uint64_t wakes = 0;  ///< rests that its packets ended
  };

  /// `owners`: how many there are, 1 … 255; 0: they are not told apart.
  LinkSleep(const SleepConfig& config, const Graph& graph, std::uint32_t owners = 0);

  SleepPolicy policy() const { return policy_; }
  /// Whether what comes in by a port counts for what goes out by it.
  bool by_port() const { return policy_ == SleepPolicy::Port; }
  /// What is idle for less than this never rests, ps: no need to request().
  std::uint64_t least_idle() const { return least_idle_; }

  std::size_t of_router(std::uint32_t router, std::uint32_t port) const {
    return std::size_t{graph_.first_port[router]} + port;
  }
  std::size_t of_node(std::uint32_t node, std::uint32_t port) const {
    return graph_.channels.size() + std::size_t{node} * graph_.node_ports + port;
  }

  /// A direction will soon be asked for.
  void prefetch(std::size_t direction) const { prefetch_line(&directions_[direction]); }
  /// A packet asks for a direction that nobody has asked for since its last packet passed, at `since` <
  /// `now`, ps. When it can take the packet: `now`, or later, and then it is in use until that. `owner`:
  /// whose packet it is.
  std::uint64_t request(std::size_t direction, std::uint64_t since, std::uint64_t now, std::uint8_t owner);
  /// For by_port(): the other direction of the port carries a packet from `now` until `until`, ps.
  void carry_reverse(std::size_t direction, std::uint64_t now, std::uint64_t until, std::uint8_t owner) {
    if (counts_owners()) take(direction, now, owner);
    settle(direction, until);
  }
  /// Whether take() is to be called of every packet that gets a direction.
  bool counts_owners() const { return !shares_.empty(); }
  void take(std::size_t direction, std::uint64_t now, std::uint8_t owner) {
    if (directions_[direction].owner != owner) hand_over(directions_[direction], now, owner);
  }

  /// The end of the run, as far as routers of this host process know: a direction is idle since `since`, or
  /// kBusy.
  void settle(std::size_t direction, std::uint64_t since) {
    directions_[direction].idle_since = std::max(directions_[direction].idle_since, since);
  }
  /// What was counted here for routers `first` … `end`, for the process that sums up; there.
  void write(Parcel& parcel, std::uint32_t first, std::uint32_t end) const;
  void read(Parcel& parcel, std::uint32_t first, std::uint32_t end);
  /// The run ended at `time`, ps: counts the rests that last until then.
  void finish(std::uint64_t time);

  // After finish().
  std::uint64_t time() const { return time_; }
  const std::vector<Direction>& directions() const { return directions_; }
  /// Names of kinds of directions: those of the graph, "to nodes", "from nodes".
  const std::vector<std::string>& kinds() const { return kinds_; }
  /// Time in low power, by kind and over time.
  const TimeBins& low() const { return low_; }
  /// By owner, kNobody first; empty if they are not told apart. Together, all directions' time.
  const std::vector<Share>& shares() const { return shares_; }

 private:
  /// Directions of routers `first` … `end` - 1 and of their nodes.
  template <class Visit>
  void each_of(std::uint32_t first, std::uint32_t end, Visit visit) const {
    for (std::size_t i = graph_.first_port[first]; i < graph_.first_port[end]; ++i) visit(i);
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node)
      if (graph_.node_router[node] >= first && graph_.node_router[node] < end)
        for (std::uint32_t port = 0; port < graph_.node_ports; ++port) visit(of_node(node, port));
  }
  /// In low power for `length` ps from `begin`; then it is `next`'s.
  void add(Direction& direction, std::uint64_t begin, std::uint64_t length, std::uint8_t next);
  void hand_over(Direction& direction, std::uint64_t now, std::uint8_t owner);
  void finish(Direction& direction, std::uint64_t after);
  std::uint64_t after(std::size_t direction) const { return after_[class_of(direction)]; }
  std::size_t class_of(std::size_t direction) const {
    if (directions_[direction].kind >= first_of_nodes_) return kCableClasses;
    return static_cast<std::size_t>(graph_.channels[direction].cable);
  }

  const Graph& graph_;
  SleepPolicy policy_;
  std::uint64_t wake_;
  std::uint64_t after_[kCableClasses + 1];  ///< T_s by class of cable, and of links of nodes
  std::uint64_t least_idle_;
  std::uint32_t first_of_nodes_;  ///< kinds from here on are links of nodes
  std::vector<std::string> kinds_;
  std::vector<Direction> directions_;
  TimeBins low_;
  std::vector<Share> shares_;
  std::uint64_t time_ = 0;
};

}  // namespace psim::net
