// SPDX-License-Identifier: Apache-2.0
// A file for `psim cosim`: the number of nodes, their machine and network, and the program. Keys of machines
// and networks may stand in the same file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/config/schema.h"
#include "cosim/mixed_config.h"
#include "cosim/nic_config.h"
#include "energy/node_power.h"
#include "machines/machine.h"
#include "machines/network_machine.h"

namespace psim {

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
