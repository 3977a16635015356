// SPDX-License-Identifier: Apache-2.0
#include "psim/network_machine.h"

#include <algorithm>

#include "base/config/machine_files.h"
#include "psim/machine.h"

namespace psim {

NetworkMachine::NetworkMachine() {
  schema.add("description", description, "what the network is, for reports", "-");
  describe(schema, network);
  describe(schema, mpi);
}

bool is_network(const commands::CommonOptions& options) {
  if (options.machine.empty() && options.sets.empty()) return false;
  const Machine core;
  const NetworkMachine network;
  Problems ignored;
  std::vector<Setting> settings;
  if (!options.machine.empty()) settings = load_machine_settings(options.machine, ignored);
  for (const std::string& text : options.sets) settings.push_back(parse_override(text));
  return std::any_of(settings.begin(), settings.end(), [&](const Setting& setting) {
    return network.schema.find(setting.key) != nullptr && core.schema.find(setting.key) == nullptr;
  });
}

std::unique_ptr<NetworkMachine> load_network(const commands::CommonOptions& options) {
  auto machine = std::make_unique<NetworkMachine>();
  machine->name = options.machine.empty() ? kDefaultNetwork : options.machine;
  apply_machine(machine->schema, machine->name, options.sets);
  return machine;
}

}  // namespace psim
