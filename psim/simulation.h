// SPDX-License-Identifier: Apache-2.0
// One core with its caches and memory, wired: a parts list.
#pragma once

#include <systemc>

#include "pipeline/core.h"
#include "pipeline/memory/l1_port.h"
#include "pipeline/memory/memory_system.h"
#include "pipeline/simd/transfer_port.h"
#include "psim/machine.h"

namespace psim {

/// A cycle of the machine's cores.
sc_core::sc_time core_period(const Machine& machine);

class Simulation {
 public:
  Simulation(const Machine& machine, isa::InstructionSource& source, pipeline::RunOptions options);

  /// Simulates until the program has ended. Throws pipeline::Deadlock.
  void run();
  /// Of core, caches and memory up to now; see Core::count_activity().
  pipeline::Activity activity() const;
  /// Names the statistics of all parts.
  void register_statistics(statistics::Registry& registry) const;

 private:
  const sc_core::sc_time period_;  ///< one core cycle

 public:
  pipeline::MemorySystem memory;
  pipeline::L1Port instruction_port, data_port;
  pipeline::L1Cache instruction_cache, data_cache;
  pipeline::Core core;
  pipeline::TransferPort transfer_port;
};

}  // namespace psim
