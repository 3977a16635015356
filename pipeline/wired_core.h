// SPDX-License-Identifier: Apache-2.0
// One core with its caches and memory, connected: a parts list.
#pragma once

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

class WiredCore {
 public:
  WiredCore(const MachineConfig& machine, isa::InstructionSource& source, RunOptions options);

  /// Simulates until the program has ended. Throws Deadlock.
  void run();
  /// Returns the activity of core, caches and memory up to now; see Core::count_activity().
  Activity activity() const;
  /// Registers the statistics of all parts.
  void register_statistics(statistics::Registry& registry) const;

 private:
  const sc_core::sc_time period_;  ///< one core cycle
  const bool has_pes_;

 public:
  MemorySystem memory;
  L1Port instruction_port, data_port;
  L1Cache instruction_cache, data_cache;
  Core core;
  TransferPort transfer_port;
};

}  // namespace psim::pipeline
