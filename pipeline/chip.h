// SPDX-License-Identifier: Apache-2.0
// Several cores with private first-level caches, and one second level, memory controller and bus for all: a
// parts list. Core n runs the instructions of source n; the sources belong to one program.
#pragma once

#include <memory>
#include <vector>

#include "pipeline/core_group.h"
#include "pipeline/wired_core.h"

namespace psim::pipeline {

class Chip : public WiredMemory {
 public:
  /// `sources`, one for each core, outlive the chip.
  Chip(const MachineConfig& machine, const std::vector<isa::InstructionSource*>& sources, RunOptions options);

  /// Simulates until the program has ended. Throws Deadlock.
  void run();
  /// Call after the simulation: throws the error that ended it early, and makes the cores' clocks equal.
  void finish();
  /// Registers the statistics of what the cores share.
  void register_shared_statistics(statistics::Registry& registry) const;

 private:
  const double seconds_per_cycle_;
  static std::vector<Core*> cores_of(const std::vector<std::unique_ptr<CoreTile>>& tiles);

 public:
  const std::vector<std::unique_ptr<CoreTile>> tiles;
  CoreGroup group;
};

}  // namespace psim::pipeline
