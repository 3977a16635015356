// SPDX-License-Identifier: Apache-2.0
// One MGEN program on one network, simulated by `psim net` in a process of its own, and its cost.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "papers/simulation_options.h"

namespace psim::reproduce {

struct NetworkRun {
  std::string program;                 ///< "alltoall", of program_directory()
  std::vector<std::string> arguments;  ///< of the program
  std::uint32_t ranks = 1;
  std::string machine;                    ///< "bluegene_l"
  std::vector<std::string> settings;      ///< applied after the machine, "topology.shape=8x4x4"
  std::vector<std::string> options = {};  ///< further options of psim net, "--network", "analytic"

  std::string label() const;  ///< "alltoall 4096 collective, 128 ranks", for the user
};

struct NetworkCost {
  std::string output;  ///< the program's output
  double seconds = 0;  ///< of simulated time
  std::uint64_t messages = 0, packets = 0, packet_hops = 0;
  double cpu_seconds = 0, wall_seconds = 0;  ///< of the host
  std::uint64_t peak_rss_bytes = 0;
  double joules = 0, watts = 0;  ///< of links, if they can sleep

  /// Returns the number before `unit` in the program's output: 12.5 of "took 12.5 us", " us". Throws
  /// std::runtime_error if there is none.
  double printed(const std::string& unit) const;
};

/// Returns the folder of the programs built with psim. Throws UserError if they are missing.
std::string program_directory();

/// Simulates all runs, begun in the order given. Shows progress on a terminal. Throws as do_all() does, and
/// std::runtime_error with psim net's message if it fails.
std::vector<NetworkCost> simulate(const std::vector<NetworkRun>& runs, const SimulationOptions& options);

/// Returns {"program", "arguments", "ranks", "seconds", "messages", "packets", "packet_hops"}.
nlohmann::ordered_json json_of(const NetworkRun& run, const NetworkCost& cost);
/// Returns {"cpu_seconds", "wall_seconds", "peak_rss_bytes", "packet_hops_per_second"}, which may differ
/// between hosts.
nlohmann::ordered_json host_json_of(const NetworkCost& cost);

}  // namespace psim::reproduce
