// SPDX-License-Identifier: Apache-2.0
// A file for `psim cosim`: the number of nodes, their machine and network, and the program. Keys of machines
// and networks may stand in the same file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/config/schema.h"
#include "base/units.h"
#include "cosim/nic_config.h"
#include "energy/node_power.h"
#include "machines/machine.h"
#include "machines/network_machine.h"

namespace psim {

// The keys of a scenario for the loads on the network in addition to its detailed nodes: jobs of ranks, and
// background traffic.
//
//     at = "0:3,512:515"            # the network's nodes that are simulated in detail
//     compute = "model:fits.toml"   # of ranks, as psim net --compute
//     [job.solver]                  # docs/jobs.md
//     program = "stencil"
//     ranks = 64
//     [traffic]
//     pattern = "uniform"
//     load = 0.2

struct MixedConfig {
  MixedConfig();

  std::string at;       ///< numbers and ranges; empty: the first nodes
  std::string compute;  ///< empty: as programs state it
  bool skeleton = false;
  std::string pattern;  ///< of background traffic; empty: none
  double load = 0.1;    ///< of each node, as a share of nic.bandwidth
  Bytes message{2'048};
  double hot = 0.1;  ///< share of a hotspot's traffic

  Schema schema;              ///< of the above
  std::vector<Setting> jobs;  ///< of the tables [job.NAME]; their keys begin with kJobTable
  static constexpr const char* kJobTable = "job.";

  /// Returns whether the network has other loads.
  bool any() const { return !jobs.empty() || !pattern.empty(); }
};

struct Scenario {
  Scenario();

  std::string file;  ///< as the user named it
  std::string description;
  std::uint32_t nodes = 2;
  std::string machine = kDefaultMachine;  ///< of every node
  std::string network = kDefaultNetwork;
  std::string program;    ///< as written
  std::string arguments;  ///< with blanks between
  cosim::NicConfig interface;
  energy::NodePower power;  ///< keys energy.…, for measure_energy()

  Schema schema;  ///< of the above
  MixedConfig mixed;
  Machine node;
  NetworkMachine fabric;
  /// Keys of the network that the user has set and that detailed nodes do not use.
  std::vector<std::string> unused;

  /// Returns the ranks of each detailed node: node.ranks, which in a scenario with jobs belongs to these.
  std::uint32_t ranks() const { return mixed.jobs.empty() ? fabric.network.node.ranks : 1; }

  std::vector<std::string> command;        ///< program and arguments of a command line; empty: as above
  std::vector<std::string> words() const;  ///< path of the program, and its arguments
  std::string program_path;                ///< path that can be opened

  /// Makes the run measure energy. Links that never sleep are counted as with link.sleep.policy = never.
  void measure_energy();
  bool measures_energy = false;
  bool records_history = false;  ///< of each core over time, for a page
  bool memoize = true;           ///< repeat remembered stretches of cycles

  /// The nodes on cycle-level cores, in ascending order; empty: all. The others execute functionally.
  std::vector<std::uint32_t> detailed;
  double functional_cpi = 0;  ///< cycles per instruction of functional nodes; 0: as measured (cosim/paces.h)
  bool functional(std::uint32_t node) const;
};

/// Throws UserError with every problem, "put.toml:3: nodez = 2: unknown key; did you mean nodes?".
std::unique_ptr<Scenario> load_scenario(const std::string& file, const std::vector<std::string>& sets);

/// Parts of a scenario on a command line. Empty: the default.
struct ScenarioChoice {
  std::uint32_t nodes = 2;
  std::string machine, network;
  std::vector<std::string> command;  ///< program and arguments
  std::vector<std::string> sets;
};
/// Returns the scenario in which every node runs a program of the command line. Throws UserError.
std::unique_ptr<Scenario> make_scenario(const ScenarioChoice& choice);

}  // namespace psim
