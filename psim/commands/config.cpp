// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/config/print.h"
#include "base/console.h"
#include "base/error.h"
#include "machines/machine.h"
#include "machines/machine_kind.h"
#include "machines/network_machine.h"
#include "netsim/topology/topology.h"
#include "psim/commands/command.h"

namespace psim::commands {
namespace {

struct ConfigOptions {
  CommonOptions common;
  std::string file, key;
  bool json = false, manual = false, network = false;
};

/// A machine of either kind.
struct AnyMachine {
  std::unique_ptr<Machine> core;
  std::unique_ptr<NetworkMachine> network;
  const Schema& schema() const { return core ? core->schema : network->schema; }
};

AnyMachine load_any(const ConfigOptions& options, const CommonOptions& common) {
  AnyMachine machine;
  if (options.network || is_network(common))
    machine.network = load_network(common);
  else
    machine.core = load_machine(common);
  return machine;
}

int show(const ConfigOptions& options) {
  const AnyMachine machine = load_any(options, options.common);
  if (options.json)
    console::print("{}\n", config_json(machine.schema(), true).dump(2));
  else
    console::print("{}", config_toml(machine.schema()));
  return 0;
}

/// Returns the error of an action, with the file and line of the key that it begins with; empty if it
/// succeeds.
std::string problem_of(const std::function<void()>& action, const Schema& schema) {
  try {
    action();
    return "";
  } catch (const UserError& error) {
    const std::string text = error.what();
    const Field* field = schema.find(text.substr(0, text.find_first_of(" :")));
    return field == nullptr ? text : fmt::format("{}: {}", field->origin.text(), text);
  }
}

/// Reports mistakes that only the making of a network shows: in its topology, its routing and its cores.
void check_network(const NetworkMachine& machine) {
  constexpr std::uint32_t kNodes = 72;  // of a network without a shape; also that of a dragonfly
  const std::uint32_t nodes = machine.network.topology.shape.empty() ? kNodes : 0;
  std::string problems = problem_of([&] { net::make_topology(machine.network, nodes); }, machine.schema);
  const std::string of_core = problem_of([&] { core_of(machine); }, machine.schema);
  if (!problems.empty() && !of_core.empty()) problems += '\n';
  problems += of_core;
  if (!problems.empty()) throw UserError(problems);
}

int check(const ConfigOptions& options) {
  CommonOptions common = options.common;
  common.machine = options.file;
  const AnyMachine machine = load_any(options, common);
  if (machine.network) check_network(*machine.network);
  console::print("{}: good\n", options.file);
  return 0;
}

constexpr const char* kHowToWrite =
    "A machine file is TOML: `base = \"NAME\"` at its top copies all keys of another machine, and the file "
    "sets only those that differ; `--set KEY=VALUE` changes one key. Quantities are text with a unit (`\"120 "
    "cycles\"`, "
    "`\"128 "
    "KiB\"`, `\"2 GHz\"`); KB, MB and GB are powers of two in sizes and powers of ten in bandwidths. `psim "
    "config "
    "check FILE` reports every mistake in a file.";

void print_manual(bool network) {
  if (network) {
    const NetworkMachine machine;
    console::print(
        "# Configuration of networks\n\nMade by `psim config explain --network --markdown`; do not edit. "
        "{}\n\n"
        "Sources: \"assumption\" marks a number that no paper gives.\n{}",
        kHowToWrite, config_manual(machine.schema));
    return;
  }
  const Machine machine;
  console::print(
      "# Configuration\n\nMade by `psim config explain --markdown`; do not edit. {}\n\nSources: \"paper "
      "003\" is the "
      "simulator paper whose core this is, \"JPS1-V\" the SPARC64 V specification; \"assumption\" marks a "
      "number that "
      "neither gives.\n{}",
      kHowToWrite, config_manual(machine.schema));
}

int explain(const ConfigOptions& options) {
  if (options.manual) {
    print_manual(options.network);
    return 0;
  }
  const AnyMachine any_machine = load_any(options, options.common);
  const Schema& schema = any_machine.schema();
  if (options.key.empty()) {
    for (const Field& field : schema.fields())
      console::print("{:<36} {:<14} {}\n", field.key, field.text(), field.doc);
    return 0;
  }
  if (const Field* field = schema.find(options.key)) {
    console::print("{}", config_explain(*field));
    return 0;
  }
  // A table stands for all its keys.
  bool any = false;
  for (const Field& field : schema.fields())
    if (field.key.starts_with(options.key + "."))
      console::print("{}{}", any ? "\n" : "", config_explain(field)), any = true;
  if (!any) throw UserError(fmt::format("{}: {}", options.key, schema.unknown(options.key)));
  return 0;
}

/// Prints one line for each shipped machine, under a heading for each kind.
int list_machines() {
  const std::vector<ShippedMachine> machines = shipped_machines();
  std::size_t width = 0;
  for (const ShippedMachine& machine : machines) width = std::max(width, machine.name.size());
  const auto print = [&](const char* heading, MachineKind kind, bool is_base) {
    console::print("{}\n", heading);
    for (const ShippedMachine& machine : machines)
      if (machine.kind == kind && machine.is_base == is_base)
        console::print("  {:<{}}  {}\n", machine.name, width, machine.description);
  };
  print("Core machines: exec, run, replay and trace --machine NAME; `machine` in a scenario of psim cosim",
        MachineKind::Core, false);
  print("\nNetwork machines: net --machine NAME; `network` in a scenario of psim cosim", MachineKind::Network,
        false);
  print("\nBases of core machines: `base = \"NAME\"` in a machine file", MachineKind::Core, true);
  return 0;
}

std::function<int()> set_up_config(CLI::App& app) {
  auto options = std::make_shared<ConfigOptions>();
  app.require_subcommand(1);

  CLI::App* list_app = app.add_subcommand("list", "list the shipped machines, by kind");

  CLI::App* show_app = app.add_subcommand("show", "print the effective configuration as a machine file");
  add_common(*show_app, options->common, kMachine);
  constexpr const char* kMachineHelp =
      "machine, of cores or a network: a TOML file, or the name of a shipped one [sparc64v; torus3d if --set "
      "has keys of networks]";
  show_app->get_option("--machine")->description(kMachineHelp);
  show_app->add_flag("--json", options->json, "as JSON");

  CLI::App* check_app = app.add_subcommand("check", "report every mistake in a machine file");
  check_app->add_option("FILE", options->file, "machine file, or name of a machine")->required();
  check_app->add_option("--set", options->common.sets, "change one key first; may be repeated")
      ->type_name("KEY=VALUE")
      ->take_all();

  CLI::App* explain_app =
      app.add_subcommand("explain", "print the meaning, limits, value and origin of keys");
  explain_app->add_option("KEY", options->key, "a key or a table of keys [all keys, one line each]");
  explain_app->add_flag("--markdown", options->manual, "print the manual of all keys, docs/configuration.md");
  explain_app->add_flag("--network", options->network, "keys of networks (psim net) instead of cores");
  add_common(*explain_app, options->common, kMachine);
  explain_app->get_option("--machine")
      ->description(
          "machine, of cores or a network: a TOML file, or the name of a shipped one [sparc64v; with "
          "--network "
          "torus3d]");

  return [options, list_app, show_app, check_app] {
    if (list_app->parsed()) return list_machines();
    if (show_app->parsed()) return show(*options);
    if (check_app->parsed()) return check(*options);
    return explain(*options);
  };
}

}  // namespace

const Command kConfig{
    .name = "config",
    .usage = "list|show|check|explain …",
    .summary = "show, check and explain machine configurations",
    .examples =
        "  psim config list\n"
        "  psim config show --machine sparc64v\n"
        "  psim config check my-machine.toml\n"
        "  psim config explain description\n"
        "  psim config explain --network router\n"
        "  psim config show --machine torus3d\n",
    .setup = set_up_config,
};

}  // namespace psim::commands
