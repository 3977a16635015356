// SPDX-License-Identifier: Apache-2.0
#include "cosim/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/config/machine_files.h"
#include "base/executable_path.h"
#include "machines/machine_kind.h"
#include "netsim/simulation.h"

namespace psim {

MixedConfig::MixedConfig() {
  schema.add("at", at,
             "nodes of the network that are detailed, such as 0:3,512:515; the first ones if not set", "-");
  schema.add(
      "compute", compute,
      "time of computing of ranks, as psim net --compute: stated, or model:FILE, whose file is relative to "
      "this one",
      "-");
  schema.add("skeleton", skeleton, "leave out the bodies of PSIM_REGION_SKIP regions, as psim net --skeleton",
             "-");
  schema.add(
      "traffic.pattern", pattern,
      "pattern of the messages of all nodes that are neither detailed nor of a job, as psim net --traffic",
      "-");
  schema.add("traffic.load", load, {1e-6, 4.0}, "bytes that each of them makes, as a share of nic.bandwidth",
             "-");
  schema.add("traffic.message", message, {Bytes{1}, Bytes{std::uint64_t{1} << 30}}, "size of each message",
             "-");
  schema.add("traffic.hot", hot, {0.0, 1.0}, "share of a hotspot's traffic to node 0", "-");
}

namespace fs = std::filesystem;

Scenario::Scenario() {
  schema.add("description", description, "description of the scenario, for reports", "-");
  schema.add("nodes", nodes, {1, 256}, "number of nodes", "-");
  schema.add("machine", machine, "machine of every node: a name or a file, as for psim run --machine", "-");
  schema.add("network", network, "network between them: a name or a file, as for psim net --machine", "-");
  schema.add("program", program,
             "static sparc64 program that every node runs; a name without directory is searched next to this "
             "file, then among the programs built with psim",
             "-");
  schema.add("arguments", arguments, "arguments of the program, separated by blanks", "-");
  describe(schema, interface);
  energy::describe(schema, power);
}

void Scenario::measure_energy() {
  measures_energy = true;
  net::SleepPolicy& policy = fabric.network.link.sleep.policy;
  if (policy == net::SleepPolicy::Off) policy = net::SleepPolicy::Never;
}

bool Scenario::functional(std::uint32_t node) const {
  return !detailed.empty() && !std::ranges::binary_search(detailed, node);
}

std::vector<std::string> Scenario::words() const {
  if (!command.empty()) return command;
  std::vector<std::string> result{program_path};
  std::istringstream in(arguments);
  for (std::string word; in >> word;) result.push_back(word);
  return result;
}

namespace {

std::string find_program(const Scenario& scenario) {
  const Origin& origin = scenario.schema.find("program")->origin;
  if (scenario.program.empty())
    throw UserError(
        fmt::format("{}: program: is not set; expected the name of a static sparc64 program", scenario.file));
  const fs::path folder = origin.line == 0 ? fs::path() : fs::path(origin.source_name).parent_path();
  std::error_code error;
  const fs::path built =
      executable_path().parent_path() / ".." / "share" / "psim" / "cosim" / scenario.program;
  for (const fs::path& path : {folder / scenario.program, built})
    if (fs::is_regular_file(path, error)) return path.lexically_normal().string();
  throw UserError(
      fmt::format("{}: program = \"{}\": no such file; expected one next to {}, such as "
                  "sparc64-linux-gnu-gcc -static makes, or one that was built with psim",
                  origin.text(), scenario.program, scenario.file));
}

void check_ranks(const Scenario& scenario) {
  const std::uint32_t ranks = scenario.ranks(), cores = scenario.node.node.cores;
  if (cores % ranks != 0)
    throw UserError(
        fmt::format("{}: node.ranks = {}: the {} of a node cannot be divided among them; expected a "
                    "divisor of node.cores = {}",
                    scenario.fabric.schema.find("node.ranks")->origin.text(), ranks,
                    cores == 1 ? "core" : fmt::format("{} cores", cores), cores));
}

void check_lookahead(const Scenario& scenario) {
  const std::uint64_t needed = net::Simulation::lookahead(scenario.fabric.network);
  const auto setup = static_cast<std::uint64_t>(scenario.interface.setup.count());
  if (setup < needed)
    throw UserError(
        fmt::format("{}: interface.setup = {} ps; expected at least {} ps, this network's lookahead",
                    scenario.schema.find("interface.setup")->origin.text(), setup, needed));
  const net::SyncCommConfig& sync = scenario.fabric.mpi.sync;
  const auto line = static_cast<std::uint64_t>(sync.line.count());
  if (sync.kind != net::BarrierNetwork::None && line < 2 * needed)
    throw UserError(fmt::format(
        "{}: barrier.line = {} ps; expected at least {} ps for nodes, twice this network's lookahead",
        scenario.fabric.schema.find("barrier.line")->origin.text(), line, 2 * needed));
}

}  // namespace

namespace {

/// Returns true for keys of the network that only ranks without a detailed node use: on a node, the library's
/// instructions, the memory and the interface take their own time.
bool is_of_ranks(std::string_view key) {
  if (key == "mpi.algorithms" || key == "mpi.collectives") return false;
  constexpr std::string_view kOfRanks[] = {
      "mpi.", "rdma.", "jitter.", "nic.dma_", "node.memory_latency", "node.copy_bandwidth"};
  return std::ranges::any_of(kOfRanks, [&](std::string_view prefix) { return key.starts_with(prefix); });
}

/// Reads the settings into the scenario and the machines that it names.
void apply_settings(const std::vector<Setting>& settings, Scenario* scenario, Problems& problems) {
  std::vector<Setting> own, mixed, node, fabric;
  for (const Setting& setting : settings) {
    if (setting.key.starts_with(MixedConfig::kJobTable)) {
      scenario->mixed.jobs.push_back(setting);
      continue;
    }
    const auto known = [&](const Schema& schema) { return sets_field(schema, setting.key); };
    std::vector<Setting>& to = known(scenario->schema)          ? own
                               : known(scenario->mixed.schema)  ? mixed
                               : known(scenario->node.schema)   ? node
                               : known(scenario->fabric.schema) ? fabric
                                                                : own;
    to.push_back(setting);
  }
  scenario->schema.apply(own, problems);
  scenario->mixed.schema.apply(mixed, problems);
  problems.throw_if_any();
  const auto apply = [&](Schema& schema, const std::string& name, std::vector<Setting>& changes) {
    std::vector<Setting> all = load_machine_settings(name, problems);
    all.insert(all.end(), changes.begin(), changes.end());
    schema.apply(all, problems);
  };
  check_kind(scenario->machine, MachineKind::Core, scenario->node.schema);
  check_kind(scenario->network, MachineKind::Network, scenario->fabric.schema);
  apply(scenario->node.schema, scenario->machine, node);
  apply(scenario->fabric.schema, scenario->network, fabric);
  scenario->node.name = scenario->machine, scenario->fabric.name = scenario->network;
  problems.throw_if_any();
  for (const Setting& setting : fabric)
    if (is_of_ranks(setting.key)) scenario->unused.push_back(setting.key);
  complete_network(scenario->fabric);
  check_ranks(*scenario);
  check_lookahead(*scenario);
}

}  // namespace

std::unique_ptr<Scenario> load_scenario(const std::string& file, const std::vector<std::string>& sets) {
  auto scenario = std::make_unique<Scenario>();
  scenario->file = file;
  Problems problems;
  std::vector<Setting> settings = load_machine_settings(file, problems);
  for (const std::string& text : sets) settings.push_back(parse_override(text));
  apply_settings(settings, scenario.get(), problems);
  scenario->program_path = find_program(*scenario);
  return scenario;
}

std::unique_ptr<Scenario> make_scenario(const ScenarioChoice& choice) {
  auto scenario = std::make_unique<Scenario>();
  scenario->nodes = choice.nodes;
  if (!choice.machine.empty()) scenario->machine = choice.machine;
  if (!choice.network.empty()) scenario->network = choice.network;
  scenario->command = choice.command;
  scenario->program = scenario->program_path = choice.command.front();
  scenario->file = fmt::format("{}, {}", scenario->machine, scenario->network);
  Problems problems;
  std::vector<Setting> settings;
  for (const std::string& text : choice.sets) settings.push_back(parse_override(text));
  apply_settings(settings, scenario.get(), problems);
  return scenario;
}

}  // namespace psim
