// SPDX-License-Identifier: Apache-2.0
#include "psim/statistics_manual.h"

#include <fmt/format.h>

#include "base/statistics/print.h"
#include "machines/machine.h"
#include "netsim/message/mpi_statistics.h"
#include "netsim/message/rdma_statistics.h"
#include "netsim/network_statistics.h"
#include "netsim/topology/topology.h"
#include "pipeline/core_group.h"
#include "pipeline/wired_core.h"

namespace psim {

namespace {

/// A program without instructions.
class NoProgram final : public isa::InstructionSource {
 public:
  isa::Pull next(std::uint64_t, bool, isa::InstructionRecord&) override { return isa::Pull::End; }
  const isa::StaticInstruction* text(std::uint64_t, bool) override { return nullptr; }
};

/// Nothing is sent.
class NoLoad final : public net::Load {
 public:
  void delivered(net::Message&) override {}
  void departed(net::Message&) override {}
  void timer(std::uint64_t, std::uint32_t) override {}
  void resume(std::uint32_t) override {}
};

std::vector<statistics::Reading> network_statistics() {
  net::NetworkConfig config;
  config.link.sleep.policy = net::SleepPolicy::Fixed;
  config.link.bit_error_rate = 1e-12;
  const net::Network network = net::make_topology(config, 4);
  NoLoad load;
  const net::Simulation simulation(config, network.graph, *network.routing, load);
  const net::NetworkStatistics counted(simulation);
  statistics::Registry registry;
  counted.add_to(registry);
  const net::rdma::Counts none;
  const net::rdma::Statistics remote(none);
  registry.add("remote_memory", "Remote direct memory access", remote);
  net::MpiCounts calls;  // examples of the many names
  calls.functions = {{"MPI_Allreduce", {1, 1}}, {"MPI_Isend", {1, 1}}, {"MPI_Waitall", {1, 0}}};
  calls.collectives = {{"allreduce recursive-doubling", 1}};
  const net::MpiStatistics called(calls);
  called.add_to(registry);
  return registry.read(registry.snapshot());
}

std::string section(const char* heading, const std::vector<statistics::Reading>& readings) {
  return fmt::format("\n# {}\n{}", heading, statistics::to_markdown(readings));
}

std::vector<statistics::Reading> core_statistics() {
  const auto machine = load_machine({.machine = "simd16", .sets = {}});
  NoProgram program;
  pipeline::WiredCore simulation(*machine, program, {});
  statistics::Registry registry;
  simulation.register_statistics(registry);
  const pipeline::ChipStats chip;
  registry.add("chip", "All cores of a machine with several", chip);
  const pipeline::CoherenceStats coherence;
  registry.add("coherence", "Coherence of the first levels of several cores", coherence);
  return registry.read(registry.snapshot());
}

}  // namespace

std::vector<statistics::Reading> all_statistics() {
  std::vector<statistics::Reading> all = core_statistics();
  for (statistics::Reading& reading : network_statistics()) all.push_back(std::move(reading));
  return all;
}

std::string statistics_manual() {
  return "# Statistics\n\nMade by `psim statistics --markdown`; do not edit. `psim statistics WORD` searches "
         "them. The JSON results of "
         "`run`, `replay`, `net` (with a program) and `cosim` have them under `statistics` by component, "
         "`statistics.l1d.misses`; `run`, `replay`, `net` and `cosim` write them with `--statistics FILE`. "
         "`cosim` "
         "adds up those of its "
         "nodes.\n\n"
         "A counter is a sum over the run. A ratio is 0 if its denominator is. A distribution has the number "
         "of its "
         "`samples`, their `mean`, and `buckets`: the smallest value of each bucket that is not empty, and "
         "its samples. Queues "
         "of the core are sampled every 61 cycles. `mpi_calls`, `mpi_bytes` and `mpi_collectives` have a "
         "statistic for each MPI function or algorithm that a program used; the tables below show examples. "
         "The results of several jobs have these and `mpi` under `statistics` of each job too.\n" +
         section("Core, caches and memory", core_statistics()) + section("Network", network_statistics());
}

}  // namespace psim
