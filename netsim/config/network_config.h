// SPDX-License-Identifier: Apache-2.0
// The configuration of a network: plain numbers with their defaults. Keys, limits and sources are in
// network_schema.cpp; `psim config explain` prints them.
#pragma once

#include <cstdint>
#include <string>

#include "base/config/schema.h"
#include "base/error.h"
#include "base/units.h"
#include "netsim/sleep/policy.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net {

/// The priority of packets that request the same output.
enum class Arbitration : std::uint8_t { RoundRobin, Age };

/// The choice among virtual channels that the routing allows alike.
enum class VcChoice : std::uint8_t {
  Flow,  ///< the same for all packets from one node to another
  Free   ///< of each packet at each hop: one with most credits
};

/// A class of cables between routers other than the usual one.
struct CableConfig {
  BytesPerSecond bandwidth{0};  ///< 0: as the usual cable
  Picoseconds delay{0};         ///< 0: as the usual cable
};

/// On/Off links: low power for directions that carry nothing (netsim/sleep/link_sleep.h).
struct SleepConfig {
  SleepPolicy policy = SleepPolicy::Off;
  Picoseconds after{600'000'000};  ///< T_s: without packets, before low power
  Picoseconds wake{17'000'000};    ///< T_w: from a packet's request until it can pass
  Picoseconds after_by_class[kCableClasses +
                             1]{};  ///< 0: `after`; the first is unused, the last is for links of nodes
  Bytes chunk{0};  ///< a link with T_s = 0 goes to low power after each of a packet; 0: after packets only
};

