// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "base/config/print.h"
#include "base/console.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "base/result_document.h"
#include "base/statistics/print.h"
#include "cosim/cosim_run.h"
#include "netsim/parallel/host_processes.h"
#include "psim/commands/command.h"
#include "psim/commands/guest_options.h"
#include "psim/commands/guest_result.h"
#include "psim/commands/node_dump.h"
#include "psim/commands/result_file.h"
#include "psim/cosim/detailed_nodes.h"
#include "psim/cosim/energy_result.h"
#include "psim/cosim/message_outputs.h"
#include "psim/cosim/neighbours.h"
#include "psim/cosim/node_efficiency.h"
#include "psim/cosim/node_times.h"
#include "psim/net/reruns.h"
#include "psim/partial_results.h"
#include "report/cosim/node_rows.h"
#include "report/messages/message_section.h"
#include "report/net/efficiency_result.h"
#include "report/net/machine_map.h"
#include "report/net/net_report.h"
#include "report/net/net_result.h"

namespace psim::commands {
namespace {

struct CosimOptions {
  CommonOptions common;
  GuestOptions guest;
  std::uint32_t nodes = 0;  ///< 0: not given
  std::string machine, network;
  std::function<std::vector<std::string>()> words;  ///< scenario, or program and arguments
  std::string statistics;
  double partial_every = 0;
  bool energy = false;
  bool memoize = true;  ///< repeat remembered stretches of cycles
  bool efficiency = false;
  DetailedOptions detailed;
  std::shared_ptr<Reruns> reruns;  ///< of --efficiency
  WhatIf what_if = {};             ///< the change of this run, as one of another's --efficiency
  MessageOptions messages;
  NodeDumpOptions dump;
};

int exit_status(const isa::Ending& ending) { return ending.by_signal ? 128 + ending.code : ending.code; }

std::unique_ptr<Scenario> scenario_of(const CosimOptions& options) {
  const std::vector<std::string> words = options.words();
  if (!words.front().ends_with(".toml"))
    return make_scenario({.nodes = options.nodes == 0 ? 2 : options.nodes,
                          .machine = options.machine,
                          .network = options.network,
                          .command = words,
                          .sets = options.common.sets});
  if (words.size() > 1)
    throw UserError(
        fmt::format("cosim: \"{}\" after the scenario {}; expected options before it, and the program's "
                    "arguments by --set arguments='…'",
                    words[1], words[0]));
  std::vector<std::string> sets = options.common.sets;
  if (options.nodes != 0) sets.push_back(fmt::format("nodes={}", options.nodes));
  if (!options.machine.empty()) sets.push_back("machine=" + options.machine);
  if (!options.network.empty()) sets.push_back("network=" + options.network);
  return load_scenario(words.front(), sets);
}

/// States the keys that have no effect on detailed nodes.
void add_unused_keys(nlohmann::ordered_json& body, const Scenario& scenario) {
  if (scenario.mixed.jobs.empty())
    for (const std::string& key : scenario.unused)
      body["assumptions"].push_back(fmt::format(
          "{}: not used, because cycle-level nodes take the time of their instructions, memory and "
          "interface",
          key));
  const net::MpiConfig& mpi = scenario.fabric.mpi;
  if (mpi.hardware.kind != net::HardwareCollectives::None || !mpi.collective_table.empty())
    body["assumptions"].push_back(
        "collective.hardware, collective.table: not used by cycle-level nodes, whose collectives are "
        "messages");
}

/// Everything that a run needs. Construction reports bad input.
struct CosimCommand {
  std::optional<ResultDocument> result;
  std::optional<OutputFile> table, report;
  std::optional<MessageOutputs> messages;
  std::unique_ptr<NodeDump> dump;
  std::unique_ptr<Scenario> scenario;
  std::optional<Neighbours> neighbours;
  std::optional<MachineMap> map;  ///< for a page, if the network has links
  std::optional<net::LinkHistory> links;
  std::optional<CosimRun> run;

