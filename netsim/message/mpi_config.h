// SPDX-License-Identifier: Apache-2.0
// Costs and choices of the MPI library: plain numbers with their defaults. Keys and limits are in
// mpi_schema.cpp.
#pragma once

#include <cstdint>
#include <string>

#include "base/config/schema.h"
#include "base/units.h"
#include "netsim/message/rdma_config.h"
#include "netsim/message/sync_config.h"

namespace psim::net {

/// The times at which rendezvous handshakes and non-blocking collectives advance.
enum class Progress : std::uint8_t {
  Call,  ///< only while their rank is inside an MPI call
  Async  ///< whenever a message arrives
};

/// The place where messages meet their receives.
enum class Matching : std::uint8_t {
  Host,  ///< the processor: in MPI calls, or always with Progress::Async
  Nic    ///< the interface; it also answers and serves rendezvous
};

/// Hardware that carries out collectives.
enum class HardwareCollectives : std::uint8_t {
  None,
  Barrier,  ///< barriers only, in a time independent of the number of nodes (paper 001)
  Tree,     ///< barrier, bcast, reduce and allreduce, along a tree over all nodes
  Switches  ///< the same, of short vectors, along a tree of the network's switches
};

struct HardwareConfig {
  HardwareCollectives kind = HardwareCollectives::None;
  Picoseconds barrier_latency{3'300'000};  ///< of the barrier network, from the last entry to all exits
  Picoseconds tree_latency{1'000'000};     ///< of each collective, independent of its size
  Picoseconds tree_hop{100'000};           ///< from a node to its parent or child
  BytesPerSecond tree_bandwidth = 350_MBps;
  std::uint32_t tree_arity = 2;          ///< children of a node
  Picoseconds switch_latency{450'000};   ///< of each switch, each way
  Bytes switch_vector{256};              ///< longest vector of an operation
  std::uint32_t switch_operations = 64;  ///< of a collective at once
  // Of the network, set by its builder: netsim/topology/switch_tree.h.
  std::uint32_t nodes = 1;
  std::uint32_t switches = 1;                ///< from a node to the root of the tree, both ends included
  Picoseconds cables{0};                     ///< on that route
  BytesPerSecond switch_bandwidth = 5_GBps;  ///< of the slowest link

  /// Returns the number of levels above the lowest, at least 1.
  std::uint32_t depth() const {
    std::uint32_t levels = 1;
    for (std::uint64_t leaves = tree_arity; leaves < nodes; leaves *= tree_arity) ++levels;
    return levels;
  }
  /// Returns the time from a node to the top, or back, without its part of tree_latency.
  Picoseconds half() const {
    return kind == HardwareCollectives::Switches ? cables + switches * switch_latency : depth() * tree_hop;
  }
  /// Returns the time from one node to all others. In switches it goes by way of the root.
  Picoseconds one_way() const {
    return tree_latency + (kind == HardwareCollectives::Switches ? 2 : 1) * half();
  }
  /// Return the times of a collective to the top of the tree, and back.
  Picoseconds up() const { return tree_latency / 2 + half(); }
  Picoseconds down() const { return tree_latency - tree_latency / 2 + half(); }
  /// Returns the bandwidth of the tree's links.
  BytesPerSecond bandwidth() const {
    return kind == HardwareCollectives::Switches ? switch_bandwidth : tree_bandwidth;
  }
  /// Returns the time by which a vector of `bytes` that is too long for the operations at once takes longer:
  /// each further group of operations starts when the one before has returned.
  Picoseconds further_groups(std::uint64_t bytes) const {
    if (kind != HardwareCollectives::Switches || bytes == 0) return Picoseconds{0};
    const std::uint64_t group = switch_vector.count * switch_operations;
    return static_cast<std::int64_t>((bytes - 1) / group) * (up() + down());
  }
  /// Returns the least time from one node to another; 0: no such network.
  Picoseconds least() const {
    return kind == HardwareCollectives::None      ? Picoseconds{0}
           : kind == HardwareCollectives::Barrier ? barrier_latency / 2
                                                  : up();
  }
};

struct MpiConfig {
  Bytes eager{65'536};  ///< longest message sent without a rendezvous
  Bytes eager_node{0};  ///< the same within a node; 0: as `eager`
  Matching matching = Matching::Host;
  std::uint32_t offload_receives = 1024;  ///< receives of a rank that its interface can hold
  Picoseconds offload_overhead{0};        ///< of the processor, for each message that the interface matched
  Picoseconds send_overhead{0};           ///< of the processor, for each message sent
  Picoseconds recv_overhead{0};           ///< of the processor, for each message received
  Picoseconds poll{100'000};              ///< an unsuccessful test or probe
  std::uint64_t poll_limit = 1'000'000;   ///< fruitless polls in a row, of all ranks, that end a run; 0: any
  Picoseconds wtime{10'000};              ///< a call of MPI_Wtime
  Picoseconds io_latency{100'000'000};    ///< of each access to a file
  BytesPerSecond io_bandwidth = 1_GBps;   ///< at which each rank reads and writes files
  Progress progress = Progress::Async;
  /// Largest message whose user data are really carried, in bytes; 0: none, and programs may pass NULL.
  std::uint64_t carry = ~std::uint64_t{0};
  /// The user's choice of algorithms, "alltoall:ranks<=64,bytes<=256=bruck; bcast=binomial". The first rule
  /// that matches the size of the communicator and the bytes of the call applies, else the built-in table.
  std::string algorithms;
  /// Name and text of a file with times of collectives: mpi/collective/collective_times.h.
  std::string collective_table, collective_times;
  RdmaConfig rdma;  ///< served by the same library
  HardwareConfig hardware;
  SyncCommConfig sync;
  ClockConfig clock;
};

/// Adds every key to `schema`, which keeps references to `config`.
void describe(Schema& schema, MpiConfig& config);

}  // namespace psim::net
