// SPDX-License-Identifier: Apache-2.0
#include "pipeline/core_tile.h"

#include <cmath>

namespace psim::pipeline {

sc_core::sc_time core_period(const MachineConfig& machine) {
  const double resolution = sc_core::sc_get_time_resolution().to_seconds();
  return sc_core::sc_time::from_value(
      static_cast<std::uint64_t>(std::llround(1.0 / (machine.core.clock_hz * resolution))));
}

CoreTile::CoreTile(const std::string& prefix, const MachineConfig& machine, isa::InstructionSource& source,
                   RunOptions options, MemorySystem& memory)
    : instruction_port((prefix + "l1i_port").c_str(), machine.l1i.line_bytes, core_period(machine)),
      data_port((prefix + "l1d_port").c_str(), machine.l1d.line_bytes, core_period(machine)),
      instruction_cache(machine.l1i, instruction_port),
      data_cache(machine.l1d, data_port),
      core((prefix + "core").c_str(), machine.core, source, instruction_cache, data_cache, options),
      transfer_port((prefix + "transfer_port").c_str(), machine.l1d.line_bytes, core_period(machine)),
      has_pes_(machine.simd.pes != 0) {
  instruction_port.serve(instruction_cache);
  data_port.serve(data_cache);
  memory.attach(instruction_port);
  memory.attach(data_port);
  transfer_port.serve(core.transfers());
  transfer_port.out_lines.bind(memory.memory->requests());
}

void CoreTile::register_core_statistics(statistics::Registry& registry) const {
  core.register_statistics(registry);
}

void CoreTile::register_simd_statistics(statistics::Registry& registry) const {
  if (!has_pes_) return;
  registry.add("simd", "SIMD-PEs and their memories (SBM)", core.simd_stats());
  registry.add("transfers", "Block transfers between memory and SBMs", core.transfer_stats());
}

void add_memory_activity(Activity& sample, const MemorySystem& memory) {
  const L2Stats& l2 = memory.l2.stats();
  const MemoryStats& controller = memory.memory->stats();
  sample.memory.l2_reads = l2.hits + l2.misses + l2.merges;
  sample.memory.l2_writes = l2.writes + l2.misses;
  sample.memory.reads = controller.reads;
  sample.memory.writes = controller.writes;
  sample.memory.bytes = controller.bytes();
}

}  // namespace psim::pipeline
