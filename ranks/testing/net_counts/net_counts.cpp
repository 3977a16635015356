// SPDX-License-Identifier: Apache-2.0
// net_counts [PROGRAM RANKS]: prints all counters of some runs, to compare builds by different compilers and
// levels of optimisation. The runs are synthetic traffic on several networks, and the program.
#include <fmt/format.h>

#include <cstdlib>
#include <exception>

#include "netsim/testing/counts.h"
#include "netsim/topology/topology.h"
#include "netsim/traffic/synthetic.h"
#include "ranks/job/rank_load.h"

namespace psim::net {
namespace {

void traffic(const char* kind, const char* shape, const char* routing) {
  const BusyNetwork busy(kind, shape, routing);
  const Network network = make_topology(busy.config, 0);
  SyntheticTraffic source = busy.source(network.graph.nodes());
  Simulation simulation(busy.config, network.graph, *network.routing, source, 7);
  const TrafficPoint point = source.run(simulation, [] { return false; });
  fmt::print("{} {}: {} {} {}\n", kind, routing, point.messages, point.mean, counts(simulation));
}

void program(const char* path, std::uint32_t ranks) {
  NetworkConfig config;
  const Network network = make_topology(config, ranks);
  ProcessesConfig program;
  program.program = path;
  program.ranks = ranks;
  RankLoad load(program, 1, {0, network.graph.nodes()},
                [](RankId rank, Stream, std::string_view text) { fmt::print("{}: {}", index(rank), text); });
  Simulation simulation(config, network.graph, *network.routing, load, 7);
  load.run(simulation, MpiConfig{}, [](const Standing&) { return false; });
  for (const RankTime& time : load.jobs()[0]->results.times)
    fmt::print("{} {} {}\n", time.compute, time.wait, time.ended);
  fmt::print("{}\n", counts(simulation));
}

}  // namespace
}  // namespace psim::net

int main(int argc, char** argv) try {
  psim::net::traffic("torus", "4x4x2", "dimension-order");
  psim::net::traffic("torus", "4x3", "adaptive");
  psim::net::traffic("fat-tree", "4x4:1x2", "random");
  psim::net::traffic("dragonfly", "4x2x2x9", "ugal");
  for (int i = 1; i + 1 < argc; i += 2)
    psim::net::program(argv[i], static_cast<std::uint32_t>(std::atoi(argv[i + 1])));
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
