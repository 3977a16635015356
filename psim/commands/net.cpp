// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/child_process.h"
#include "base/console.h"
#include "base/error.h"
#include "base/result_document.h"
#include "machines/collective_table.h"
#include "machines/network_machine.h"
#include "netsim/parallel/host_processes.h"
#include "netsim/topology/manual.h"
#include "psim/commands/command.h"
#include "psim/commands/study_files.h"
#include "psim/net/compute_plan.h"
#include "psim/net/efficiency.h"
#include "psim/net/net_options.h"
#include "psim/net/program_run.h"
#include "psim/net/reruns.h"
#include "psim/net/traffic_run.h"
#include "psim/partial_results.h"
#include "psim/sweep.h"
#include "ranks/program/sanitizer.h"
#include "ranks/script.h"

namespace psim::commands {
namespace {

/// Calls run(path) in a child process that prints nothing and writes its result as JSON to `path`. Returns
/// the result as text, empty if there is none. Call it before any object of this process's own run exists.
std::string run_base(const std::function<void(const std::string&)>& run) {
  Pipe json(0);  // results go to inherited descriptors, not to psim's own: base/output_file.h
  ChildProcess child([&] {
    PartialResults::ignore_requests();
    const int nothing = ::open("/dev/null", O_RDWR);
    if (nothing < 0) return 1;
    for (const int descriptor : {0, 1, 2}) ::dup2(nothing, descriptor);
    // An exception ends the child. This process's own run encounters the same problem and reports it.
    run(fmt::format("/dev/fd/{}", json.write_end()));
    return 0;
  });
  json.close_write_end();
  std::string text = json.read_all();
  child.wait();
  return text;
}

struct NetOptions {
  ProgramOptions program;
  TrafficOptions traffic;
  SweepOptions sweep;
  bool topologies = false, collectives = false;
  std::string network;  ///< --network
  double partial_every = 0;
};

int run_synthetic(const CLI::App& app, NetOptions& options, net::HostProcesses& processes) {
  const CommonOptions& common = options.program.common;
  if (!app.remaining().empty())
    throw UserError(fmt::format("{}: --traffic takes no program", app.remaining().front()));
  const ProgramOptions& program = options.program;
  for (const auto& [option, given] : {std::pair("--timeline", !program.timeline.empty()),
                                      {"--jobs", !program.jobs.empty()},
                                      {"--replay", !program.replay.empty()},
                                      {"--compare", !program.compare.empty()},
                                      {"--order", !program.order.empty()},
                                      {"--observe-routers", !program.observe_routers.empty()},
                                      {"--observe-links", !program.observe_links.empty()},
                                      {"--data", !program.data.empty()},
                                      {"--compute", !program.compute.empty()},
                                      {"--compute-factor", !program.compute_factors.empty()},
                                      {"--force-model", program.force_model},
                                      {"--record-compute", !program.record_compute.empty()},
                                      {"--efficiency", program.efficiency},
                                      {"--skeleton", program.skeleton},
                                      {"--stack", !program.stack.empty()}})
    if (given) throw UserError(fmt::format("{}: not with --traffic, which has no ranks", option));
  std::optional<ResultDocument> result;
  std::unique_ptr<NetworkMachine> machine;
  processes.together([&] {
    result.emplace("net", common.json);
    machine = load_network(common);
  });
  result->machine(machine->name, machine->schema);
  leave_out_unstated(*machine, result->body()["machine"]);
  result->body()["machine"]["node"].erase("core");  // no computing
  result->seed(common.seed);
  const std::uint32_t each = machine->network.node.ranks;
  options.traffic.nodes = (options.program.ranks + each - 1) / each;
  options.traffic.quiet = common.quiet;
  options.traffic.report = common.report;
  options.traffic.statistics = program.statistics;
  return run_traffic(options.traffic, *machine, common.seed, *result, processes);
}

/// Returns the options of a run whose only output is its result in the file `json`.
ProgramOptions quiet_copy(const ProgramOptions& program, const std::string& json) {
  ProgramOptions copy = program;
  copy.compare.clear();
  copy.efficiency = false;
  copy.reruns.reset();
  copy.partials = nullptr;
  copy.observes = copy.draws = false;
  copy.common.json = json;
  copy.common.quiet = true;
  for (std::string* file : {&copy.common.report, &copy.timeline, &copy.from, &copy.to, &copy.observed,
                            &copy.observe_routers, &copy.observe_links, &copy.observe_every, &copy.csv,
                            &copy.order, &copy.statistics, &copy.record_compute, &copy.table})
    file->clear();
  return copy;
}

/// Runs the same command with links that never sleep, in a process of its own that prints nothing. Returns
/// its result.
std::string always_on(const ProgramOptions& program) {
  return run_base([&](const std::string& json) {
    if (load_network(program.common)->network.link.sleep.policy == net::SleepPolicy::Off) return;
    ProgramOptions base = quiet_copy(program, json);
    base.common.sets.emplace_back("link.sleep.policy=never");
    net::OneProcess alone;
    run_program(base, alone);
  });
}

/// Runs the same command with one end of the intervals of all models, in a process of its own that prints
/// nothing. Returns its result; empty if no model has an interval.
std::string with_bound(const ProgramOptions& program, ModelBound bound) {
  return run_base([&](const std::string& json) {
    if (!ComputePlan(program).has_intervals()) return;
    ProgramOptions other = quiet_copy(program, json);
    other.bound = bound;
    net::OneProcess alone;
    run_program(other, alone);
  });
}

/// Prepares runs of the same command with a change, which print nothing.
std::shared_ptr<Reruns> changed_runs(const ProgramOptions& program) {
  return std::make_shared<Reruns>(kEfficiencyRuns, [&](const WhatIf& change, const std::string& json) {
    ProgramOptions changed = quiet_copy(program, json);
    changed.what_if = change;
    net::OneProcess alone;
    run_program(changed, alone);
  });
}

int sweep(const CLI::App& app, NetOptions& options) {
  const ProgramOptions& program = options.program;
  for (const auto& [option, given] : {std::pair("--json", !program.common.json.empty()),
                                      {"--partial-every", options.partial_every != 0},
                                      {"--timeline", !program.timeline.empty()},
                                      {"--order", !program.order.empty()},
                                      {"--statistics", !program.statistics.empty()},
                                      {"--record-compute", !program.record_compute.empty()}})
    if (given)
      throw UserError(
          fmt::format("{}: not with --sweep; results of points are in the folder of --into", option));
  options.sweep.csv = options.traffic.csv;
  options.sweep.points.quiet = program.common.quiet;
  const std::vector<SweepColumn> columns{{"seconds", "/seconds", true},
                                         {"messages", "/messages", true},
                                         {"packets", "/packets", true},
                                         {"packet_hops", "/packet_hops", true},
                                         {"links_mean_utilization", "/links/mean_utilization"},
                                         {"links_max_utilization", "/links/max_utilization"},
                                         {"link_watts", "/link_energy/watts"},
                                         {"link_joules", "/link_energy/joules"},
                                         {"host_cpu_seconds", "/host/cpu_seconds"}};
  std::optional<OutputFile> page;
  if (!program.common.report.empty()) page.emplace(program.common.report, "--report");
  return run_sweep(
      options.sweep, columns, app.remaining().size(), program.common.machine, program.common.sets,
      [](const std::string& machine, const std::vector<std::string>& sets) {
        load_network({machine, sets});
      },
      write_study(page, "psim net --sweep"));
}

int run_net(const CLI::App& app, NetOptions& options) try {
  const CommonOptions& common = options.program.common;
  PartialResults partials(common.json, common.report, options.partial_every, common.quiet);
  options.program.partials = options.traffic.partials = &partials;
  if (!app.remaining().empty()) {
    net::run_script(app.remaining());
    net::run_with_sanitizer(app.remaining().front());
  }
  ProgramOptions& program = options.program;
  program.words = [&app] { return program_of(app); };
  for (const auto& [option, given] : {std::pair("--jobs", !program.jobs.empty()),
                                      {"--replay", !program.replay.empty()},
                                      {"--traffic", !options.traffic.pattern.empty()},
                                      {"--data", !program.data.empty()},
                                      {"a program", !app.remaining().empty()}})
    if (!program.table.empty() && given)
      throw UserError(
          fmt::format("--table {}: not with {}; it runs a program of psim's own", program.table, option));
  if (!program.replay.empty() && !app.remaining().empty())
    throw UserError(fmt::format("{}: --replay takes no program", app.remaining().front()));
  if (program.compares("always-on") && options.traffic.pattern.empty() && net::first_of_host_processes())
    program.base = always_on(program);
  if (program.compute.starts_with("model:") && options.traffic.pattern.empty() &&
      net::first_of_host_processes()) {
    program.low = with_bound(program, ModelBound::Low);
    program.high = with_bound(program, ModelBound::High);
  }
  if (program.efficiency && !program.table.empty())
    throw UserError("--efficiency: not with --table, whose program measures collectives");
  if (program.efficiency && options.traffic.pattern.empty() && net::first_of_host_processes())
    program.reruns = changed_runs(program);
  const std::unique_ptr<net::HostProcesses> processes = net::connect_host_processes();
  if (processes->size() > 1) partials.refuse(processes->first() ? PartialResults::kSeveralProcesses : "");
  if (!program.jobs.empty() && !app.remaining().empty())
    throw UserError(fmt::format("{}: --jobs takes no program; its file names them", app.remaining().front()));
  program.draws = !program.common.report.empty();
  program.observes = !program.timeline.empty() || !program.common.report.empty();
  program.watches = !options.traffic.csv.empty();
  if (!processes->first()) {  // only the first process writes output
    program.common.json.clear();
    program.common.report.clear();
    program.timeline.clear();
    options.traffic.csv.clear();
    program.common.quiet = true;
  }
  program.csv = options.traffic.csv;
  if (program.csv == "-" && options.traffic.pattern.empty())
    throw UserError("--csv -: the tables are files in a folder; expected its name, or ./- for this one");
  return options.traffic.pattern.empty() ? run_program(program, *processes)
                                         : run_synthetic(app, options, *processes);
} catch (const net::HostProcesses::Elsewhere&) {
  return 0;  // mpirun kills all processes once one fails, and the first has yet to report the error
}

void add_lists(CLI::App& app, NetOptions& options) {
  heading(app, "Lists");
  app.add_flag("--topologies", options.topologies,
               "list all topologies with their shapes and routings, and end");
  app.add_flag("--collectives", options.collectives,
               "print the table of algorithms of collectives, of --machine and --set, and end");
}

/// Throws UserError for an option or a program without an influence on a list.
void refuse_others(const CLI::App& app, const std::string& list, std::initializer_list<const char*> used) {
  const std::string expected = used.size() == 0 ? "it alone" : fmt::format("only {}", fmt::join(used, ", "));
  const auto refuse = [&](const std::string& word) {
    throw UserError(
        fmt::format("{}: not with {}, which prints a list and ends; expected {}", word, list, expected));
  };
  for (const CLI::Option* option : app.get_options())
    if (const std::string name = option->get_name();
        option->count() != 0 && name != list && std::ranges::find(used, name) == used.end())
      refuse(name);
  if (!app.remaining().empty()) refuse(app.remaining().front());
}

int print_list(const CLI::App& app, const NetOptions& options) {
  if (options.topologies) {
    refuse_others(app, "--topologies", {});
    console::print("{}", net::topologies_manual());
  } else {
    refuse_others(app, "--collectives", {"--machine", "--set", "--network"});
    console::print("{}", collective_table(load_network(options.program.common)->rules));
  }
  return 0;
}

std::function<int()> set_up_net(CLI::App& app) {
  auto options = std::make_shared<NetOptions>();
  take_program(app);
  add_common(app, options->program.common, kMachine | kJson | kReport | kSeed | kQuiet);
  app.get_option("--machine")
      ->description("network to simulate: a TOML file, or the name of a shipped one [torus3d]");
  app.add_option(
         "--network", options->network,
         "packets on routers and links, or analytic: latency + bytes / bandwidth for each message, for many "
         "ranks (docs/skeletons.md) [network.model of the machine: packets]")
      ->type_name("MODEL")
      ->check(CLI::IsMember({"packets", "analytic"}));
  add_rank_options(app, options->program);
  add_other_inputs(app, options->program);
  add_seen_options(app, options->program, options->traffic.csv);
  add_traffic_options(app, options->traffic);
  PartialResults::add_option(app, options->partial_every);
  heading(app, "Grids");
  add_sweep_options(app, options->sweep, "ranks=A,B, ");
  add_lists(app, *options);
  return [&app, options] {
    if (!options->network.empty())
      options->program.common.sets.push_back("network.model=" + options->network);
    if (options->topologies || options->collectives) return print_list(app, *options);
    if (!options->sweep.axes.empty()) return sweep(app, *options);
    return run_net(app, *options);
  };
}

}  // namespace

const Command kNet{
    .name = "net",
    .usage =
        "PROGRAM [ARG…]\n\n"
        "The program runs unprotected in psim's own process, with your rights: it can change your files and "
        "psim.\n"
        "Run only programs that you would run without psim (docs/net.md).",
    .summary = "run an MPI program's ranks on a packet network",
    .examples =
        "  psim-cc -O2 -o ring ring.c && psim net -n 1024 ./ring\n"
        "  psim net -n 64 --compute model:fits.toml --report solver.html ./solver\n"
        "  psim net --collectives > table.toml && psim net -n 64 --set mpi.collectives=table.toml ./ring\n"
        "  psim net -n 512 --report so-far.html --partial-every 600 ./solver    # a page every ten minutes\n"
        "  psim net -n 4096 --network analytic --set analytic.latency='40 us' ./solver\n"
        "  mpirun -n 8 psim-otf2 -o run.otf2 ./program && psim net --replay run.otf2 --machine tofu\n"
        "  psim net -n 64 --sweep nic.payload='512 B,2 KiB' --sweep ranks=64,512 --csv table.csv ./ring\n"
        "  psim net -n 64 --set topology.shape=4x4x4 --set link.bandwidth='10 GB/s' --json ring.json "
        "./ring\n",
    .setup = set_up_net,
};

}  // namespace psim::commands