  CosimCommand(const CosimOptions& options, net::HostProcesses& processes);
};

CosimCommand::CosimCommand(const CosimOptions& options, net::HostProcesses& processes) {
  result.emplace("cosim", options.common.json);
  if (!options.statistics.empty()) table.emplace(options.statistics, "--statistics");
  if (!options.common.report.empty()) report.emplace(options.common.report, "--report");
  if (processes.first()) messages.emplace(options.messages);
  scenario = scenario_of(options);
  if (options.efficiency) {
    if (processes.size() != 1) throw UserError("--efficiency: needs a run in one host process");
    check_node_efficiency(*scenario);
  }
  if (options.what_if.network != ChangedNetwork::None) change(options.what_if, *scenario);
  choose_detailed(options.detailed, *scenario);
  check_detailed(options.detailed, *scenario,
                 {{processes.size() > 1, "several host processes"},
                  {options.energy, "--energy"},
                  {options.efficiency, "--efficiency"},
                  {options.messages.with_report, "--report"},
                  {!options.messages.files.empty(), "--messages"}});
  if (options.energy) scenario->measure_energy();
  scenario->records_history = options.messages.with_report;
  scenario->memoize = options.memoize;
  neighbours.emplace(*scenario, options.common.seed, processes);
  Surroundings surroundings = neighbours->surroundings();
  surroundings.finds_path = options.efficiency;
  surroundings.traced = MessageOutputs::choice(options.messages, scenario->nodes * scenario->ranks());
  const bool packets = scenario->fabric.network.model == net::NetworkModel::Packets;
  if (options.messages.with_report && packets) {
    map.emplace(neighbours->network());
    links.emplace(map->history());
    surroundings.links = &*links;
  }
  dump = NodeDump::make(options.dump, *scenario, processes.size(), options.messages.with_report);
  if (dump) {
    surroundings.observed = dump->core();
    check_dumped(options.detailed, *scenario, *surroundings.observed);
  }
  run.emplace(*scenario, neighbours->network(), options.guest, options.common.seed, processes,
              std::move(surroundings));
  neighbours->attach(*run);
}

/// Adds what the page shows over time: cores and messages, the machine and its links, the stage view.
void add_page(nlohmann::ordered_json& page, CosimCommand& made, const CosimOptions& options,
              const CosimResult& run) {
  constexpr std::size_t kListed = 200;  // unless the user chose them
  const Scenario& scenario = *made.scenario;
  if (const auto shown = report::message_page(
          run.timeline, options.messages.choice.empty() ? kListed : run.timeline.messages.size());
      !shown.is_null())
    page["messages"] = shown;
  std::vector<cosim::RankStretches> cores;
  for (const NodeResult& node : run.nodes)
    cores.insert(cores.end(), node.histories.begin(), node.histories.end());
  if (made.dump) made.dump->add_to(page);
  const std::uint32_t of_node = scenario.node.node.cores;
  page["ranks"] = report::node_rows({.cores = cores,
                                     .of_node = of_node,
                                     .of_rank = of_node / scenario.ranks(),
                                     .period = CosimRun::core_period(scenario)},
                                    run.timeline);
  const net::Simulation& simulation = made.run->simulation();
  if (!made.map) return;  // an analytic network has no links
  nlohmann::ordered_json network;
  add_timeline(network, made.neighbours->network().graph, simulation);
  page["timeline"] = {{"bin_seconds", network["timeline"]["bin_seconds"]},
                      {"link_utilization", network["timeline"]["link_utilization"]}};
  if (made.map->links() != 0) {
    TimelineOf ranks{.program = "", .nodes = {}, .jobs = {{"", 0, scenario.nodes * scenario.ranks()}}};
    for (const std::uint32_t place : made.neighbours->places())
      ranks.nodes.insert(ranks.nodes.end(), scenario.ranks(), place);
    const std::vector<std::string> owners = made.neighbours->owners();
    page["links"] = link_map(made.neighbours->network().graph, simulation, &*made.map);
    page["machine"] = made.map->drawing();
    page["loads"] = made.map->totals(simulation);
    page["history"] = made.map->over_time(*made.links, simulation, ranks,
                                          owners.size() > 1 ? owners : std::vector<std::string>());
  }
}

/// Runs the nodes. `partials`: null: none.
int run_nodes(const CosimOptions& options, PartialResults* partials, net::HostProcesses& processes) {
  const bool copies = partials != nullptr && partials->possible();
  std::optional<CosimCommand> made;
  processes.together([&] { made.emplace(options, processes); });
  Progress progress(options.common.quiet);
  made->run->simulate(progress, copies ? [&] { return partials->wanted(); } : std::function<bool()>());
  const bool in_copy = copies && partials->in_copy();
  made->neighbours->finish(in_copy);
  const CosimResult run = made->run->finish();
  if (!processes.first()) return 0;
  ResultDocument& result = *made->result;
  const std::unique_ptr<Scenario>& scenario = made->scenario;
  std::optional<OutputFile>& table = made->table;

  for (const cosim::Operation& operation : run.operations) print(operation);

  result.machine(scenario->file, scenario->schema);
  if (!options.energy) result.body()["machine"].erase("energy");  // without influence
  result.seed(options.common.seed);
  nlohmann::ordered_json& body = result.body();
  result.input("program", scenario->program_path, run.program_sha256, run.program_bytes);
  body["inputs"]["start"] = run.start;
  if (run.input_bytes != 0)
    body["inputs"]["standard_input"] = {{"sha256", run.input_sha256}, {"bytes", run.input_bytes}};
  if (!run.files.empty()) body["inputs"]["files"] = files_json(run.files);
  made->neighbours->describe(result);
  if (scenario->mixed.any()) body["mixed"] = config_json(scenario->mixed.schema);
  body["node"] = config_json(scenario->node.schema);
  body["network"] = config_json(scenario->fabric.schema);
  leave_out_unstated(scenario->fabric, body["network"]);
  body["operations"] = nlohmann::ordered_json::array();
  for (const cosim::Operation& operation : run.operations) body["operations"].push_back(json_of(operation));
  body["nodes"] = nlohmann::ordered_json::array();
  int status = 0;
  for (const NodeResult& node : run.nodes) {
    const int ending = exit_status(node.ending());
    body["nodes"].push_back({{"instructions", node.instructions}, {"cycles", node.cycles}});
    if (!in_copy) body["nodes"].back()["exit_status"] = ending;
    if (node.endings.size() > 1)
      for (const isa::Ending& rank : node.endings)
        body["nodes"].back()["ranks"].push_back(
            in_copy ? nlohmann::ordered_json::object()
                    : nlohmann::ordered_json{{"exit_status", exit_status(rank)}});
    if (!node.ending().deadlock.empty()) {
      result.partial("deadlock");
      body["nodes"].back()["deadlock"] = node.ending().deadlock;
    }
    if (status == 0) status = ending;
  }
  add_functional_nodes(body, *scenario);
  add_node_times(body, *scenario, run);
  add_unused_keys(body, *scenario);
  if (!run.status && !in_copy && !made->run->interrupted()) add_warnings(body, run);
  if (run.status) status = *run.status;
  if (run.aborted) result.partial("aborted");
  if (!run.deadlock.empty()) {
    result.partial("deadlock");
    body["deadlock"] = run.deadlock;
  }
  body["messages"] = run.messages;
  body["packets"] = run.packets;
  body["statistics"] = statistics::to_json(run.statistics);
  add_machine_energy(body, *scenario, run, made->run->simulation(), made->neighbours->owners());
  const int of_ranks = made->neighbours->add_results(result, made->run->simulation());
  if (status == 0) status = of_ranks;
  if (status != 0 && !in_copy && !body.contains("partial")) body["exit_status"] = status;
  if (made->run->interrupted()) {
    result.partial("interrupted");
    status = Interruption::status();
  }
  std::string unexplained;
  if (options.efficiency && status == 0 && !body.contains("partial")) try {
      add_node_efficiency(*options.reruns, *scenario, run, result);
    } catch (const UserError& error) {  // the run's own result is kept
      unexplained = error.what();
      body.erase("efficiency");
    }
  add_sharing(result, made->run->simulation().sharing(), processes.size());
  result.speed("instructions_per_second", run.instructions());
  result.page()["title"] = fmt::format("{}", fmt::join(options.words(), " "));
  if (made->dump) made->dump->finish();
  if (made->report) add_page(result.page(), *made, options, run);
  if (in_copy)
    partials->finish(result, {.seconds = body["seconds"].get<double>()}, [&] {
      result.finish();
      write_page(made->report, result, run.statistics);
    });
  result.finish();
  made->messages->write(run.timeline);
  if (table) {
    table->write(options.statistics.ends_with(".csv") ? statistics::to_csv(run.statistics)
                                                      : statistics::to_text(run.statistics));
    table->commit();
  }
  write_page(made->report, result, run.statistics);
  if (!options.common.quiet)
    console::log(
        "psim: {} nodes, {:.6g} s, {} instructions, {} messages in {} packets; "
        "{:.2f} M instructions/s of CPU time\n",
        run.nodes.size(), body["seconds"].get<double>(), run.instructions(), run.messages, run.packets,
        result.host()["instructions_per_second"].get<double>() / 1e6);
  if (!options.common.quiet) print_neighbours(body, result.host());
  if (!options.common.quiet) print_node_times(body);
  if (options.energy && !options.common.quiet) console::log("{}", machine_energy_lines(body["energy"]));
  if (!options.common.quiet) console::log("{}", efficiency_lines(body));
  if (!unexplained.empty()) throw UserError(unexplained);
  return status;
}

/// Prepares runs of the same command with a change, which print nothing.
std::shared_ptr<Reruns> changed_runs(const CosimOptions& options) {
  return std::make_shared<Reruns>(kNodeEfficiencyRuns, [&](const WhatIf& change, const std::string& json) {
    CosimOptions changed = options;
    changed.what_if = change;
    changed.efficiency = changed.energy = false;
    changed.reruns.reset();
    changed.messages = {};
    changed.dump = {};
    changed.statistics.clear();
    changed.common.report.clear();
    changed.common.json = json;
    changed.common.quiet = true;
    net::OneProcess alone;
    run_nodes(changed, nullptr, alone);
  });
}

int cosim(CosimOptions& options) try {
  PartialResults partials(options.common.json, options.common.report, options.partial_every,
                          options.common.quiet);
  if (options.efficiency && net::first_of_host_processes()) options.reruns = changed_runs(options);
  const std::unique_ptr<net::HostProcesses> processes = net::connect_host_processes();
  if (processes->size() > 1) partials.refuse(processes->first() ? PartialResults::kSeveralProcesses : "");
  options.messages.with_report = !options.common.report.empty();
  if (!processes->first()) {  // only the first process writes output
    options.common.json.clear();
    options.common.report.clear();
    options.statistics.clear();
    options.common.quiet = true;
  }
  return run_nodes(options, &partials, *processes);
} catch (const net::HostProcesses::Elsewhere&) {
  return 0;  // mpirun kills all processes once one fails, and the first has yet to report the error
}

std::function<int()> set_up_cosim(CLI::App& app) {
  auto options = std::make_shared<CosimOptions>();
  take_program(app);
  options->words = [&app] { return program_of(app); };
  app.add_option("-n", options->nodes, "number of nodes [2]")
      ->type_name("N")
      ->check(whole_number(1, ~std::uint32_t{0}));
  app.add_option("--machine", options->machine,
                 fmt::format("machine of every node: a name, as psim config list shows, or a file [{}]",
                             kDefaultMachine))
      ->type_name("NAME|FILE");
  app.add_option("--network", options->network,
                 fmt::format("network between the nodes: a name or a file [{}]", kDefaultNetwork))
      ->type_name("NAME|FILE");
  app.add_option("--set", options->common.sets,
                 "change one key of the scenario, of the nodes' machine or of the network; may be repeated")
      ->type_name("KEY=VALUE")
      ->take_all();
  add_common(app, options->common, kJson | kReport | kSeed | kQuiet);
  PartialResults::add_option(app, options->partial_every);
  app.add_option("--statistics", options->statistics,
                 "write all statistics, of all nodes together and of the network: as CSV if FILE ends with "
                 ".csv, else as a table; `psim statistics` explains them")
      ->type_name("FILE");
  app.add_flag("--energy", options->energy,
               "measure the energy of nodes and links, with the coefficients of [energy]");
  app.add_flag("--efficiency", options->efficiency,
               "explain the time: efficiencies of POP, the critical path, and what a faster network and no "
               "contention would change, by three more runs (docs/efficiency.md)");
  add_detailed_options(app, options->detailed);
  add_no_memoize(app, options->memoize);
  add_message_options(app, options->messages);
  add_node_dump(app, options->dump);
  add_guest_options(app, options->guest, ProgramStart::Fixed);
  return [options] { return cosim(*options); };
}

}  // namespace

const Command kCosim{
    .name = "cosim",
    .usage = "PROG [ARG…] | SCENARIO.toml",
    .summary = "run a program on cycle-level nodes that communicate over the packet network",
    .examples =
        "  psim-sparc-cc -O2 -o app app.c && psim cosim -n 4 ./app    # an MPI program\n"
        "  psim cosim -n 16 --machine simd16 --network tofu ./app args\n"
        "  psim cosim -n 2 --set node.cores=4 --set node.ranks=2 ./app    # 2 ranks of 2 cores on each node\n"
        "  psim cosim workloads/cosim/put.toml           # where the time of a put goes\n"
        "  psim cosim --set arguments='get 65536' workloads/cosim/put.toml\n"
        "  psim cosim --set network=tofu --set memory.latency='200 cycles' --json put.json "
        "workloads/cosim/put.toml\n"
        "  psim cosim workloads/cosim/mixed.toml         # detailed nodes among ranks\n"
        "  psim cosim --energy --report energy.html workloads/cosim/ring.toml  # joules of nodes and links\n"
        "  psim cosim -n 4 --efficiency ./app            # why the run takes its time\n"
        "  psim cosim -n 64 --detailed 0 ./app           # one cycle-level node with 63 functional partners\n"
        "  psim cosim --messages app.trace.json --message from=0,to=1,first=10 ./app   # doorbell to poll, "
        "for Perfetto\n"
        "  psim cosim --report app.html --message 0.17 ./app\n"
        "  psim cosim --report so-far.html --partial-every 600 ./app   # a page every ten minutes\n"
        "  psim cosim --kanata ring.kanata --dump-node 1 --window message=0.17 ./app   # its poll on node 1\n"
        "  mpirun -n 2 psim cosim workloads/cosim/ring.toml\n",
    .setup = set_up_cosim,
};

}  // namespace psim::commands
