// SPDX-License-Identifier: Apache-2.0
// The packet network between nodes, as one SystemC module with a pair of TLM-2.0 sockets for each node.
//
// Input:  in_messages[n], b_transport, from the interface of node n: a message for the node whose number is
//         the address. It enters the network at the annotated time, which lies a lookahead or more ahead.
// Output: outlets[n].out_messages, b_transport, to the interface of node n, at the exact time at which the
// last byte is
//         there; the address is the node it comes from.
// The data cross the network with the message. Messages between two nodes arrive in order where the routing
// keeps it.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "cosim/network_module.h"
#include "netsim/config/network_config.h"
#include "netsim/topology/topology.h"

namespace psim::cosim {

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

class Interconnect : public sc_core::sc_module, private net::Load {
 public:
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<Interconnect>> in_messages;
  sc_core::sc_vector<Outlet> outlets;  ///< their out_messages

  /// `network` outlives it, and has at least `nodes` nodes. The first `nodes` have sockets; a topology may
  /// have more.
  Interconnect(sc_core::sc_module_name name, const net::NetworkConfig& config, const net::Network& network,
               std::uint32_t nodes);

  const net::Simulation& network() const { return simulation_; }
  /// Returns the time, ps, by which a message must be announced ahead.
  std::uint64_t lookahead() { return simulation_.engine().lookahead(); }

 private:
  struct Message {
    std::uint32_t node = 0;  ///< destination
    std::vector<std::byte> bytes;
  };

  void send(int node, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  // Load
  void delivered(net::Message& message) override;
  void departed(net::Message&) override {}
  void resume(std::uint32_t) override {}
  void timer(std::uint64_t number, std::uint32_t node) override;

  const net::Network& network_;
  net::Simulation simulation_;
  NetworkModule engine_;
  std::vector<Message> announced_;   ///< by number; not yet in the network
  std::vector<std::uint64_t> free_;  ///< numbers that are not in use
};

}  // namespace psim::cosim
