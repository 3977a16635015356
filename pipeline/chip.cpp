// SPDX-License-Identifier: Apache-2.0
#include "pipeline/chip.h"

#include <fmt/format.h>

namespace psim::pipeline {

namespace {
std::vector<std::unique_ptr<CoreTile>> tiles_of(const MachineConfig& machine,
                                                const std::vector<isa::InstructionSource*>& sources,
                                                RunOptions options, MemorySystem& memory) {
  options.grouped = true;
  std::vector<std::unique_ptr<CoreTile>> tiles;
  for (isa::InstructionSource* source : sources)
    tiles.push_back(
        std::make_unique<CoreTile>(fmt::format("core{}_", tiles.size()), machine, *source, options, memory));
  return tiles;
}
}  // namespace

std::vector<Core*> Chip::cores_of(const std::vector<std::unique_ptr<CoreTile>>& tiles) {
  std::vector<Core*> cores;
  for (const auto& tile : tiles) cores.push_back(&tile->core);
  return cores;
}

Chip::Chip(const MachineConfig& machine, const std::vector<isa::InstructionSource*>& sources,
           RunOptions options)
    : WiredMemory(machine),
      seconds_per_cycle_(1.0 / machine.core.clock_hz),
      tiles(tiles_of(machine, sources, options, memory)),
      group("cores", cores_of(tiles), core_period(machine)) {}

void Chip::run() {
  sc_core::sc_start();
  finish();
}

void Chip::finish() {
  group.check();
  group.align();
}

void Chip::register_shared_statistics(statistics::Registry& registry) const {
  registry.add("chip", "All cores of a machine with several", group.stats());
  registry.set_clock(group.stats().cycles.count(), seconds_per_cycle_);
  registry.add("l2", "Second-level cache", memory.l2.stats());
  registry.add("coherence", "Coherence of the first levels of several cores", memory.l2.coherence_stats());
  registry.add("memory", "Memory controller", memory.memory->stats());
}

}  // namespace psim::pipeline
