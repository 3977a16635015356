// SPDX-License-Identifier: Apache-2.0
// A whole machine: what every room's configuration adds up to, read from a machine file and --set.
#pragma once

#include <memory>
#include <string>

#include "base/config/schema.h"
#include "energy/config.h"
#include "isa/simd/config.h"
#include "pipeline/config.h"
#include "pipeline/memory/cache_config.h"
#include "psim/commands/command.h"

namespace psim {

inline constexpr const char* kDefaultMachine = "sparc64v";

/// The configuration of every room and the schema that describes it. To add a room's, give it a member and
/// call its describe() in the constructor.
struct Machine {
  Machine();

  std::string name = "default";  ///< as the user named it
  std::string description;
  pipeline::CoreConfig core;
  isa::SimdConfig simd{.pes = 0};
  pipeline::L1Config l1i, l1d;
  pipeline::L2Config l2;
  pipeline::MemoryConfig memory;
  energy::Config energy;

  Schema schema;
};

/// The machine of --machine and --set; the sparc64v machine without. Throws UserError with every problem.
std::unique_ptr<Machine> load_machine(const commands::CommonOptions& options);

}  // namespace psim
