// SPDX-License-Identifier: Apache-2.0
#include "psim/network_machine.h"

#include "base/config/machine_files.h"

namespace psim {

NetworkMachine::NetworkMachine() {
  schema.add("description", description, "what the network is, for reports", "-");
  describe(schema, network);
  describe(schema, mpi);
}

std::unique_ptr<NetworkMachine> load_network(const commands::CommonOptions& options) {
  auto machine = std::make_unique<NetworkMachine>();
  machine->name = options.machine.empty() ? kDefaultNetwork : options.machine;
  Problems problems;
  std::vector<Setting> settings = load_machine_settings(machine->name, problems);
  for (const std::string& text : options.sets) settings.push_back(parse_override(text));
  machine->schema.apply(settings, problems);
  problems.throw_if_any();
  return machine;
}

}  // namespace psim
