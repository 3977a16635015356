// SPDX-License-Identifier: Apache-2.0
// A whole network as the user configures it: from a machine file and --set, like Machine for a core.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/config/schema.h"
#include "energy/link_energy.h"
#include "machines/machine_choice.h"
#include "machines/roofline_config.h"
#include "netsim/config/network_config.h"
#include "netsim/message/mpi_config.h"

namespace psim {

struct Machine;

inline constexpr const char* kDefaultNetwork = "torus3d";

struct NetworkMachine {
  NetworkMachine();

  std::string name = "default";  ///< as the user named it
  std::string description;
  net::NetworkConfig network;
  net::MpiConfig mpi;
  energy::LinkPower link_power;
  std::string collectives;  ///< name of a file: collective_table.h
  RooflineConfig roofline;
  std::string core;  ///< node.core: the machine of the nodes' cores; empty: not stated

  // By complete_network():
  std::string collectives_text;  ///< of the file
  std::string rules;             ///< rules of mpi.algorithms, then those of the file, of hardware, of a table
  /// The first two for cycle-level nodes, whose collectives are messages. Empty if collectives of the network
  /// have hardware or a table of times.
  std::string rules_of_messages;

  Schema schema;
};

/// Returns true if the machine file or --set has keys that only networks have.
bool is_network(const MachineChoice& choice);

/// Reads the tables of collectives that the keys name, once all keys are set. Throws UserError.
void complete_network(NetworkMachine& machine);

/// Returns the network of --machine and --set; by default torus3d. Throws UserError with every problem.
std::unique_ptr<NetworkMachine> load_network(const MachineChoice& choice);

/// Removes from the configuration in a result the sections that are not stated and that no run uses, so that
/// results do not depend on them.
void leave_out_unstated(const NetworkMachine& machine, nlohmann::ordered_json& configuration);

/// Returns the machine that node.core names; null if it is not stated. Throws UserError.
std::unique_ptr<Machine> core_of(const NetworkMachine& machine);
/// Returns the hash of that machine (machine_hash.h); empty if it is not stated. Throws UserError.
std::string core_sha256(const NetworkMachine& machine);

}  // namespace psim
