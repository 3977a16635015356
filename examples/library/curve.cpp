// SPDX-License-Identifier: Apache-2.0
// Uses libraries of psim: prints an instruction, and points of a network's latency-throughput curve.
//     curve [MACHINE.toml]
#include <cstdint>
#include <cstdio>
#include <exception>

#include "isa/table/disassemble.h"
#include "machines/network_machine.h"
#include "netsim/simulation.h"
#include "netsim/topology/topology.h"
#include "netsim/traffic/synthetic.h"

namespace {

constexpr std::uint32_t kNodes = 16;

void print_point(const psim::net::NetworkConfig& config, const psim::net::Network& network, double load) {
  using namespace psim::net;
  TrafficConfig traffic;
  traffic.load = load;
  const std::uint32_t nodes = network.graph.nodes();
  SyntheticTraffic source(traffic, config, Destinations(Pattern::Uniform, nodes, {nodes}), nodes);
  Simulation simulation(config, network.graph, *network.routing, source);
  const TrafficPoint point = source.run(simulation, [] { return false; });
  std::printf("load %.1f: accepted %.3f, mean latency %.3f us\n", load, point.accepted, point.mean * 1e-6);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::printf("0x9de3bf50: %s\n", psim::isa::disassemble(0x9de3bf50, 0).c_str());
    const auto machine =
        psim::load_network({.machine = argc > 1 ? argv[1] : MACHINES "/torus3d.toml", .sets = {}});
    const psim::net::Network network = psim::net::make_topology(machine->network, kNodes);
    std::printf("%s, %s\n", network.shape.c_str(), network.routing_name.c_str());
    for (const double load : {0.1, 0.3, 0.5}) print_point(machine->network, network, load);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "curve: %s\n", error.what());
    return 2;
  }
}
