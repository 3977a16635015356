// SPDX-License-Identifier: Apache-2.0
// The reference of the fabric: routers that move one flit per cycle, written for correctness, not for speed.
// Under these conditions (network.md) the packet engine must give the same times to the picosecond: an output
// and an input are held per packet, a packet starts only when all of it has room downstream, credits return
// per packet at the tail, all channels have the same rate, and all times are multiples of the flit time. Free
// outputs are granted once per cycle: each input nominates a virtual channel, each output grants a nominating
// input, both by turns, until no grant is left. FlitTiming can drop two of the conditions, to measure their
// effect.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <vector>

#include "netsim/routing/routing.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net::testing {

/// Delays in cycles; a cycle carries one flit.
struct FlitTiming {
  std::uint32_t routing = 1;    ///< from a head's arrival to its request
  std::uint32_t to_output = 2;  ///< from grant to the output
  std::uint32_t cable = 1;
  std::uint32_t node_cable = 1;  ///< between router and node, each way
  std::uint32_t credit = 3;      ///< from the cycle after the tail to the sender's credit
  std::uint32_t global = 1;      ///< cycles that a flit takes on cables of CableClass::Global
  /// Virtual channels share outputs flit by flit: each is held per packet, an output and an input pass one
  /// flit a cycle, of any of them.
  bool interleaved = false;
};

struct FlitPacket {
  std::uint32_t source = 0, destination = 0;
  std::uint32_t flits = 1;
  std::uint64_t made = 0;  ///< cycle
};

/// A head that may request an output of a router, or a tail that reached its node.
struct FlitSight {
  std::uint64_t cycle;
  std::uint32_t router;
  std::uint32_t port;
  std::uint32_t packet;
  bool tail;
  auto operator<=>(const FlitSight&) const = default;
};

class FlitNetwork {
 public:
  FlitNetwork(const Graph& graph, const Routing& routing, std::uint32_t vcs, std::uint32_t buffer_flits,
              FlitTiming timing);

  /// Runs until every packet has arrived, or for `limit` cycles. Packets of a node leave in the given order.
  std::vector<FlitSight> run(const std::vector<FlitPacket>& packets, std::uint64_t limit);

 private:
  struct Flit {
    std::uint32_t packet;
    bool head, tail;
    std::uint64_t requests_at;  ///< a head may request from this cycle on
  };
  struct Input {
    std::deque<Flit> flits;
  };
  struct Output {
    int holder = -1;  ///< input port · vcs + VC whose packet passes
    std::uint32_t holder_packet = 0;
    std::uint8_t vc = 0;
    std::uint32_t turn = 0;     ///< the input port with the highest priority
    std::uint64_t free_at = 0;  ///< cycle in which the cable takes the next flit
  };
  struct Lane {  ///< interleaved: a virtual channel of an output
    int holder = -1;
    std::uint32_t packet = 0, turn = 0;
  };
  struct Router {
    std::vector<Input> inputs;           ///< by port and VC
    std::vector<Output> outputs;         ///< by port
    std::vector<std::uint32_t> credits;  ///< flits, by port and VC
    std::vector<std::uint32_t> turns;    ///< by input port: the virtual channel with the highest priority
    std::vector<std::uint64_t> held;     ///< by input port: 0, or 1 + the output that its packet passes
    std::vector<Lane> lanes;             ///< by port and VC
    std::vector<bool> passes;            ///< by input port and VC: interleaved, its packet has a lane
  };
  struct Node {
    std::deque<std::uint32_t> waiting;
    std::uint32_t sent = 0;  ///< flits of the first
    std::vector<std::uint32_t> credits;
  };
  struct Move {
    std::uint32_t router;
    std::uint32_t port;
    std::uint8_t vc;
    Flit flit;
  };

  void deliver(std::uint64_t cycle);
  void arbitrate(std::uint64_t cycle, std::uint32_t router);
  /// Runs one round of nominations and grants. Returns whether it granted an output.
  bool allocate(std::uint64_t cycle, std::uint32_t router);
  void pass(std::uint64_t cycle, std::uint32_t router);
  void arbitrate_lanes(std::uint64_t cycle, std::uint32_t router);
  void pass_lanes(std::uint64_t cycle, std::uint32_t router);
  /// Moves the first flit of an input out by `port` into `vc`. Returns whether it was a tail.
  bool move(std::uint64_t cycle, std::uint32_t router, std::uint32_t candidate, std::uint32_t port,
            std::uint8_t vc);
  void inject(std::uint64_t cycle, std::uint32_t node);
  bool requests(std::uint64_t cycle, std::uint32_t router, std::uint32_t candidate, std::uint32_t output,
                Route& route);

  const Graph& graph_;
  const Routing& routing_;
  std::uint32_t vcs_;
  FlitTiming timing_;
  std::vector<Router> routers_;
  std::vector<Node> nodes_;
  const std::vector<FlitPacket>* packets_ = nullptr;
  std::map<std::uint64_t, std::vector<Move>> moves_;  ///< flits under way, by cycle of arrival
  std::map<std::uint64_t,
           std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint8_t, std::uint32_t, bool>>>
      credits_;  ///< router or node, port, VC, flits, to a node
  std::vector<FlitSight> sights_;
  std::size_t arrived_ = 0;
};

}  // namespace psim::net::testing
