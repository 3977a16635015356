// SPDX-License-Identifier: Apache-2.0
// The critical path of ranks on cycle-level nodes, recorded while they run (ranks/timeline/critical_path.h).
// A rank's present follows the marks of its first core. A message of the queues follows the store to the
// doorbell that submitted it. An event of the interface that ends a sleep in an MPI call makes the rank
// follow the message with the event; a rank that is awake then follows itself.
//
// Steps of nodes: Compute; Calls, the first core in an MPI call; Timer, the interface of a rank; Inside, that
// of two ranks; Message and Departure, the network; Collective, the barrier network.
//
// Operations that registers start (psim_nic.h without queues) have no marks of a wait, and are not followed.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cosim/marks.h"
#include "cosim/message_timeline.h"
#include "cosim/queue_interface.h"
#include "netsim/topology/topology.h"
#include "ranks/timeline/critical_path.h"
#include "ranks/timeline/message_times.h"

namespace psim::cosim {

/// The path to the end of the rank that ends last.
struct NodePath {
  std::uint32_t last = 0;
  std::vector<net::CriticalPath::Step> steps;
  std::vector<std::string> regions;  ///< Step::region - 1
};

class NodePaths {
 public:
  static constexpr std::size_t kMostRegions = 1'000;
  /// `places`: the network's node of each detailed node, each with `of_node` ranks. `period`: of a cycle, ps.
  /// `channel` returns the time of bytes on the channel of an interface, ps. `network` outlives this.
  NodePaths(const net::NetworkConfig& config, const net::Network& network,
            const std::vector<std::uint32_t>& places, std::uint32_t of_node, std::uint64_t period,
            std::function<std::uint64_t(std::uint64_t)> channel);
  NodePaths(const NodePaths&) = delete;

  /// Returns the listener for the marks of the first core of a rank.
  /// `cycle` returns the core's present one.
  MarkListener& marks(std::uint32_t rank, std::function<std::uint64_t()> cycle) {
    ranks_[rank].cycle = std::move(cycle);
    return ranks_[rank];
  }

  // All times are ps.
  /// A store to the doorbell of the queues leaves a core at `time`: descriptors before `tail` are written.
  void rang(std::uint32_t rank, std::uint64_t tail, std::uint64_t time);
  /// The interface performs a descriptor, which completes at `ends` ends: here, at the peer, or both.
  /// `answered`: here when the peer has answered.
  void begun(std::uint32_t rank, std::uint64_t number, std::uint32_t peer, unsigned ends, bool answered);
  /// A packet enters the network.
  void entered(const QueuePacket& packet, std::uint64_t bytes, std::uint64_t time);
  void delivered(const QueuePacket& packet, std::uint64_t time);
  /// A completion of the message with this message_id() has been written for `rank`.
  void completed(std::uint32_t rank, std::uint64_t message, std::uint64_t time);
  /// The rank has set the S-flag of a group of nodes; all flags of the group are cleared at the rank.
  void flagged(std::uint32_t rank, std::uint64_t group, std::uint64_t time);
  void cleared(std::uint32_t rank, std::uint64_t group, std::uint64_t time);
  /// The interface signals what was completed or cleared last. `slept`: a core of the rank slept.
  void signalled(std::uint32_t rank, bool slept, std::uint64_t time);

  /// Returns the path of a rank, after the simulation, up to `time`.
  NodePath path(std::uint32_t rank, std::uint64_t time);

 private:
  using Chain = net::CriticalPath::Chain;
  using Kind = net::CriticalPath::Kind;

  /// The present of a rank, by the marks of its first core.
  class OfRank final : public MarkListener {
   public:
    OfRank(NodePaths& paths, std::uint32_t number) : paths_(paths), number_(number) {}
    void on_mark(const isa::RegionMarker& mark, const pipeline::Totals& totals) override;
    /// Adds the time up to `now`. Returns the rank's present, which may be later than `now`.
    std::uint64_t spend(std::uint64_t now);
    /// The rank follows an event of `time`.
    void follow(std::uint64_t time) { present_ = time; }

    bool in_call() const { return place_.in_call(); }

    std::function<std::uint64_t()> cycle;
    std::uint64_t tail = 0;  ///< descriptors written
    Chain news = 0;          ///< to the event that the interface is to signal
    std::uint64_t news_time = 0;

   private:
    NodePaths& paths_;
    const std::uint32_t number_;
    MarkedPlace place_;
    std::uint32_t region_ = 0;  ///< number of the innermost; 0: none
    std::uint64_t present_ = 0;
  };
  /// One way of a message through the network.
  struct Leg {
    std::uint64_t first = 0, delivered = 0;  ///< of the first packet, of the last one
    std::uint64_t bytes = 0;
    std::uint64_t channel = 0;  ///< the channel carries its packets until then
    std::uint64_t gaps = 0;     ///< in which the channel waited for its data
  };
  struct Flight {
    Chain chain = 0;
    std::uint64_t rang = 0;  ///< end of the chain
    std::uint32_t peer = 0;
    unsigned ends = 0;
    bool answered = false;
    std::array<Leg, 3> legs;  ///< MessagePacket::Leg
  };

  using Flights = std::unordered_map<std::uint64_t, Flight>;  ///< by message_id()

  std::uint32_t number_of_region(const std::string& name);
  void end_of(Flights::iterator found);
  Leg* leg_of(const QueuePacket& packet);
  /// The time of a message: in the interface of its sender, in the network, and in the other interface.
  struct Parts {
    std::uint64_t before = 0, latency = 0, bandwidth = 0, network = 0;
    std::uint64_t bytes = 0;
  };
  Parts parts_of(const Flight& flight, std::uint32_t from, std::uint32_t to, std::uint64_t end, bool departs);
  void replace_news(std::uint32_t rank, Chain chain, std::uint64_t time);

  const std::vector<std::uint32_t> places_;
  const std::uint32_t of_node_;
  const std::uint64_t period_;
  const std::function<std::uint64_t(std::uint64_t)> channel_;
  net::CriticalPath path_;
  net::MessageTimes times_;
  std::deque<OfRank> ranks_;
  Flights flights_;
  /// The S-flag that was set last.
  struct Flag {
    Chain chain = 0;
    std::uint32_t rank = 0;
    std::uint64_t set = 0;
  };
  std::map<std::uint64_t, Flag> flags_;  ///< by group
  std::map<std::string, std::uint32_t> region_numbers_;
  std::vector<std::string> regions_;
};

}  // namespace psim::cosim
