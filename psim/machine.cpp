// SPDX-License-Identifier: Apache-2.0
#include "psim/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/config/machine_files.h"
#include "isa/simd/config_schema.h"
#include "pipeline/config_schema.h"
#include "pipeline/memory/memory_schema.h"

namespace psim {

Machine::Machine() {
  schema.add("description", description, "what the machine is, for reports", "-");
  describe(schema, core);
  describe(schema, simd);
  describe(schema, l1i, "l1i", "first-level instruction cache");
  describe(schema, l1d, "l1d", "first-level data cache");
  describe(schema, l2);
  describe(schema, memory);
  describe(schema, energy);
  schema.rule(
      {"l2.line_bytes", "l1i.line_bytes", "l1d.line_bytes"},
      [this] { return l1i.line_bytes == l2.line_bytes && l1d.line_bytes == l2.line_bytes; },
      "all levels must have lines of one size");
  schema.validate([this](Problems& problems) {
    const std::uint64_t longest = longest_wait_cycles();
    if (core.watchdog <= longest)
      problems.add("core.watchdog",
                   fmt::format("{} cycles: expected more than {}, which an instruction can wait "
                               "with this memory and these traps",
                               core.watchdog, longest));
  });
}

std::uint64_t Machine::longest_wait_cycles() const {
  const std::uint64_t queue = l2.miss_registers + 1;
  const auto line = static_cast<std::uint64_t>(std::ceil(static_cast<double>(l2.line_bytes) * core.clock_hz /
                                                         static_cast<double>(memory.bytes_per_second)));
  const std::uint64_t turns = (queue + memory.outstanding - 1) / memory.outstanding;
  // A miss with all of L2's miss registers before it, each with a line to write back. A block access of 64
  // bytes may need several lines.
  const std::uint64_t miss = l2.latency + turns * memory.latency + 2 * queue * line;
  const std::uint64_t lines = std::max(1u, 64 / l2.line_bytes);
  const std::uint64_t translation = l1d.tlb.micro_miss_cycles + l1d.tlb.main_miss_cycles +
                                    l1i.tlb.micro_miss_cycles + l1i.tlb.main_miss_cycles;
  return l1i.latency + l1d.latency + translation + (lines + 1) * miss + core.window_trap.entry +
         core.window_trap.leave;
}

std::unique_ptr<Machine> load_machine(const commands::CommonOptions& options) {
  auto machine = std::make_unique<Machine>();
  machine->name = options.machine.empty() ? kDefaultMachine : options.machine;
  apply_machine(machine->schema, machine->name, options.sets);
  return machine;
}

}  // namespace psim
