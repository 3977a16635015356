// SPDX-License-Identifier: Apache-2.0
// The routers: input-buffered, pipelined, virtual cut-through, with one packet event per hop and no flits.
//
// The head of a packet requests an output `routing` after its arrival. An output grants one packet at a time.
// The packet's input must be free, and the next buffer must have room for its whole length (network.md:
// "admits only when the whole packet fits downstream"). Granted at g, the head arrives at the next router at
// g + vc_allocation + switch_allocation + traversal + cable. Output and input stay busy until the tail has
// left at g + d. The length d is the serialisation, or the time until the tail arrives at the input, if that
// is longer. The credits reach the upstream router credit_delay after that. All times are exact to the
// picosecond against the flit-level reference of the tests.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "base/rate.h"
#include "base/statistics/statistic.h"
#include "netsim/config/network_config.h"
#include "netsim/engine/engine.h"
#include "netsim/fabric/grant_log.h"
#include "netsim/fabric/hop_log.h"
#include "netsim/fabric/link_errors.h"
#include "netsim/fabric/router_state.h"
#include "netsim/packet/packet.h"
#include "netsim/parallel/parcel.h"
#include "netsim/routing/dimension_order.h"
#include "netsim/sleep/link_sleep.h"
#include "netsim/statistics/occupancy.h"
#include "netsim/statistics/time_bins.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net {

class LinkHistory;
class Watch;

/// Traffic counters of one direction of a link.
struct ChannelCount {
  std::uint64_t busy = 0;  ///< ps during which packets passed
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;  ///< headers included
};

/// Packets in the routers of this process; after Fabric::read(), of others too.
struct FabricStats : statistics::Group {
  /// `count_grants` returns the packets that left the routers.
  explicit FabricStats(std::function<std::uint64_t()> count_grants)
      : grants(*this, "grants", "packets", "grants of outputs of routers, to links and to nodes",
               std::move(count_grants)) {}
  Counter packet_hops{*this, "packet_hops", "packet-hops", "packets that crossed a link between two routers"};
  Computed grants;
  Counter waits{*this, "waits", "packets", "packets that waited for their output at the head of a buffer"};
  Counter wait_ps{*this};
  Ratio wait{
      *this,    "wait", "seconds/packet", "from the request for an output to its grant, per grant", {wait_ps},
      {grants}, 1e-12};
  Counter credit_stalls{
      *this, "credit_stalls", "packets",
      "packets that waited, output and crossbar input being free, for credit or a link's wake-up"};
  Counter stall_ps{*this};
  Ratio stall{*this,           "credit_stall", "seconds/packet", "time of such a wait", {stall_ps},
              {credit_stalls}, 1e-12};
};

class Fabric : public LocalLoad {
 public:
  /// Returns whether the faster FabricService<true> can serve it.
  static bool one_line(const NetworkConfig& config, const Graph& graph);
  /// Returns the least time between a grant and an event it causes at another router, ps.
  static std::uint64_t lookahead(const NetworkConfig& config);
  /// Returns the same for a router at the other end of such a cable, in either direction.
  static std::uint64_t lookahead(const NetworkConfig& config, CableClass cable);

  /// Puts a packet from a node into the input buffer of its port at `time`, ps, when its head may request an
  /// output. The caller has checked that there is room.
  /// Returns its slot.
  [[gnu::hot]] std::uint32_t inject(std::uint64_t time, std::uint16_t port, std::uint8_t vc,
                                    const Packet& packet);
  /// Sets the number of a packet, which it keeps until its release.
  void set_number(std::uint32_t slot, std::uint32_t number) { slots_[slot].number = number; }
  /// Returns the number of the packet of an Ejected.
  std::uint32_t number(const Event& ejected) const { return slots_[slot_of(ejected)].number; }
  /// Removes the mark of congestion of the packet of an Ejected, and returns whether there was one.
  bool take_mark(const Event& ejected) { return std::exchange(slots_[slot_of(ejected)].marked, false); }

  /// Reports every grant from now on to `log`, which must outlive this.
  void attach(GrantLog& log) {
    log_ = &log;
    reports_grants_ = true;
  }

  /// Reports every hop of every packet from now on to `log`, which must outlive this.
  void attach(HopLog& log) {
    hops_ = &log;
    reports_grants_ = true;
  }

  /// Reports the traffic of chosen channels to `watch`, which must outlive this.
  void attach(Watch& watch) {
    watch_ = &watch;
    reports_grants_ = true;
  }
  /// Reports the traffic of all channels to `history`, which must outlive this.
  void attach(LinkHistory& history) {
    history_ = &history;
    reports_grants_ = true;
  }
  /// Serves each arrival and credit in order, and grants outputs by arbitration only, also where that makes
  /// no difference.
  void serve_each_event() { shortens_ = false; }

