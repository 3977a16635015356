// SPDX-License-Identifier: Apache-2.0
#include "pipeline/wired_core.h"

#include <memory>

#include "pipeline/functional_core.h"
#include "pipeline/memo/core_memo.h"

namespace psim::pipeline {

namespace {
L2Config l2_of(const MachineConfig& machine) {
  L2Config config = machine.l2;
  config.coherent = machine.node.cores > 1;
  return config;
}
}  // namespace

WiredMemory::WiredMemory(const MachineConfig& machine)
    : memory("memory_system", l2_of(machine), machine.memory, core_period(machine), machine.make_memory) {}

WiredCore::WiredCore(const MachineConfig& machine, isa::InstructionSource& source, RunOptions options)
    : WiredMemory(machine), CoreTile("", machine, source, options, memory) {
  if (options.functional_pace != nullptr) {
    core.set_repeater(std::make_unique<FunctionalCore>(core, *options.functional_pace));
    return;
  }
  // Other models of the memory may need events of their own, which a repeated stretch would pass over.
  if (options.memoize && options.skip_idle && !machine.make_memory && CoreMemo::can_store(core))
    core.set_repeater(std::make_unique<CoreMemo>(core, options.stretches));
}

Activity WiredCore::activity() const {
  Activity sample = core_activity();
  add_memory_activity(sample, memory);
  return sample;
}

void WiredCore::register_statistics(statistics::Registry& registry) const {
  register_core_statistics(registry);
  registry.add("l2", "Second-level cache", memory.l2.stats());
  registry.add("memory", "Memory controller", memory.memory->stats());
  register_simd_statistics(registry);
}

void WiredCore::run() {
  sc_core::sc_start();
  core.check();
}

}  // namespace psim::pipeline
