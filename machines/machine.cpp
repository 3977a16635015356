// SPDX-License-Identifier: Apache-2.0
#include "machines/machine.h"

#include "base/config/machine_files.h"
#include "isa/state/simd_config_schema.h"
#include "machines/machine_kind.h"
#include "pipeline/config_schema.h"
#include "pipeline/memory/memory_schema.h"

namespace psim {

Machine::Machine() {
  l1i.prefetch = pipeline::Prefetch::Path;  // JPS1-V pp. 2, 26, 31
  schema.add("description", description, "description of the machine, for reports", "-");
  describe(schema, core);
  describe(schema, simd);
  describe(schema, l1i, "l1i", "first-level instruction cache", true);
  describe(schema, l1d, "l1d", "first-level data cache", false);
  describe(schema, l2);
  describe(schema, memory);
  describe(schema, node);
  describe(schema, energy);
  schema.rule(
      {"l2.line_bytes", "l1i.line_bytes", "l1d.line_bytes"},
      [this] { return l1i.line_bytes == l2.line_bytes && l1d.line_bytes == l2.line_bytes; },
      "all levels must have lines of one size");
  // A fetch, and a cache access, takes the miss registers for all lines of its block at once.
  schema.rule(
      {"core.fetch.width", "l1i.miss_registers", "l1i.line_bytes"},
      [this] {
        return std::uint64_t{l1i.miss_registers} * l1i.line_bytes >= std::uint64_t{core.fetch.width} * 4;
      },
      "the miss registers must hold all lines of a block of fetch.width × 4 bytes");
  schema.rule(
      {"simd.pes", "l1d.miss_registers", "l1d.line_bytes"},
      [this] {
        constexpr std::uint64_t kDescriptor = 48, kAligned = 8;  // of a block transfer
        const std::uint64_t lines = (l1d.line_bytes - kAligned + kDescriptor - 1) / l1d.line_bytes + 1;
        return simd.pes == 0 || l1d.miss_registers >= lines;
      },
      "with SIMD-PEs the miss registers must hold all lines of a transfer's descriptor, 48 bytes at a "
      "multiple of 8");
}

std::unique_ptr<Machine> load_machine(const MachineChoice& choice) {
  auto machine = std::make_unique<Machine>();
  machine->name = choice.machine.empty() ? kDefaultMachine : choice.machine;
  apply_machine_of(MachineKind::Core, machine->schema, machine->name, choice.sets);
  return machine;
}

}  // namespace psim
