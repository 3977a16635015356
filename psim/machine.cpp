// SPDX-License-Identifier: Apache-2.0
#include "psim/machine.h"

#include "base/config/machine_files.h"
#include "pipeline/config_schema.h"
#include "pipeline/memory/memory_schema.h"

namespace psim {

Machine::Machine() {
  schema.add("description", description, "what the machine is, for reports", "-");
  describe(schema, core);
  describe(schema, l1i, "l1i", "first-level instruction cache");
  describe(schema, l1d, "l1d", "first-level data cache");
  describe(schema, l2);
  describe(schema, memory);
  schema.rule(
      {"l2.line_bytes", "l1i.line_bytes", "l1d.line_bytes"},
      [this] { return l1i.line_bytes == l2.line_bytes && l1d.line_bytes == l2.line_bytes; },
      "all levels must have lines of one size");
}

std::unique_ptr<Machine> load_machine(const commands::CommonOptions& options) {
  auto machine = std::make_unique<Machine>();
  machine->name = options.machine.empty() ? kDefaultMachine : options.machine;
  Problems problems;
  std::vector<Setting> settings = load_machine_settings(machine->name, problems);
  for (const std::string& text : options.sets) settings.push_back(parse_override(text));
  machine->schema.apply(settings, problems);
  problems.throw_if_any();
  return machine;
}

}  // namespace psim
