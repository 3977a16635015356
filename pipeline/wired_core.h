// SPDX-License-Identifier: Apache-2.0
// One core with its caches and memory, connected: a parts list.
#pragma once

#include "pipeline/core_tile.h"

namespace psim::pipeline {

/// The shared levels, which a tile needs at its construction.
struct WiredMemory {
  explicit WiredMemory(const MachineConfig& machine);
  MemorySystem memory;
};

class WiredCore : public WiredMemory, public CoreTile {
 public:
  WiredCore(const MachineConfig& machine, isa::InstructionSource& source, RunOptions options);

  /// Simulates until the program has ended. Throws Deadlock.
  void run();
  /// Returns the activity of core, caches and memory up to now; see Core::count_activity().
  Activity activity() const;
  /// Registers the statistics of all parts.
  void register_statistics(statistics::Registry& registry) const;
};

}  // namespace psim::pipeline
