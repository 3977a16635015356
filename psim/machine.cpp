// SPDX-License-Identifier: Apache-2.0
#include "psim/machine.h"

#include "base/config/machine_files.h"

namespace psim {

Machine::Machine() {
  schema.add("description", description, "what the machine is, for reports", kAssumption);
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
