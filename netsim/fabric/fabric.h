// SPDX-License-Identifier: Apache-2.0
// The routers: input-buffered, pipelined, virtual cut-through, one packet-event a hop; never a flit.
//
// The head of a packet asks for an output `routing` after it arrived. An output takes one packet at a time,
// of those whose input is free and whose whole length has room in the next buffer (network.md: "admits only
// when the whole packet fits downstream"). Granted at g, the head arrives at the next router at g +
// vc_allocation + switch_allocation + traversal + cable; output and input stay taken until the tail has left,
// its length d later: the serialisation, or what the input's own tail is behind, whichever is longer. The
// room it leaves is known upstream credit_delay after that. All times are exact to the picosecond against the
// flit-level reference of the tests.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/rate.h"
#include "netsim/config/network_config.h"
#include "netsim/engine/engine.h"
#include "netsim/fabric/grant_log.h"
#include "netsim/fabric/router_state.h"
#include "netsim/packet/packet.h"
#include "netsim/parallel/parcel.h"
#include "netsim/routing/dimension_order.h"
#include "netsim/sleep/link_sleep.h"
#include "netsim/statistics/occupancy.h"
#include "netsim/statistics/time_bins.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net {

class Watch;

/// What one direction of a link has carried.
struct ChannelCount {
  std::uint64_t busy = 0;  ///< ps during which packets passed
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;  ///< headers included
};

class Fabric : public LocalLoad {
 public:
  /// Whether FabricService<true> serves it, which has less to compute.
  static bool one_line(const NetworkConfig& config, const Graph& graph);
  /// The least time between a grant and an event it causes at another router, ps.
  static std::uint64_t lookahead(const NetworkConfig& config);

  /// Puts a packet from a node into the input buffer of its port at `time`, ps, when its head may ask. The
  /// caller has seen that there is room.
  void inject(std::uint64_t time, std::uint16_t port, std::uint8_t vc, const Packet& packet);

  /// Every packet that gets an output from now on is told to `log`, which must outlive this.
  void attach(GrantLog& log) {
    log_ = &log;
    reports_grants_ = true;
  }

  /// Everything that passes chosen channels is told to `watch`, which must outlive this.
  void attach(Watch& watch) {
    watch_ = &watch;
    reports_grants_ = true;
  }
  /// Packets in the buffer of an input's virtual channel.
  struct Waiting {
    std::uint32_t packets = 0;
    std::uint64_t bytes = 0;
    std::uint64_t since = 0;  ///< ps; when the first of them could ask for an output
  };
  Waiting waiting(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
  std::uint32_t virtual_channels() const { return vcs_; }

  /// Of a Freed: an output that is free then, else its input.
  static std::uint32_t output_of(const ShortEvent& event) {
    return event.data != 0 ? static_cast<std::uint32_t>(event.data - 1) : event.port;
  }

  std::uint64_t packet_hops() const { return packet_hops_; }
  /// By port of the graph.
  ChannelCount count(std::size_t channel) const;
  /// Time that packets passed, by kind of channel (Graph::kinds) and over time.
  const TimeBins& busy() const { return busy_; }
  /// The virtual channels of this process's links now.
  const OccupancyClasses& occupancy() const { return occupancy_; }
  /// What was counted here, for the process that sums up; there, from `process`.
  void write(Parcel& parcel) const;
  void read(Parcel& parcel, std::uint32_t process);
  /// Tells LinkSleep since when the outputs here are idle.
  void settle();
  std::uint64_t in_buffers() const { return stored_; }  ///< packets waiting now

 protected:
  /// `seed`: of what random routings draw. `sleep`: of links that sleep, or null.
  Fabric(const NetworkConfig& config, const Graph& graph, const Routing& routing, Engine& engine,
         std::uint64_t seed, LinkSleep* sleep);

  static constexpr std::uint32_t kNone = InputVc::kNone;

  struct alignas(64) Slot {
    Packet packet;
    std::uint64_t since = 0;  ///< when its head could ask
    std::uint32_t next = kNone;
  };
  struct Cable {  ///< of one class
    Rate rate;
    bool common = true;        ///< Packet::serial is its serialisation
    std::uint64_t delay = 0;   ///< from grant to the head's asking at the other end
    std::uint64_t credit = 0;  ///< from tail to credit at the other end
  };

  /// What a packet takes of the next buffer.
  std::uint32_t room_of(const Packet& packet) const { return bubble_ == 0 ? packet.bytes : bubble_; }
  /// Of a virtual channel of which `taken` bytes are taken or promised.
  std::uint32_t occupancy_class(std::uint32_t taken) const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(taken * tenths_ >> 60, 9));
  }
  /// A virtual channel has `now` bytes of credit and had `before`.
  void count_room(std::uint32_t before, std::uint32_t now) {
    --occupancy_[occupancy_class(buffer_ - before)];
    ++occupancy_[occupancy_class(buffer_ - now)];
  }

  static std::uint64_t plenty(const NetworkConfig& config);
  /// Of a packet in the router being served, or in `router`.
  Route route(std::uint32_t port, std::uint32_t vc, Packet& packet) const {
    return route(engine_.router(), static_cast<std::uint16_t>(port), static_cast<std::uint8_t>(vc), packet);
  }
  Route route(std::uint32_t router, std::uint16_t port, std::uint8_t vc, Packet& packet) const {
    if (dimension_order_ != nullptr) [[likely]]
      return dimension_order_->DimensionOrder::route(RouterId{router}, port, vc, packet, *this);
    return routing_.route(RouterId{router}, port, vc, packet, *this);
  }
  void report_grant(std::uint32_t output, const Slot& slot, std::uint64_t length);
  /// Of a channel: its router and its port there.
  std::pair<RouterStates::Router<>, std::uint32_t> find(std::size_t channel) const;

  const Graph& graph_;
  const Routing& routing_;
  const DimensionOrder* dimension_order_;  ///< routing_, if it is that: called without a table
  Engine& engine_;
  GrantLog* log_ = nullptr;  ///< null: nobody asked
  Watch* watch_ = nullptr;   ///< null: nobody asked
  LinkSleep* sleep_;         ///< null: links never sleep
  bool reports_grants_;      ///< somebody wants to hear of grants
  bool by_port_;             ///< LinkSleep::by_port()
  std::uint64_t seed_;
  std::uint32_t vcs_;
  std::uint32_t speedup_;
  bool by_age_;
  bool adaptive_;
  bool uses_credits_;        ///< the routing asks for credits
  std::uint64_t to_output_;  ///< from grant to the head's leaving the router
  std::uint64_t ejection_delay_;
  std::uint64_t injection_credit_;
  Cable cables_[kCableClasses];  ///< between routers
  bool one_class_ = true;        ///< all cables are usual ones
  Rate ejection_;                ///< to a node
  bool ejection_common_;

  RouterStates states_;
  HugeVector<Slot> slots_;
  std::uint32_t free_slot_ = kNone;
  std::uint32_t buffer_;
  std::uint32_t largest_;  ///< bytes of a packet, headers included
  std::uint64_t
      tenths_;  ///< 10 · 2^60 / buffer_, rounded up: no quotient of a buffer below 2^30 is off by it
  std::uint64_t plenty_;      ///< bytes of credit that no channel uses up within a window
  std::uint32_t bubble_ = 0;  ///< largest_, for a bubble() scheme

  TimeBins busy_;
  OccupancyClasses occupancy_{};
  std::uint64_t packet_hops_ = 0;
  std::uint64_t stored_ = 0;
};

}  // namespace psim::net