  /// Takes the arrival of a packet from another process, between windows.
  void receive(const PacketEvent& event);
  /// Keeps a packet until release(); returns the data of the event Ejected.
  std::uint64_t hold(const Packet& packet);
  Packet release(const Event& ejected) {
    const Packet packet = slots_[slot_of(ejected)].packet;
    free_slot(slot_of(ejected));
    return packet;
  }
  /// Returns the packet of an Arrival or an Ejected that has not been served.
  const Packet& packet(const Event& event) const { return slots_[slot_of(event)].packet; }
  void prefetch_packet(const Event& event) const { prefetch_slot(slot_of(event)); }
  /// The packets in the buffer of an input's virtual channel.
  struct Waiting {
    std::uint32_t packets = 0;
    std::uint64_t bytes = 0;
    std::uint64_t since = 0;  ///< ps; when the first could request an output
  };
  Waiting waiting(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
  std::uint32_t virtual_channels() const { return vcs_; }

  // The data of events with packets.
  static std::uint64_t data_of(std::uint32_t slot, std::uint32_t more) {
    return slot | std::uint64_t{more} << 32;
  }
  /// Prefetches a slot, without a branch; there may be none of this number, so its address is only a number.
  void prefetch_slot(std::uint32_t slot) const {
    const auto first = reinterpret_cast<std::uintptr_t>(slots_.data());
    prefetch_line(reinterpret_cast<const void*>(first + slot * sizeof(Slot)));
  }
  static std::uint32_t slot_of(const Event& event) { return static_cast<std::uint32_t>(event.data); }
  static std::uint32_t output_of_arrival(const Event& event) {
    return static_cast<std::uint32_t>(event.data >> 32);
  }
  static std::uint32_t message_of(const Event& ejected) {
    return static_cast<std::uint32_t>(ejected.data >> 32);
  }

  /// Returns the output that a Freed frees, else its input.
  static std::uint32_t output_of(const Event& event) {
    return event.data != 0 ? static_cast<std::uint32_t>(event.data - 1) : event.port;
  }

  /// Returns the errors of links; null: there are none.
  const LinkErrors* errors() const { return errors_ ? &*errors_ : nullptr; }
  /// Repetitions of packets by routers.
  struct Retries {
    std::uint64_t packets = 0;
    std::uint64_t delay = 0;  ///< ps
  };
  const Retries& retries() const { return retries_; }

  std::uint64_t packet_hops() const { return stats_.packet_hops; }
  const FabricStats& stats() const { return stats_; }
  /// Returns the counters of the channel that leaves a router by a port.
  ChannelCount count(std::uint32_t router, std::uint32_t port) const;
  /// Returns the busy time of channels, by kind (Graph::kinds) and over time.
  const TimeBins& busy() const { return busy_; }
  /// Returns the present occupancy of the virtual channels of this process's links.
  OccupancyClasses occupancy() const;
  /// Writes the counters of this process; reads them on the process that sums up, from `process`.
  void write(Parcel& parcel) const;
  void read(Parcel& parcel, std::uint32_t process);
  /// Reports to LinkSleep since when the outputs of this process are idle.
  void settle();
  std::uint64_t in_flight() const { return held_; }  ///< packets between their injection and their ejection

 protected:
  /// `seed` is for random routings. `sleep` is null if links do not sleep.
  Fabric(const NetworkConfig& config, const Graph& graph, const Routing& routing, Engine& engine,
         std::uint64_t seed, LinkSleep* sleep);

  static constexpr std::uint32_t kNone = InputVc::kNone;
  static constexpr unsigned kTenthShift = 60;

  struct alignas(64) Slot {
    Packet packet;
    std::uint64_t since = 0;  ///< when its head can request
    std::uint32_t next = kNone;
    std::uint32_t number = 0;  ///< set_number()
    bool marked = false;       ///< by a router with congestion; false in free slots
  };
  struct Cable {  ///< of one class
    Rate rate;
    bool common = true;        ///< Packet::serial is its serialisation
    std::uint64_t delay = 0;   ///< from grant to the head's request at the other end
    std::uint64_t credit = 0;  ///< from tail to credit at the other end
  };

  /// Returns the bytes of the next buffer that a packet takes.
  std::uint32_t room_of(const Packet& packet) const { return bubble_ == 0 ? packet.bytes : bubble_; }
  /// Returns the tenth of its buffer that a virtual channel with `taken` bytes in use or reserved has
  /// reached.
  std::uint32_t tenth(std::uint32_t taken) const {
    return static_cast<std::uint32_t>(taken * tenths_ >> kTenthShift);
  }
  /// Counts a change of a virtual channel's credits from `before` to `now` bytes.
  void count_room(std::uint32_t before, std::uint32_t now) {
    --occupancy_[tenth(buffer_ - before)];
    ++occupancy_[tenth(buffer_ - now)];
  }

  static std::uint64_t plenty(const NetworkConfig& config);
  std::uint32_t take_slot();
  void free_slot(std::uint32_t slot) {
    slots_[slot].next = free_slot_;
    free_slot_ = slot;
    --held_;
  }
  /// Sends a packet to a router of another process.
  void send_away(const PortHead& out, std::uint8_t vc, std::uint32_t slot);
  void schedule_arrival(std::uint32_t router, std::uint16_t port, std::uint8_t vc, std::uint32_t slot) {
    auto& event = engine_.schedule(slots_[slot].since, router, EventKind::Arrival);
    event.port = port;
    event.vc = vc;
    event.data = data_of(slot, slots_[slot].packet.route.port);
  }
  /// Returns the route of a packet in the router being served, or in `router`.
  Route route(std::uint32_t port, std::uint32_t vc, Packet& packet) const {
    return route(engine_.router(), static_cast<std::uint16_t>(port), static_cast<std::uint8_t>(vc), packet);
  }
  Route route(std::uint32_t router, std::uint16_t port, std::uint8_t vc, Packet& packet) const {
    if (dimension_order_ != nullptr) [[likely]]
      return dimension_order_->DimensionOrder::route(RouterId{router}, port, vc, packet, *this);
    return routing_.route(RouterId{router}, port, vc, packet, *this);
  }
  /// Counts the wait of a packet that is granted now: from `since`, when its request could be served, on. The
  /// output and the crossbar input are free from `free` on. Neither time is later than now.
  void count_wait(std::uint64_t since, std::uint64_t free) {
    const std::uint64_t now = engine_.now();
    assert(since <= now && free <= now);
    assert(may_stall_ || std::max(since, free) == now);
    const std::uint64_t wait = now - since;
    stats_.waits += wait != 0;  // without a branch, which would be unpredictable
    stats_.wait_ps += wait;
    if (!may_stall_) return;
    const std::uint64_t stall = now - std::max(since, free);
    stats_.credit_stalls += stall != 0;
    stats_.stall_ps += stall;
  }
  std::uint64_t count_grants() const;
  /// Reports a grant to observers. Returns the delay by errors of the link, ps.
  std::uint64_t report_grant(std::uint32_t output, Slot& slot, std::uint64_t length);
  void mark(std::uint32_t output, Slot& slot);
  /// Grants an output that was in use until `since` to a packet that takes `serial` and at least `length` ps,
  /// and reports it. Makes `start` later if the link has to send the packet again, `head`, when its head
  /// leaves, also if the link sleeps before the first chunk, and `length` greater if it sleeps between
  /// chunks.
  void take_output(std::uint32_t output, Slot& slot, std::uint64_t since, std::uint64_t serial,
                   std::uint64_t& length, std::uint64_t& start, std::uint64_t& head);

  const Graph& graph_;
  const Routing& routing_;
  const DimensionOrder* dimension_order_;  ///< routing_, if it is that: called without a table
  Engine& engine_;
  GrantLog* log_ = nullptr;  ///< null: none
  HopLog* hops_ = nullptr;   ///< null: none
  Watch* watch_ = nullptr;   ///< null: none
  LinkSleep* sleep_;         ///< null: links never sleep
  bool reports_grants_;      ///< observers, owners of links, errors of links or marks need them
  bool by_port_;             ///< LinkSleep::by_port()
  std::uint64_t seed_;
  std::uint32_t vcs_;
  std::uint32_t speedup_;
  bool by_age_;
  bool adaptive_;
  bool shortens_;            ///< the order of simultaneous events of the fabric makes no difference
  std::uint64_t to_output_;  ///< from grant until the head leaves the router
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
  std::uint64_t plenty_;      ///< bytes of credit that a channel cannot use up within a window
  std::uint32_t bubble_ = 0;  ///< largest_, for a bubble() scheme

  TimeBins busy_;
  /// Virtual channels by tenth(): 10 if the buffer is full.
  std::array<std::uint64_t, std::size_t{1} << (64 - kTenthShift)> occupancy_{};
  /// Only a credit ends a stall: it arrived in this round. Always true where packets change their routes or
  /// links sleep.
  bool may_stall_ = false;
  bool always_may_stall_ = false;
  FabricStats stats_{[this] { return count_grants(); }};
  std::uint64_t held_ = 0;
  LinkHistory* history_ = nullptr;  ///< null: none
  std::optional<LinkErrors> errors_;
  std::optional<CongestionConfig> marks_;  ///< of routers that mark packets
  Retries retries_;
};

}  // namespace psim::net
