// SPDX-License-Identifier: Apache-2.0
// A whole machine: the configurations of all rooms, read from a machine file and --set.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/config/schema.h"
#include "energy/config.h"
#include "machines/machine_choice.h"
#include "pipeline/machine_config.h"

namespace psim {

inline constexpr const char* kDefaultMachine = "sparc64v";

/// The configuration of every room and the schema that describes it. To add a room's, give it a member and
/// call its describe() in the constructor.
struct Machine : pipeline::MachineConfig {
  Machine();

  std::string name = "default";  ///< as the user named it
  std::string description;
  energy::Config energy;

  Schema schema;
};

/// Returns the machine of --machine and --set; by default the sparc64v machine. Throws UserError with every
/// problem.
std::unique_ptr<Machine> load_machine(const MachineChoice& choice);

}  // namespace psim
