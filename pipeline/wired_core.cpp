// SPDX-License-Identifier: Apache-2.0
#include "pipeline/wired_core.h"

#include <cmath>

namespace psim::pipeline {

sc_core::sc_time core_period(const MachineConfig& machine) {
  const double resolution = sc_core::sc_get_time_resolution().to_seconds();
  return sc_core::sc_time::from_value(
      static_cast<std::uint64_t>(std::llround(1.0 / (machine.core.clock_hz * resolution))));
}

WiredCore::WiredCore(const MachineConfig& machine, isa::InstructionSource& source, RunOptions options)
    : period_(core_period(machine)),
      has_pes_(machine.simd.pes != 0),
      memory("memory_system", machine.l2, machine.memory, period_),
      instruction_port("l1i_port", machine.l1i.line_bytes, period_),
      data_port("l1d_port", machine.l1d.line_bytes, period_),
      instruction_cache(machine.l1i, instruction_port),
      data_cache(machine.l1d, data_port),
      core("core", machine.core, source, instruction_cache, data_cache, options),
      transfer_port("transfer_port", machine.l1d.line_bytes, period_) {
  instruction_port.serve(instruction_cache);
  data_port.serve(data_cache);
  memory.attach(instruction_port);
  memory.attach(data_port);
  transfer_port.serve(core.transfers());
  transfer_port.out_lines.bind(memory.memory.in_requests);
}

Activity WiredCore::activity() const {
  Activity sample = core.activity();
  const L2Stats& l2 = memory.l2.stats();
  const MemoryStats& controller = memory.memory.stats();
  sample.memory.l2_reads = l2.hits + l2.misses + l2.merges;
  sample.memory.l2_writes = l2.writes + l2.misses;
  sample.memory.reads = controller.reads;
  sample.memory.writes = controller.writes;
  sample.memory.bytes = controller.bytes();
  return sample;
}

void WiredCore::register_statistics(statistics::Registry& registry) const {
  core.register_statistics(registry);
  registry.add("l2", "Second-level cache", memory.l2.stats());
  registry.add("memory", "Memory controller", memory.memory.stats());
  if (!has_pes_) return;
  registry.add("simd", "SIMD-PEs and their memories (SBM)", core.simd_stats());
  registry.add("transfers", "Block transfers between memory and SBMs", core.transfer_stats());
}

void WiredCore::run() {
  sc_core::sc_start();
  core.check();
}

}  // namespace psim::pipeline
