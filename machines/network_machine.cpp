// SPDX-License-Identifier: Apache-2.0
#include "machines/network_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/config/machine_files.h"
#include "base/read_file.h"
#include "machines/collective_table.h"
#include "machines/machine.h"
#include "machines/machine_hash.h"
#include "machines/machine_kind.h"
#include "mpi/collective/selection.h"
#include "netsim/simulation.h"

namespace psim {

NetworkMachine::NetworkMachine() {
  schema.add("description", description, "description of the network, for reports", "-");
  describe(schema, network);
  describe(schema, link_power);
  describe(schema, mpi);
  schema.add("mpi.collectives", collectives,
             "name of a file with a table of algorithms, as psim net --collectives prints it; applies after "
             "mpi.algorithms and before the built-in table",
             kAssumption);
  schema.add("node.core", core,
             "machine of the nodes' cores, a file or a name; psim net --compute model:FILE refuses models of "
             "another machine; empty: not compared",
             kAssumption);
  describe(schema, roofline);
}

bool is_network(const MachineChoice& choice) {
  if (choice.machine.empty() && choice.sets.empty()) return false;
  const Machine core;
  const NetworkMachine network;
  Problems ignored;
  std::vector<Setting> settings;
  if (!choice.machine.empty()) settings = load_machine_settings(choice.machine, ignored);
  for (const std::string& text : choice.sets) settings.push_back(parse_override(text));
  return std::any_of(settings.begin(), settings.end(), [&](const Setting& setting) {
    return sets_field(network.schema, setting.key) && !sets_field(core.schema, setting.key);
  });
}

namespace {

/// Reads a file; a relative name in a machine file is relative to that file.
std::string read_beside(const std::string& key, const std::string& name, const Origin& origin) {
  const std::filesystem::path directory =
      origin.line == 0 ? std::filesystem::path() : std::filesystem::path(origin.source_name).parent_path();
  FileBytes file = read_file(directory / name);
  if (!file.problem.empty())
    throw UserError(
        fmt::format("{}: {} = \"{}\": cannot be read: {}", origin.text(), key, name, file.problem));
  return std::move(file.bytes);
}

}  // namespace

void complete_network(NetworkMachine& machine) {
  machine.rules = machine.mpi.algorithms;
  try {
    net::mpi::selection_rules(machine.rules);
  } catch (const std::invalid_argument& error) {
    throw UserError(fmt::format("{}: mpi.algorithms = \"{}\": {}",
                                machine.schema.find("mpi.algorithms")->origin.text(), machine.rules,
                                error.what()));
  }
  if (!machine.collectives.empty()) {
    machine.collectives_text =
        read_beside("mpi.collectives", machine.collectives, machine.schema.find("mpi.collectives")->origin);
    machine.rules += "; " + collective_rules(machine.collectives_text, machine.collectives);
  }
  const bool messages =
      machine.mpi.hardware.kind == net::HardwareCollectives::None && machine.mpi.collective_table.empty();
  machine.rules_of_messages = messages ? machine.rules : "";
  check_hardware_rules(machine.rules, machine.mpi.hardware.kind);
  machine.rules += hardware_rules(machine.mpi.hardware);
  net::MpiConfig& mpi = machine.mpi;
  if (!mpi.collective_table.empty())
    mpi.collective_times = read_beside("collective.table", mpi.collective_table,
                                       machine.schema.find("collective.table")->origin);
  const std::string of_table =
      mpi.collective_table.empty() ? "" : table_rules(mpi.collective_times, mpi.collective_table);
  check_table_rules(machine.rules, mpi.collective_times);
  machine.rules += of_table;
  if (!of_table.empty())
    check_table_times(mpi.collective_times, mpi.collective_table,
                      net::Simulation::lookahead(machine.network));
}

std::unique_ptr<NetworkMachine> load_network(const MachineChoice& choice) {
  auto machine = std::make_unique<NetworkMachine>();
  machine->name = choice.machine.empty() ? kDefaultNetwork : choice.machine;
  apply_machine_of(MachineKind::Network, machine->schema, machine->name, choice.sets);
  complete_network(*machine);
  return machine;
}

void leave_out_unstated(const NetworkMachine& machine, nlohmann::ordered_json& configuration) {
  if (!machine.roofline.stated()) configuration.erase("roofline");
  if (machine.mpi.sync.kind == net::BarrierNetwork::None) configuration.erase("barrier");
  if (!machine.mpi.clock.stated()) configuration.erase("clock");
}

std::unique_ptr<Machine> core_of(const NetworkMachine& machine) {
  if (machine.core.empty()) return nullptr;
  const Origin& origin = machine.schema.find("node.core")->origin;
  const std::filesystem::path folder =
      origin.line == 0 ? std::filesystem::path() : std::filesystem::path(origin.source_name).parent_path();
  try {
    return load_machine({find_machine(machine.core, folder.string()), {}});
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: node.core = \"{}\": {}", origin.text(), machine.core, error.what()));
  }
}

std::string core_sha256(const NetworkMachine& machine) {
  const std::unique_ptr<Machine> core = core_of(machine);
  return core == nullptr ? "" : core_sha256(*core);
}

}  // namespace psim
