// SPDX-License-Identifier: Apache-2.0
#include "pipeline/machine_config.h"

#include "guest/initial_stack.h"

namespace psim::pipeline {

std::uint64_t memory_flags(const MachineConfig& machine) {
  const auto kind = machine.l1d.prefetch == Prefetch::Perfect  ? isa::MemoryFlags::Perfect
                    : machine.l1d.prefetch == Prefetch::Stream ? isa::MemoryFlags::Stream
                                                               : isa::MemoryFlags::None;
  const double bytes_per_cycle = static_cast<double>(machine.memory.bytes_per_second) / machine.core.clock_hz;
  const isa::MemoryFlags flags{.memory_cycles = machine.l2.latency + machine.memory.latency,
                               .bandwidth = static_cast<std::uint32_t>(16 * bytes_per_cycle),
                               .l2_cycles = machine.l2.latency,
                               .l1_bytes = machine.l1d.bytes,
                               .l2_bytes = machine.l2.bytes,
                               .prefetch = kind};
  return flags.word();
}

}  // namespace psim::pipeline
