// SPDX-License-Identifier: Apache-2.0
#include "netsim/message/mpi_config.h"

namespace psim::net {
namespace {

void describe_hardware(Schema& schema, HardwareConfig& config) {
  constexpr Picoseconds kNone{0}, kSecond{1'000'000'000'000};
  schema.section("collective", "collectives in hardware");
  schema.add(
      "collective.hardware", config.kind,
      {{"none", HardwareCollectives::None},
       {"barrier", HardwareCollectives::Barrier},
       {"tree", HardwareCollectives::Tree},
       {"switches", HardwareCollectives::Switches}},
      "none; a barrier network; a tree over all nodes for barrier, bcast, reduce and allreduce; or the "
      "same in the switches of the network (docs/interfaces.md)",
      "tree: assumption; switches: SHARP, Graham et al., COMHPC 2016");
  schema.add("collective.barrier_latency", config.barrier_latency, {Picoseconds{2}, kSecond},
             "of the barrier network: from the last rank's entry to all exits, for any number of nodes",
             "paper 001: 1.6 or 3.3 us");
  schema.add("collective.tree_latency", config.tree_latency, {kNone, kSecond},
             "of the tree or switches: of each collective, independent of size and depth", kAssumption);
  schema.add("collective.tree_hop", config.tree_hop, {kNone, kSecond},
             "of the tree: between a node and its parent", kAssumption);
  schema.add("collective.tree_bandwidth", config.tree_bandwidth, {1_MBps, 10'000_GBps}, "of the tree's links",
             kAssumption);
  schema.add(
      "collective.switch_latency", config.switch_latency, {kNone, kSecond},
      "of each switch, on the way to the root and on the way back",
      "assumption: two levels and collective.tree_latency make the 2.83 us of an allreduce of 8 bytes on 128 "
      "nodes (Graham et al., COMHPC 2016)");
  schema.add("collective.switch_vector", config.switch_vector, {1_B, 1_GiB},
             "longest vector of an operation in switches; longer ones are several operations, or rules of "
             "mpi.algorithms name another algorithm",
             "SHARP of Switch-IB 2: 256 bytes");
  schema.add("collective.switch_operations", config.switch_operations, {1, 65'536},
             "operations of a collective in switches at once", kAssumption);
  schema.add("collective.tree_arity", config.tree_arity, {2, 64}, "children of a node of the tree",
             kAssumption);
}

void describe_sync(Schema& schema, SyncCommConfig& config) {
  constexpr Picoseconds kShortest{1'000}, kNone{0}, kMost{1'000'000'000};
  schema.section("barrier", "the sync-comm network of paper 001: barriers of programs with scc.h");
  schema.add("barrier.network", config.kind,
             {{"none", BarrierNetwork::None}, {"sync-comm", BarrierNetwork::SyncComm}},
             "none, or the sync-comm network with a board in each node", kAssumption);
  schema.add("barrier.micro_cluster", config.micro_cluster, {1, 16}, "nodes of a micro-cluster",
             "paper 001, 3.3: at most 16");
  schema.add("barrier.line", config.line, {kShortest, kMost},
             "along a bus line and into a detector; at least the time in which one router reaches another",
             "assumption: three ticks of 25 MHz");
  schema.add("barrier.chain", config.chain, {kShortest, kMost},
             "of each micro-cluster in the daisy chain Part-sync-comp", "assumption: three ticks of 25 MHz");
  schema.add("barrier.flag_set", config.flag_set, {kNone, kMost},
             "processor time of a write to the board: S-flag, group register, time stamp", kAssumption);
  schema.add("barrier.flag_access", config.flag_access, {kShortest, kMost},
             "processor time of a read of the S-flag or of the clock", "paper 001, 6.1: about 1.5 us");
  schema.add("barrier.tick", config.tick, {kShortest, kMost}, "of the pseudo-global clock",
             "paper 001, 4.1: 25 MHz");
  schema.add("barrier.oscillator_ppm", config.oscillator_ppm, {0.0, 1000.0},
             "largest deviation of a board's oscillator, parts per million", kAssumption);
  schema.add("barrier.stamps", config.stamps, {1, 1'048'576}, "words of the time-stamp memory", kAssumption);
}

void describe_clock(Schema& schema, ClockConfig& config) {
  constexpr Picoseconds kNone{0}, kHour{3'600'000'000'000'000};
  schema.section("clock", "the clocks of nodes");
  schema.add("clock.wtime", config.wtime, {{"global", WtimeClock::Global}, {"node", WtimeClock::Node}},
             "the clock of MPI_Wtime: simulated time, or that of the rank's node", kAssumption);
  schema.add("clock.offset", config.offset, {kNone, kHour},
             "largest deviation of a node's clock at the start; drawn for each node from the seed",
             kAssumption);
  schema.add("clock.drift_ppm", config.drift_ppm, {0.0, 1000.0},
             "largest deviation of the rate of a node's clock, parts per million; drawn for each node",
             kAssumption);
}

}  // namespace

void describe(Schema& schema, MpiConfig& config) {
  constexpr Picoseconds kNone{0}, kSecond{1'000'000'000'000};
  schema.section("mpi", "the message-passing library");
  schema.add("mpi.eager", config.eager, {0_B, 1_GiB},
             "longest message sent without a rendezvous with the receiver", kAssumption);
  schema.add("mpi.eager_node", config.eager_node, {0_B, 1_GiB},
             "the same between ranks of a node, whose transport has a limit of its own; 0: mpi.eager",
             "Open MPI 4.1: btl_vader_eager_limit is 4 KiB, btl_openib_eager_limit 12 KiB");
  schema.add("mpi.matching", config.matching, {{"host", Matching::Host}, {"nic", Matching::Nic}},
             "where messages meet receives: host, or the interface, which also answers and serves rendezvous "
             "without the processor",
             "tag matching of ConnectX-5, and of Portals 4 in BXI");
  schema.add("mpi.offload_receives", config.offload_receives, {1, 1'000'000},
             "waiting receives of a rank that the interface holds; the processor matches later ones",
             kAssumption);
  schema.add("mpi.offload_overhead", config.offload_overhead, {kNone, kSecond},
             "processor time for a message that the interface matched, in place of mpi.recv_overhead",
             kAssumption);
  schema.add("mpi.send_overhead", config.send_overhead, {kNone, kSecond},
             "processor time before each message leaves, also in collectives", kAssumption);
  schema.add("mpi.recv_overhead", config.recv_overhead, {kNone, kSecond},
             "processor time after each message has arrived, also in collectives", kAssumption);
  schema.add(
      "mpi.poll", config.poll, {Picoseconds{1}, kSecond},
      "time of an unsuccessful test or probe; results of programs that poll depend on it: between likely "
      "values HPL's simulated time changes by a quarter, SNAP's by a factor of 4.3",
      "assumption; Open MPI 4.1.4 takes 15 to 27 ns over shared memory or TCP, 111 ns over TCP from any "
      "source, 232 to 491 ns over libfabric: decision 32");
  schema.add(
      "mpi.poll_limit", config.poll_limit, {0, 1'000'000'000'000},
      "unsuccessful tests and probes in a row that end a run whose ranks do nothing else and in which no "
      "message or timer is pending; 0: no limit",
      kAssumption);
  schema.add("mpi.wtime", config.wtime, {kNone, kSecond}, "time of a call of MPI_Wtime", kAssumption);
  schema.add("mpi.io_latency", config.io_latency, {kNone, kSecond}, "time of each access to a file",
             kAssumption);
  schema.add("mpi.io_bandwidth", config.io_bandwidth, {1_MBps, 100'000_GBps},
             "rate at which each rank reads and writes files; ranks do not share it", kAssumption);
  schema.add("mpi.progress", config.progress, {{"call", Progress::Call}, {"async", Progress::Async}},
             "when rendezvous and non-blocking collectives advance: in MPI calls only, or always",
             kAssumption);
  schema.add(
      "mpi.algorithms", config.algorithms,
      "rules \"collective[:ranks<=N][,bytes<=N]=algorithm\" separated by semicolons; the first that matches "
      "applies, else the built-in table",
      kAssumption);
  describe(schema, config.rdma);
  describe_hardware(schema, config.hardware);
  schema.add(
      "collective.table", config.collective_table,
      "name of a CSV file with times of collectives by ranks and bytes, as psim net --table writes it; its "
      "collectives take these times, unless mpi.algorithms names another algorithm",
      kAssumption);
  describe_sync(schema, config.sync);
  describe_clock(schema, config.clock);
}

}  // namespace psim::net
