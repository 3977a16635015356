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

#include <cstdint>
#include <utility>
#include <vector>

#include "netsim/engine/engine.h"
#include "netsim/fabric/packet.h"
#include "netsim/fabric/rate.h"
#include "netsim/network_config.h"
#include "netsim/parallel/parcel.h"
#include "netsim/routing/routing.h"
#include "netsim/statistics/occupancy.h"
#include "netsim/statistics/time_bins.h"
#include "netsim/topology/graph.h"

namespace psim::net {

/// What one direction of a link has carried.
struct ChannelCount {
  std::uint64_t busy = 0;  ///< ps during which packets passed
  std::uint64_t packets = 0;
};

class Fabric final : public LocalLoad {
 public:
  /// `seed`: of what random routings draw.
  Fabric(const NetworkConfig& config, const Graph& graph, const Routing& routing, Engine& engine,
         std::uint64_t seed);

  /// The least time between a grant and an event it causes at another place, ps.
  static std::uint64_t lookahead(const NetworkConfig& config);

  void prefetch(std::uint32_t place) const;
  void enter(std::uint32_t place);
  void arrive(const PacketEvent& event);
  void credit(const ShortEvent& event);
  void freed(const ShortEvent& event);
  void arbitrate(std::uint64_t now);

  /// Puts a packet from a node into the input buffer of its port at `time`, ps, when its head may ask. The
  /// caller has seen that there is room, and fills in every member of the packet at once.
  Packet& inject(std::uint64_t time, std::uint16_t port, std::uint8_t vc);

  std::uint64_t credits(std::uint16_t port, std::uint8_t vc) const override;
  std::uint64_t backlog(std::uint16_t port) const override;

  std::uint64_t packet_hops() const { return packet_hops_; }
  /// By port of the graph.
  ChannelCount count(std::size_t channel) const {
    return {outputs_[channel].busy, outputs_[channel].packets};
  }
  /// Time that packets passed, by kind of channel (Graph::kinds) and over time.
  const TimeBins& busy() const { return busy_; }
  /// The virtual channels of this process's links now.
  OccupancyClasses occupancy() const;
  /// What was counted here, for the process that sums up; there, from `process`.
  void write(Parcel& parcel) const;
  void read(Parcel& parcel, std::uint32_t process);
  std::uint64_t in_buffers() const { return stored_; }  ///< packets waiting now

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  struct Output {
    std::uint64_t busy_until = 0;
    std::uint64_t busy = 0;
    std::uint32_t packets = 0;
    std::uint32_t to_place = Channel::kNowhere;
    std::uint16_t to_port = 0;
    std::uint16_t turn = 0;  ///< the (input, VC) that goes first next
    std::uint8_t kind = 0;
    bool waking = false;  ///< a Freed event is on its way
    bool dirty = false;   ///< to be looked at in this round's arbitration
    std::uint8_t spare = 0;
  };
  static_assert(sizeof(Output) == 32);
  struct Unit {  ///< what one input offers the crossbar: 1/input_speedup of its virtual channels
    std::uint64_t busy_until = 0;
    bool waking = false;
  };
  struct InputVc {
    std::uint32_t head = kNone;  ///< slots, first come first served
    std::uint32_t tail = kNone;
    std::uint16_t port = 0;  ///< the route of its head, if it asks
    std::uint8_t vc = 0;
    bool asks = false;
  };
  struct Slot {
    Packet packet;
    std::uint64_t since = 0;  ///< when its head could ask
    std::uint32_t next = kNone;
  };
  struct Cable {
    Rate rate;
    std::uint64_t delay = 0;   ///< from grant to the head's asking at the other end
    std::uint64_t credit = 0;  ///< from tail to credit at the other end
  };

  std::uint32_t take_slot();
  void ask(std::uint16_t port, std::uint8_t vc);
  void ask_again();
  void touch(std::uint16_t output);
  void wake_output(std::uint16_t output);
  void wake_unit(std::uint16_t port, std::uint32_t unit);
  void try_output(std::uint16_t output);
  bool grantable(const Output& out, std::uint16_t output, std::uint32_t candidate) const;
  std::uint32_t choose(Output& out, std::uint16_t output) const;
  void grant(std::uint16_t output, std::uint32_t candidate);

  /// First and end of the channels that leave this process's places.
  std::pair<std::size_t, std::size_t> channels_here() const {
    return {graph_.first_port[engine_.first_place()], graph_.first_port[engine_.end_place()]};
  }
  std::uint32_t ports_of_place() const { return ports_; }
  Output& output(std::uint16_t port) { return outputs_[base_ + port]; }
  const Output& output(std::uint16_t port) const { return outputs_[base_ + port]; }
  InputVc& input(std::uint16_t port, std::uint8_t vc) { return inputs_[(base_ + port) * vcs_ + vc]; }
  std::uint32_t unit_index(std::uint16_t port, std::uint8_t vc) const {
    return static_cast<std::uint32_t>((base_ + port) * speedup_ + vc % speedup_);
  }
  std::uint64_t* requests(std::uint16_t output) { return &requests_[first_word_[place_] + output * words_]; }
  const std::uint64_t* requests(std::uint16_t output) const {
    return &requests_[first_word_[place_] + output * words_];
  }

  const Graph& graph_;
  const Routing& routing_;
  Engine& engine_;
  std::uint64_t seed_;
  std::uint32_t vcs_;
  std::uint32_t speedup_;
  bool by_age_;
  bool adaptive_;
  std::uint64_t to_output_;  ///< from grant to the head's leaving the router
  std::uint64_t ejection_delay_;
  std::uint64_t injection_credit_;
  Cable cable_;    ///< between routers
  Rate ejection_;  ///< to a node
  bool ejection_common_;

  // All by port of the graph, so that a router's state stands together.
  std::vector<Output> outputs_;
  std::vector<Unit> units_;
  std::vector<InputVc> inputs_;
  std::vector<std::uint32_t> credits_;
  std::vector<std::uint64_t> requests_;  ///< a bit an (input, VC) for each output
  std::vector<std::size_t> first_word_;  ///< by place
  std::vector<Slot> slots_;
  std::uint32_t free_slot_ = kNone;
  std::uint32_t buffer_;

  // The router being served.
  std::uint32_t place_ = 0;
  std::size_t base_ = 0;
  std::uint32_t ports_ = 0;
  std::uint32_t words_ = 0;  ///< of requests, an output
  std::vector<std::uint16_t> dirty_;

  TimeBins busy_;
  std::uint64_t packet_hops_ = 0;
  std::uint64_t stored_ = 0;
};

}  // namespace psim::net
