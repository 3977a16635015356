// SPDX-License-Identifier: Apache-2.0
// A core with its first-level caches and the ports to what is shared: a parts list.
#pragma once

#include <string>
#include <systemc>

#include "base/statistics/registry.h"
#include "pipeline/core.h"
#include "pipeline/machine_config.h"
#include "pipeline/memory/l1_port.h"
#include "pipeline/memory/memory_system.h"
#include "pipeline/simd/transfer_port.h"

namespace psim::pipeline {

/// Returns the period of a cycle of the machine's cores.
sc_core::sc_time core_period(const MachineConfig& machine);

class CoreTile {
 public:
  /// `prefix` precedes the names of the modules: "core3_". The tile's requests go to `memory`.
  CoreTile(const std::string& prefix, const MachineConfig& machine, isa::InstructionSource& source,
           RunOptions options, MemorySystem& memory);

  /// Returns the activity of core and first-level caches up to now(); see Core::count_activity().
  Activity core_activity() const { return core.activity(); }
  /// Registers the statistics of the core and its SIMD part.
  void register_core_statistics(statistics::Registry& registry) const;
  /// Registers those of its SIMD part.
  void register_simd_statistics(statistics::Registry& registry) const;

  L1Port instruction_port, data_port;
  L1Cache instruction_cache, data_cache;
  Core core;
  TransferPort transfer_port;

 private:
  const bool has_pes_;
};

/// Adds the activity of the shared levels to a sample.
void add_memory_activity(Activity& sample, const MemorySystem& memory);

}  // namespace psim::pipeline
