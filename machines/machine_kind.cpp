// SPDX-License-Identifier: Apache-2.0
#include "machines/machine_kind.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/config/machine_files.h"
#include "base/error.h"
#include "machines/machine.h"
#include "machines/network_machine.h"

namespace psim {

bool sets_field(const Schema& schema, std::string_view key) {
  if (schema.find(key) != nullptr) return true;
  const bool in_table = key.ends_with(".value") || key.ends_with(".source");
  return in_table && schema.find(key.substr(0, key.rfind('.'))) != nullptr;
}

MachineKind kind_of(const std::vector<Setting>& settings) {
  const Machine core;
  const NetworkMachine network;
  bool cores = false, networks = false;
  for (const Setting& setting : settings) {
    const bool of_core = sets_field(core.schema, setting.key);
    const bool of_network = sets_field(network.schema, setting.key);
    cores = cores || (of_core && !of_network);
    networks = networks || (of_network && !of_core);
  }
  if (cores == networks) return MachineKind::Unclear;
  return cores ? MachineKind::Core : MachineKind::Network;
}

void check_kind(std::string_view machine, MachineKind wanted, const Schema& own) {
  std::vector<Setting> settings;
  try {
    Problems problems;
    settings = load_machine_settings(machine, problems);
    if (!problems.empty()) return;
  } catch (const UserError&) {
    return;  // no such file: loading reports it
  }
  // Mostly all keys are known, and the other schema need not be made.
  if (std::ranges::all_of(settings, [&own](const Setting& setting) { return sets_field(own, setting.key); }))
    return;
  const MachineKind kind = kind_of(settings);
  if (kind == wanted || kind == MachineKind::Unclear) return;
  std::string others;
  for (const ShippedMachine& shipped : shipped_machines())
    if (shipped.kind == wanted && !shipped.is_base) others += (others.empty() ? "" : ", ") + shipped.name;
  throw UserError(
      fmt::format("machine {}: is {}; expected {} such as {}", machine,
                  kind == MachineKind::Network ? "a network, for psim net" : "a core, for psim run",
                  wanted == MachineKind::Core ? "a core" : "a network", others));
}

void apply_machine_of(MachineKind wanted, Schema& schema, std::string_view machine,
                      const std::vector<std::string>& sets) {
  try {
    apply_machine(schema, machine, sets);
  } catch (const UserError&) {
    check_kind(machine, wanted, schema);
    throw;
  }
}

std::vector<ShippedMachine> shipped_machines() {
  std::vector<ShippedMachine> machines;
  for (const std::string& name : machine_names()) {
    Problems ignored;  // Problems are ignored here; `psim config check` reports them
    const std::vector<Setting> settings = load_machine_settings(name, ignored);
    ShippedMachine machine{name, {}, kind_of(settings), true};
    for (const Setting& setting : settings) {
      if (setting.key == "description")
        machine.description = setting.value;
      else if (!setting.key.starts_with("energy."))
        machine.is_base = false;
    }
    machines.push_back(std::move(machine));
  }
  return machines;
}

}  // namespace psim
