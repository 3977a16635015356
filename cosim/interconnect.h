// SPDX-License-Identifier: Apache-2.0
// The packet network between detailed nodes, as one SystemC module with a pair of TLM-2.0 sockets for each
// node of this host process. Detailed nodes are numbered by themselves; each has a place among the network's
// nodes.
//
// Input:  in_messages[i], b_transport, from the interface of node here[i]: a message for the node whose
// number
//         is the address. It enters the network at the annotated time, which lies a lookahead or more ahead.
// Output: outlets[i].out_messages, b_transport, to the interface of node here[i], at the exact time at which
// the
//         last byte is there; the address is the node it comes from.
// A transaction with a BarrierExtension is no message: it sets the S-flag of the node on the sync-comm
// network (netsim/message/sync_config.h). When all nodes of the group have set theirs, each gets a
// QueuePacket of the kind BarrierClear at the time at which its flag is cleared.
//
// The data cross the network with the message. Messages between two nodes arrive in order where the routing
// keeps it. Interfaces read and write memory before and after, so the network's own DMA engines take no time.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <systemc>
#include <utility>
#include <vector>

#include "cosim/message_trace.h"
#include "cosim/network_module.h"
#include "netsim/message/sync_config.h"
#include "netsim/simulation.h"

namespace psim::cosim {

class NodePaths;

/// Delivers to one node the messages that arrive for it.
class Outlet : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Outlet> out_messages{"out_messages"};

  explicit Outlet(sc_core::sc_module_name name);
  /// Queues a message of `source` for delivery at `at`, ps; times never decrease.
  void deliver(std::uint64_t at, std::uint32_t source, std::vector<std::byte> bytes);

 private:
  struct Arrival {
    std::uint64_t at;
    std::uint32_t source;
    std::vector<std::byte> bytes;
  };
  void deliver_all();

  std::deque<Arrival> arrivals_;
  sc_core::sc_event more_;
};

class Interconnect : public sc_core::sc_module, public net::Load {
 public:
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<Interconnect>> in_messages;
  sc_core::sc_vector<Outlet> outlets;  ///< their out_messages

  /// `places`: the network's node of each detailed node. `here`: the numbers of those in this host process.
  /// `simulation` and `engine`, which serves it, outlive the module. Messages have the Message::owner
  /// `owner`.
  Interconnect(sc_core::sc_module_name name, net::Simulation& simulation, NetworkModule& engine,
               const std::vector<std::uint32_t>& places, const std::vector<std::uint32_t>& here,
               std::uint8_t owner = 0, const net::SyncCommConfig& barrier = {});
  /// Reports the records of messages to `trace`, which outlives this.
  void attach(MessageTrace& trace) { trace_ = &trace; }
  /// Reports packets and S-flags to `paths`, which outlives this.
  void attach(NodePaths& paths) { paths_ = &paths; }
  /// Sets the number of its first rank in a LoadGroup, before the simulation; 0 without a group.
  void number_from(std::uint32_t first_rank) { first_rank_ = first_rank; }

  // Load. The votes are the nodes' pending activity, and their messages in the network.
  void delivered(net::Message& message) override;
  void departed(net::Message&) override {}
  void resume(std::uint32_t) override {}
  void timer(std::uint64_t number, std::uint32_t node) override;
  net::Votes votes() override;
  void write(std::uint32_t process, net::Parcel& parcel) override;
  void read(std::uint32_t process, net::Parcel& parcel) override;
  bool done(const net::Votes& votes) const override { return votes[0] == 0 && votes[1] == 0; }

 private:
  struct Message {
    std::uint32_t node = 0;  ///< destination
    std::vector<std::byte> bytes;
  };

  /// The nodes of a barrier.
  struct Group {
    std::uint32_t first = 0;  ///< counts the flags
    std::uint32_t nodes = 0;
  };
  Group group_of(std::uint32_t node, std::uint64_t bits) const;
  static std::uint64_t key_of(const Group& group, std::uint64_t bits);
  bool set_flag(std::uint32_t node, std::uint64_t bits);
  void barrier_step(std::uint64_t token, std::uint32_t node);
  std::uint32_t router_of(std::uint32_t node) const { return simulation_.graph().node_router[places_[node]]; }
  void send(int slot, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  net::Simulation& simulation_;
  NetworkModule& engine_;
  const std::vector<std::uint32_t> places_, here_;
  const std::uint8_t owner_;
  MessageTrace* trace_ = nullptr;  ///< null: no message is traced
  NodePaths* paths_ = nullptr;     ///< null: no critical path is recorded
  const net::SyncCommConfig barrier_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> flags_;  ///< set, by first node and bits
  std::uint32_t first_rank_ = 0;
  std::vector<std::uint32_t> numbers_;  ///< of detailed nodes, by node of the network
  std::vector<std::uint32_t> slots_;    ///< index in here_, by number
  std::uint64_t in_network_ = 0;        ///< messages sent here less those delivered here, modulo 2^64
  std::vector<Message> announced_;      ///< by number; not yet in the network
  std::vector<std::uint64_t> free_;     ///< numbers that are not in use
};

}  // namespace psim::cosim
