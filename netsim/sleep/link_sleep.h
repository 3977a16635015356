// SPDX-License-Identifier: Apache-2.0
// On/Off links (paper 002, figure 1): each direction of a link is active, in low power, or waking. It goes to
// low power after T_s without packets and requests; the next packet then waits T_w. The state follows from
// the time at which the direction became idle, so it needs no events: it is evaluated when a packet requests
// the direction, and at the end.
//
// With link.sleep.chunk, a direction with T_s = 0 also goes to low power after each chunk of a packet, and
// after a packet that the next one follows without a gap (docs/decisions/0099).
//
// Owners of awake directions are counted on request (docs/decisions/0029). A direction belongs to the owner
// of the last packet that was granted it or woke it, until it goes to low power.
//
// Directions are outputs: those of routers, as in Graph::channels, to routers and to nodes; then those of
// nodes, by node and port. Times are counted here; energy/link_energy.h computes energy from them.
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
#include "netsim/statistics/link_history.h"
#include "netsim/statistics/time_bins.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net {

class LinkSleep {
 public:
  /// The state of one direction. One cache line each, because accesses have no order.
  struct alignas(64) Direction {
    std::uint64_t low = 0;  ///< ps in low power
    /// ps; a later time of the port (its other direction, the end of the run) has precedence
    std::uint64_t idle_since = 0;
    std::uint64_t owned_since = 0;  ///< ps; if owners are counted
    std::uint64_t awake_at = 0;     ///< ps; the end of its last wake-up that a packet waited for
    Habit habit;                    ///< SleepPolicy::Predict
    std::uint32_t wakes = 0;
    std::uint32_t kind = kNotThere;  ///< index into kinds()
    std::uint8_t owner = kNoOwner;
  };
  static constexpr std::uint32_t kNotThere = 0xffffffff;     ///< an unused port
  static constexpr std::uint64_t kBusy = ~std::uint64_t{0};  ///< idle_since of a requested direction
  static constexpr std::uint8_t kNoOwner = 0;

  /// An owner's share of awake time.
  struct Share {
    std::uint64_t awake = 0;  ///< ps, all directions; of kNoOwner, including low power
    std::uint64_t wakes = 0;  ///< rests that its packets ended
  };

  /// `owners`: their number, 1 … 255; 0: not counted.
  LinkSleep(const SleepConfig& config, const Graph& graph, std::uint32_t owners = 0);

  /// Reports every rest to `history`, which must outlive this.
  void attach(LinkHistory& history) { history_ = &history; }

  SleepPolicy policy() const { return policy_; }
  /// Returns whether an arrival at a port counts as use of its output.
  bool by_port() const { return policy_ == SleepPolicy::Port; }
  /// Returns the time below which an idle direction never rests, ps: request() is then unnecessary.
  std::uint64_t least_idle() const { return least_idle_; }

  std::size_t of_router(std::uint32_t router, std::uint32_t port) const {
    return std::size_t{graph_.first_port[router]} + port;
  }
  std::size_t of_node(std::uint32_t node, std::uint32_t port) const {
    return graph_.channels.size() + std::size_t{node} * graph_.node_ports + port;
  }

  /// Prefetches the state of a direction.
  void prefetch(std::size_t direction) const { prefetch_line(&directions_[direction]); }
  /// Requests a direction for a packet of `owner` at `now`, ps; it has been idle since its last packet had
  /// passed at `since` < `now`. Returns when it can take the packet: `now`, or later; then it is in use until
  /// that time.
  std::uint64_t request(std::size_t direction, std::uint64_t since, std::uint64_t now, std::uint8_t owner);
  /// Returns whether directions with T_s = 0 go to low power between chunks: then pass() is called for every
  /// packet that is granted a direction.
  bool between_chunks() const { return chunk_ != 0; }
  /// The waits of a packet for a direction that goes to low power after each chunk, ps.
  struct Waits {
    std::uint64_t first = 0;  ///< of the first chunk
    std::uint64_t all = 0;    ///< of all chunks, the first included
  };
  /// Grants a direction to a packet of `owner` at `now`, ps; `since` <= `now`: it was in use until then.
  Waits pass(std::size_t direction, std::uint64_t since, std::uint64_t now, std::uint64_t bytes,
             std::uint8_t owner);
  /// For by_port(): notes that the other direction of the port carries a packet from `now` until `until`, ps.
  void carry_reverse(std::size_t direction, std::uint64_t now, std::uint64_t until, std::uint8_t owner) {
    if (counts_owners()) take(direction, now, owner);
    settle(direction, until);
  }
  /// Returns whether owners are counted: then take() is called for every packet that is granted a direction.
  bool counts_owners() const { return !shares_.empty(); }
  void take(std::size_t direction, std::uint64_t now, std::uint8_t owner) {
    if (directions_[direction].owner != owner) hand_over(directions_[direction], now, owner);
  }

  /// Notes that a direction is idle since `since`, or kBusy; at the end of the run also on behalf of the
  /// routers of this host process.
  void settle(std::size_t direction, std::uint64_t since) {
    directions_[direction].idle_since = std::max(directions_[direction].idle_since, since);
  }
  /// Writes the counts of routers `first` … `end` - 1; reads them on the process that sums up.
  void write(Parcel& parcel, std::uint32_t first, std::uint32_t end) const;
  void read(Parcel& parcel, std::uint32_t first, std::uint32_t end);
  /// Ends the run at `time`, ps: counts the rests that last until then.
  void finish(std::uint64_t time);

  // After finish().
  std::uint64_t time() const { return time_; }
  const std::vector<Direction>& directions() const { return directions_; }
  /// Returns the names of kinds of directions: those of the graph, "to nodes", "from nodes".
  const std::vector<std::string>& kinds() const { return kinds_; }
  /// Returns the time in low power, by kind and over time.
  const TimeBins& low() const { return low_; }
  /// Returns the shares by owner, kNoOwner first; empty if they are not counted. Their sum is the time of all
  /// directions.
  const std::vector<Share>& shares() const { return shares_; }

 private:
  /// Visits the directions of routers `first` … `end` - 1 and of their nodes.
  template <class Visit>
  void each_of(std::uint32_t first, std::uint32_t end, Visit visit) const {
    for (std::size_t i = graph_.first_port[first]; i < graph_.first_port[end]; ++i) visit(i);
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node)
      if (graph_.node_router[node] >= first && graph_.node_router[node] < end)
        for (std::uint32_t port = 0; port < graph_.node_ports; ++port) visit(of_node(node, port));
  }
  /// Counts low power of `length` ps from `begin`; the direction then belongs to `next`.
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
  std::uint64_t chunk_;                     ///< bytes; 0: packets are not cut
  std::uint64_t after_[kCableClasses + 1];  ///< T_s by class of cable, and of links of nodes
  std::uint64_t least_idle_;
  std::uint32_t first_of_nodes_;  ///< kinds from here on are links of nodes
  std::vector<std::string> kinds_;
  std::vector<Direction> directions_;
  TimeBins low_;
  std::vector<Share> shares_;
  LinkHistory* history_ = nullptr;  ///< null: none
  std::uint64_t time_ = 0;
};

}  // namespace psim::net