/// The channels between routers.
struct LinkConfig {
  BytesPerSecond bandwidth = 5_GBps;
  Picoseconds delay{5'000};            ///< propagation along the cable
  CableConfig classes[kCableClasses];  ///< by CableClass; the first is unused
  SleepConfig sleep;                   ///< also of the links between nodes and routers
  double bit_error_rate = 0;           ///< also of the links between nodes and routers
  Picoseconds retry_delay{0};  ///< from a bad packet's tail until its repetition starts; 0: two cables
};

/// Input-buffered virtual cut-through router. The head of a packet passes in routing + vc_allocation +
/// switch_allocation + traversal.
struct RouterConfig {
  Picoseconds routing{10'000};
  Picoseconds vc_allocation{10'000};
  Picoseconds switch_allocation{10'000};
  Picoseconds traversal{65'000};
  std::uint32_t virtual_channels = 2;  ///< of each input
  Bytes buffer{16'384};                ///< of each virtual channel
  Picoseconds credit_delay{0};         ///< from the tail's departure to the sender's credit; 0: pass + cable
  std::uint32_t input_speedup = 1;     ///< packets that may leave one input at once
  Arbitration arbitration = Arbitration::RoundRobin;
  VcChoice vc_choice = VcChoice::Flow;

  Picoseconds pass() const { return routing + vc_allocation + switch_allocation + traversal; }
};

/// The routers at which the ports of a node are.
enum class NicRails : std::uint8_t {
  Shared,  ///< all at one router
  Spread,  ///< each at another of NicConfig::ports routers that follow each other
  Planes   ///< each in a copy of the network of its own
};

/// The port of a node that a message takes.
enum class PortChoice : std::uint8_t {
  Turn,         ///< the ports in turn
  Destination,  ///< the same for all messages to a node
  Near          ///< with NicRails::Spread: in turn the ports from which the route is shortest
};

/// The order in which the packets of a message are written to memory.
enum class PacketPlacement : std::uint8_t {
  Any,     ///< as they arrive
  Ordered  ///< as they were sent: the interface holds packets that have overtaken others
};

/// Network interface of a node.
struct NicConfig {
  Bytes payload{2'048};               ///< of a full packet
  Bytes header{0};                    ///< added to each packet
  BytesPerSecond bandwidth = 5_GBps;  ///< of the channel between interface and router, each way
  Picoseconds delay{5'000};           ///< along that channel
  BytesPerSecond dma_bandwidth{0};    ///< 0: never limits
  Picoseconds dma_startup{0};         ///< of each message
  std::uint32_t dma_engines = 1;      ///< number of read engines, and of write engines; first free one serves
  bool interleave = false;            ///< long messages of a port take turns, packet by packet
  bool loopback = false;              ///< messages inside a node pass the interface, not the memory
  PacketPlacement placement = PacketPlacement::Any;
  std::uint32_t ports = 1;  ///< of each node
  NicRails rails = NicRails::Shared;
  PortChoice port_choice = PortChoice::Turn;
  Bytes stripe{0};  ///< longer messages are spread over all ports; 0: none
  // Limits of the rate of messages of each port; 0: none.
  Picoseconds send_interval{0};     ///< least time from the start of a message to the start of the next
  Picoseconds receive_interval{0};  ///< least time from a message's arrival to the next one's
  // Packet pacing of each port; 0: at the rate of the channel.
  Picoseconds packet_interval{0};    ///< least time from the start of a packet to the start of the next
  BytesPerSecond injection_rate{0};  ///< highest rate over a packet and the pause after it
};

enum class CongestionControl : std::uint8_t {
  None,
  Dcqcn,        ///< routers mark packets, sources reduce the rate to their destinations
  BackPressure  ///< nodes that are congested throttle the flows that reach them
};

/// Rates are of one node's packets to another: a flow. Names in brackets are those of DCQCN's paper.
struct CongestionConfig {
  CongestionControl control = CongestionControl::None;
  // Marking, by the backlog of a router's output.
  Bytes mark_from{5'000};            ///< (K_min) none up to this
  Bytes mark_all{200'000};           ///< (K_max) all from this on
  double mark_most = 0.01;           ///< (P_max) probability just below that; linear between
  Picoseconds interval{50'000'000};  ///< (N) least time between two notices of a destination to a source
  double gain = 1.0 / 256;           ///< (g) of the estimate of congestion
  Picoseconds decay{55'000'000};     ///< (K) time without a notice after which the estimate falls
  Picoseconds increase{55'000'000};  ///< (T) time without a notice after which the rate rises
  std::uint32_t recovery = 5;        ///< (F) rises to the middle of rate and target before the target rises
  BytesPerSecond step = 5_MBps;      ///< (R_AI) rise of the target
  BytesPerSecond least = 5_MBps;     ///< lowest rate
  // BackPressure.
  Picoseconds throttle_wait{1'000'000};   ///< time of a packet's wait, and of a busy port, from which on
  Picoseconds throttle_hold{20'000'000};  ///< time without a notice after which the rate doubles
};

/// Messages between ranks of one node.
struct NodeConfig {
  std::uint32_t ranks = 1;  ///< of each node
  Picoseconds memory_latency{500'000};
  BytesPerSecond copy_bandwidth = 10_GBps;
};

enum class JitterDistribution : std::uint8_t { Fixed, Uniform, Exponential };

/// OS jitter: the operating system takes the processor from each rank once per period.
struct JitterConfig {
  Picoseconds period{0};    ///< 0: never
  Picoseconds duration{0};  ///< each time; the mean, if it is drawn
  JitterDistribution distribution = JitterDistribution::Fixed;
  bool aligned = false;  ///< all ranks at once; else each rank has its own phase
};

/// The choice between minimal and other routes at the source: ugal, ugal-g, par.
struct AdaptiveConfig {
  Bytes bias{0};                 ///< backlog that other routes count more than they have
  std::uint32_t candidates = 1;  ///< random other routes that are compared
};

struct TopologyConfig {
  std::string kind = "torus";
  std::string shape;         ///< "16x8x8"; empty: near_cubic() of the number of nodes
  std::string routing;       ///< empty: the topology's default
  std::string cabinet = {};  ///< "8x8x4": routers in a cabinet of a lattice; empty: no cabinets
};

/// The network between nodes.
enum class NetworkModel : std::uint8_t {
  Packets,  ///< routers, links and interfaces that packets share
  Analytic  ///< a formula for each message: netsim/analytic/analytic_network.h
};

/// The analytic network.
struct AnalyticConfig {
  Picoseconds latency{0};       ///< l; 0: latency and hop are those of a packet in the empty network
  BytesPerSecond bandwidth{0};  ///< w; 0: the lower one of nic.bandwidth and link.bandwidth
  Picoseconds hop{0};           ///< of each link between routers, if `latency` is given
  bool ideal = false;           ///< messages take no time; all nodes are on one router. No key
};

struct NetworkConfig {
  NetworkModel model = NetworkModel::Packets;
  AnalyticConfig analytic;
  TopologyConfig topology;
  AdaptiveConfig adaptive;
  LinkConfig link;
  RouterConfig router;
  NicConfig nic;
  CongestionConfig congestion;
  NodeConfig node;
  JitterConfig jitter;
};

/// The bandwidth and delay of a class of cables.
struct Link {
  BytesPerSecond bandwidth;
  Picoseconds delay;
};
Link link_of(const LinkConfig& link, CableClass cable);

/// Adds every key to `schema`, which keeps references to `config`.
void describe(Schema& schema, NetworkConfig& config);

}  // namespace psim::net
