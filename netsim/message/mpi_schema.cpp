// SPDX-License-Identifier: Apache-2.0
#include "netsim/message/mpi_config.h"

namespace psim::net {
namespace {

void describe_hardware(Schema& schema, HardwareConfig& config) {
  constexpr Picoseconds kNone{0}, kSecond{1'000'000'000'000};
  schema.section("collective", "collectives in hardware, on a network of their own");
  schema.add("collective.hardware", config.kind,
             {{"none", HardwareCollectives::None},
              {"barrier", HardwareCollectives::Barrier},
              {"tree", HardwareCollectives::Tree}},
             "none; a barrier network; or a tree over all nodes for barrier, bcast, reduce and allreduce",
             kAssumption);
  schema.add("collective.barrier_latency", config.barrier_latency, {Picoseconds{2}, kSecond},
             "of the barrier network: from the last rank's entry to all exits, for any number of nodes",
             "paper 001: 1.6 or 3.3 us");
  schema.add("collective.tree_latency", config.tree_latency, {kNone, kSecond},
             "of the tree: of each collective, independent of size and depth", kAssumption);
  schema.add("collective.tree_hop", config.tree_hop, {kNone, kSecond},
             "of the tree: between a node and its parent", kAssumption);
  schema.add("collective.tree_bandwidth", config.tree_bandwidth, {1_MBps, 10'000_GBps}, "of the tree's links",
             kAssumption);
  schema.add("collective.tree_arity", config.tree_arity, {2, 64}, "children of a node of the tree",
             kAssumption);
}

}  // namespace

void describe(Schema& schema, MpiConfig& config) {
  constexpr Picoseconds kNone{0}, kSecond{1'000'000'000'000};
  schema.section("mpi", "the message-passing library");
  schema.add("mpi.eager", config.eager, {0_B, 1_GiB},
             "longest message sent without a rendezvous with the receiver", kAssumption);
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
}

}  // namespace psim::net
