// SPDX-License-Identifier: Apache-2.0
// What a network is made of: plain numbers with their defaults. Keys, limits and sources are in
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

/// Which packet of those that ask for an output goes first.
enum class Arbitration : std::uint8_t { RoundRobin, Age };

/// A class of cables between routers that is not the usual one.
struct CableConfig {
  BytesPerSecond bandwidth{0};  ///< 0: as the usual cable
  Picoseconds delay{0};         ///< 0: as the usual cable
};

/// On/Off links: low power for directions that carry nothing (netsim/sleep/link_sleep.h).
struct SleepConfig {
  SleepPolicy policy = SleepPolicy::Off;
  Picoseconds after{600'000'000};  ///< T_s: without packets, before low power
  Picoseconds wake{17'000'000};    ///< T_w: from a packet's asking to its moving
  Picoseconds
      after_by_class[kCableClasses + 1]{};  ///< 0: `after`; the first is not used, the last is of nodes
};

/// The channels between routers.
struct LinkConfig {
  BytesPerSecond bandwidth = 5_GBps;
  Picoseconds delay{5'000};            ///< propagation along the cable
  CableConfig classes[kCableClasses];  ///< by CableClass; the first is not used
  SleepConfig sleep;                   ///< of these and of those between nodes and routers
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
  Picoseconds credit_delay{0};         ///< from the tail's leaving to the sender's knowing; 0: pass + cable
  std::uint32_t input_speedup = 1;     ///< packets that may leave one input at once
  Arbitration arbitration = Arbitration::RoundRobin;

  Picoseconds pass() const { return routing + vc_allocation + switch_allocation + traversal; }
};

/// Network interface of a node.
struct NicConfig {
  Bytes payload{2'048};               ///< of a full packet
  Bytes header{0};                    ///< added to each packet
  BytesPerSecond bandwidth = 5_GBps;  ///< of the channel between interface and router, each way
  Picoseconds delay{5'000};           ///< along that channel
  BytesPerSecond dma_bandwidth{0};    ///< 0: never limits
  Picoseconds dma_startup{0};         ///< of each message
  std::uint32_t dma_engines = 1;      ///< that read, and as many that write; a packet takes the first free
  bool interleave = false;            ///< long messages of a port take turns, packet by packet
  bool loopback = false;              ///< messages inside a node go through it, not through memory
  std::uint32_t ports = 1;            ///< of each node to its router; messages take them in turn
  // Packet pacing, of each port; 0: as fast as the channel takes them.
  Picoseconds packet_interval{0};    ///< from the start of a packet to that of the next, at least
  BytesPerSecond injection_rate{0};  ///< never more than this over a packet and the pause after it
};

/// Messages between ranks of one node.
struct NodeConfig {
  std::uint32_t ranks = 1;  ///< of each node
  Picoseconds memory_latency{500'000};
  BytesPerSecond copy_bandwidth = 10_GBps;
};

enum class JitterDistribution : std::uint8_t { Fixed, Uniform, Exponential };

/// The operating system takes the processor from each rank, once a period.
struct JitterConfig {
  Picoseconds period{0};    ///< 0: never
  Picoseconds duration{0};  ///< each time; the mean, if it is drawn
  JitterDistribution distribution = JitterDistribution::Fixed;
  bool aligned = false;  ///< from all ranks at once; else each has a phase of its own
};

struct TopologyConfig {
  std::string kind = "torus";
  std::string shape;         ///< "16x8x8"; empty: near_cubic() of the number of nodes
  std::string routing;       ///< empty: the usual one of the topology
  std::string cabinet = {};  ///< "8x8x4": routers in a cabinet of a lattice; empty: no cabinets
};

struct NetworkConfig {
  TopologyConfig topology;
  LinkConfig link;
  RouterConfig router;
  NicConfig nic;
  NodeConfig node;
  JitterConfig jitter;
};

/// Bandwidth and delay of a class of cables.
struct Link {
  BytesPerSecond bandwidth;
  Picoseconds delay;
};
Link link_of(const LinkConfig& link, CableClass cable);

/// Adds every key to `schema`, which keeps references to `config`.
void describe(Schema& schema, NetworkConfig& config);

}  // namespace psim::net
