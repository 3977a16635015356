// SPDX-License-Identifier: Apache-2.0
#include "psim/net/program_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/console.h"
#include "base/error.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "base/result_document.h"
#include "base/statistics/print.h"
#include "machines/network_machine.h"
#include "netsim/message/mpi_statistics.h"
#include "netsim/message/rdma_statistics.h"
#include "netsim/network_statistics.h"
#include "netsim/simulation.h"
#include "netsim/topology/topology.h"
#include "psim/commands/result_file.h"
#include "psim/net/compute_plan.h"
#include "psim/net/efficiency.h"
#include "psim/net/interruption.h"
#include "psim/net/jobs_plan.h"
#include "psim/net/memory_by_use.h"
#include "psim/net/net_progress.h"
#include "psim/net/output_prefix.h"
#include "psim/net/watch_options.h"
#include "psim/partial_results.h"
#include "ranks/job/rank_load.h"
#include "ranks/program/memory_need.h"
#include "report/net/compute_result.h"
#include "report/net/efficiency_result.h"
#include "report/net/job_results.h"
#include "report/net/link_energy_result.h"
#include "report/net/machine_map.h"
#include "report/net/net_report.h"
#include "report/net/net_result.h"
#include "report/net/net_tables.h"
#include "report/net/packet_order.h"
#include "report/net/poll_result.h"
#include "report/net/rank_states.h"
#include "report/net/watch_tables.h"
#include "report/net/work_result.h"
#include "report/timeline/rank_rows.h"
#include "report/timeline/timeline_file.h"

namespace psim {

int status_of(const net::Ending& ending) {
  using Kind = net::Ending::Kind;
  switch (ending.kind) {
    case Kind::Finished:
      return ending.status;
    case Kind::Aborted:
    case Kind::Deadlocked:
      return ending.status == 0 ? 1 : ending.status & 0xff;
    case Kind::Interrupted:
      return Interruption::status();
    default:
      return 1;
  }
}

namespace {

/// Returns the share of all operations that ranks of this host process have begun; 0 unless every job is a
/// replay.
double replayed(const JobsPlan& plan) {
  std::uint64_t begun = 0, all = 0;
  for (const auto& replay : plan.replays) {
    if (!replay) return 0;
    begun += replay->begun(), all += replay->trace().operations();
  }
  return all == 0 ? 0 : static_cast<double>(begun) / static_cast<double>(all);
}

/// Everything that a run needs. Construction reports bad input.
struct Run {
  std::optional<OutputFile> report;
  std::optional<OrderFile> order;
  std::optional<OutputFile> statistics, record, table;
  std::optional<ComputePlan> compute;
  std::vector<std::string> machines_of_models;  ///< assumptions
  std::optional<ResultDocument> result;
  std::unique_ptr<NetworkMachine> machine;
  std::optional<net::Network> network;
  std::unique_ptr<TimelineFile> timeline_file;
  std::optional<NetTables> tables;
  std::optional<WatchTables> watch_tables;
  std::optional<net::Watch> watch;
  std::optional<MachineMap> map;
  std::optional<net::LinkHistory> history;  ///< of the links of `map`
  std::optional<net::Timeline> timeline;
  std::optional<net::CriticalPath> path;
  std::optional<net::MessageTimes> message_times;
  std::optional<net::PairTimes> pairs;
  JobsPlan plan;
  std::optional<OutputPrefix> output;
  std::optional<net::RankLoad> load;
  std::vector<std::unique_ptr<net::RankLoad>> alone;  ///< each job a second time, for the comparison
  std::optional<net::Simulation> simulation;
  std::optional<MemoryByUse> memory;
  net::MpiConfig mpi;
  std::vector<std::uint64_t> carries;  ///< mpi.carry of each job

  Run(const ProgramOptions& options, net::HostProcesses& processes);

 private:
  void open_files(const ProgramOptions& options);
  void load_programs(net::HostProcesses& processes);
  void prepare_sleep(const ProgramOptions& options, const net::HostProcesses& processes);
  void describe(const ProgramOptions& options);
};

bool watches(const ProgramOptions& options) {
  return !options.observe_routers.empty() || !options.observe_links.empty();
}

/// Throws UserError if an output shows packets, which the analytic network lacks.
void refuse_packets(const ProgramOptions& options, const net::NetworkConfig& config) {
  if (config.model != net::NetworkModel::Analytic) return;
  for (const auto& [option, text] : {std::pair("--observe-routers", options.observe_routers),
                                     {"--observe-links", options.observe_links},
                                     {"--order", options.order}})
    if (!text.empty())
      throw UserError(fmt::format("{} {}: the analytic network has no packets; expected --network packets",
                                  option, text));
}

void Run::open_files(const ProgramOptions& options) {
  if (!options.common.report.empty()) report.emplace(options.common.report, "--report");
  if (!options.order.empty()) order.emplace(options.order);
  if (!options.statistics.empty()) statistics.emplace(options.statistics, "--statistics");
  if (!options.table.empty()) table.emplace(options.table, "--table");
  if (!options.record_compute.empty()) record.emplace(options.record_compute, "--record-compute");
  result.emplace("net", options.common.json);
  if (!options.timeline.empty()) timeline_file = TimelineFile::make(options.timeline);
  if (!options.csv.empty()) tables.emplace(options.csv);
  if (!options.csv.empty() && watches(options)) watch_tables.emplace(options.csv);
}

void Run::load_programs(net::HostProcesses& processes) {
  net::MemoryNeed need{.ranks = plan.ranks / processes.size(),
                       .globals = 0,
                       .nodes = network->graph.nodes() / processes.size()};
  const net::Partition partition =
      net::Simulation::partition(machine->network, network->graph, processes.size());
  const auto nodes = net::Simulation::nodes(network->graph, partition, processes.rank());
  output.emplace(plan);
  load.emplace(plan.jobs, nodes, [this](net::RankId rank, net::Stream stream, std::string_view text) {
    if (table && stream == net::Stream::Out)
      table->write(text);
    else
      output->print(rank, stream, text);
  });
  // Programs are loaded before the first exchange of host processes (connect_host_processes).
  if (plan.compares_alone)
    for (const net::JobConfig& job : plan.jobs)
      alone.push_back(std::make_unique<net::RankLoad>(std::vector<net::JobConfig>{job}, nodes,
                                                      [](net::RankId, net::Stream, std::string_view) {}));
  for (const auto& job : load->jobs())
    need.globals = std::max(need.globals, job->processes().bytes_per_rank());
  check_memory("net", need, net::available_memory());
  if (timeline) load->observe(*timeline);
  const bool explains = path.has_value() || timeline.has_value();
  if (explains && processes.size() == 1) {
    message_times.emplace(machine->network, network->graph, *network->routing);
    load->record(path ? &*path : nullptr, pairs.emplace(), *message_times);
  }
  mpi = machine->mpi;
  mpi.algorithms = machine->rules;
  carries = plan.carries(*load, mpi.carry);
  place_tree(mpi.hardware, machine->network, network->graph);
  check_hardware(mpi.hardware, net::Simulation::lookahead(machine->network));
  check_barrier_network(mpi.sync, net::Simulation::lookahead(machine->network));
  load->compute_by(compute->computing());
  for (const auto& job : alone) job->compute_by(compute->computing());
  if (compute->computing().counts_code() && compute->computing().recorded == nullptr)
    result->body()["not_repeatable"] = "computing takes the time measured on the host";
}

void Run::prepare_sleep(const ProgramOptions& options, const net::HostProcesses& processes) {
  const bool sleeps = machine->network.link.sleep.policy != net::SleepPolicy::Off;
  if (options.compares("always-on") && !sleeps)
    throw UserError(
        "--compare always-on: link.sleep.policy = off: links never sleep; expected another policy, such as "
        "--set link.sleep.policy=fixed");
  if (options.compares("always-on") && processes.first() && options.base.empty())
    throw UserError("--compare always-on: the run with links that never sleep left no result");
  if (tables && sleeps) tables->add_energy(machine->link_power);
}

void Run::describe(const ProgramOptions& options) {
  for (const JobsPlan::Input& input : plan.inputs) result->input(input.role, input.path, input.bytes);
  if (const auto& file = compute->input()) result->input(file->role, file->path, file->bytes);
  if (!machine->collectives.empty())
    result->input("collectives", machine->collectives, machine->collectives_text);
  if (!machine->mpi.collective_table.empty())
    result->input("collective_table", machine->mpi.collective_table, machine->mpi.collective_times);
  result->machine(machine->name, machine->schema);
  // A key that a run does not use has no influence on its result.
  leave_out_unstated(*machine, result->body()["machine"]);
  if (compute->computing().models == nullptr) result->body()["machine"]["node"].erase("core");
  result->seed(options.common.seed);
  if (plan.several) return;
  if (plan.replays[0])
    result->body()["replay"] = json_of(*plan.replays[0]);
  else
    result->body()["arguments"] = plan.jobs[0].program.arguments;
}

Run::Run(const ProgramOptions& options, net::HostProcesses& processes) {
  compute.emplace(options);
  open_files(options);
  machine = load_network(options.common);
  change(options.what_if.network, *machine);
  machines_of_models = compute->check_machines(*machine);
  const net::NetworkConfig& config = machine->network;
  plan = plan_jobs(options, config.node.ranks);
  const net::Observation observed = observation(options, plan.ranks);
  if (options.observes) timeline.emplace(plan.ranks, observed);
  if (options.efficiency) {
    if (processes.size() != 1) throw UserError("--efficiency: needs a run in one host process");
    path.emplace(plan.ranks);
  }
  net::check_memory(
      "net", {.ranks = plan.ranks / processes.size(), .globals = 0, .nodes = plan.nodes / processes.size()},
      net::available_memory());
  memory.emplace();
  network = net::make_topology(config, plan.several && !config.topology.shape.empty() ? 0 : plan.nodes);
  if (options.efficiency) check_ideal_network(network->graph.nodes());
  plan.place(network->graph, options.common.seed);
  if (config.analytic.ideal) network = ideal_network(config, network->graph.nodes());
  if (watches(options)) watch.emplace(network->graph, watch_config(options, network->graph));
  memory->mark("topology and routes");
  load_programs(processes);
  memory->mark("programs and records of ranks");
  prepare_sleep(options, processes);
  refuse_packets(options, config);
  simulation.emplace(config, network->graph, *network->routing, *load, options.common.seed, &processes);
  memory->mark("routers and interfaces");
  if (watch) simulation->attach(*watch);
  if (options.draws && config.model == net::NetworkModel::Packets) {
    map.emplace(*network);
    history.emplace(map->history());
    simulation->attach(*history);
  }
  if (order) {
    if (processes.size() != 1) throw UserError("--order: needs a run in one host process");
    order->begin(network->graph);
    simulation->attach(*order);
  }
  mpi.clock.seed = options.common.seed;
  describe(options);
}

}  // namespace

namespace {

/// Adds the links to the result's page, and the picture of the machine: over time, or of a small machine its
/// total load.
void add_machine(ResultDocument& result, const Run& run, const ProgramOptions& options) {
  nlohmann::ordered_json& page = result.page();
  const bool small = !options.common.json.empty() && MachineMap::is_small(run.network->graph) &&
                     run.machine->network.model == net::NetworkModel::Packets;
  std::optional<MachineMap> made;
  if (!run.map && small) made.emplace(*run.network);
  const MachineMap* const map = run.map ? &*run.map : made ? &*made : nullptr;
  page["links"] = link_map(run.network->graph, *run.simulation, map);
  if (map == nullptr || map->links() == 0) return;
  page["machine"] = map->drawing();
  page["loads"] = map->totals(*run.simulation);
  if (!run.history) return;
  std::vector<std::string> names;
  if (run.plan.jobs.size() > 1)
    for (const net::JobConfig& job : run.plan.jobs) names.push_back(job.name);
  page["history"] = map->over_time(*run.history, *run.simulation, run.plan.timeline(), names);
}

/// Ends a copy of the process, which has stopped in the midst of the run, with the result so far.
[[noreturn]] void finish_copy(const ProgramOptions& options, Run& run,
                              const std::vector<statistics::Reading>& readings) {
  nlohmann::ordered_json& body = run.result->body();
  body.erase("exit_status");
  PartialResults::SoFar so_far{.seconds = body["seconds"].get<double>()};
  const auto& replays = run.plan.replays;
  if (!replays.empty() && std::ranges::all_of(replays, [](const auto& one) { return one != nullptr; })) {
    so_far.fraction = replayed(run.plan);
    so_far.of = "operations of the trace";
  }
  options.partials->finish(*run.result, so_far, [&] {
    run.result->finish();
    commands::write_page(run.report, *run.result, readings);
  });
}

}  // namespace

int run_program(const ProgramOptions& options, net::HostProcesses& processes) {
  std::optional<Run> made;
  processes.together([&] { made.emplace(options, processes); });
  Run& run = *made;
  const Interruption interruption;
  Progress progress(options.common.quiet);
  const auto interrupted = [&, first = true](const net::Standing& standing) mutable {
    if (std::exchange(first, false)) run.memory->mark("library of messages");
    progress.update([&](double elapsed) {
      return program_line(elapsed, standing, run.plan.ranks, replayed(run.plan) * processes.size());
    });
    return Interruption::signal() != 0 || (options.partials != nullptr && options.partials->wanted());
  };
  net::Ending ending = run.load->run(*run.simulation, run.mpi, interrupted, &processes, run.carries);
  std::vector<JobTimes> alone;
  bool cut = ending.kind == net::Ending::Kind::Interrupted;
  for (std::size_t i = 0; i < run.alone.size() && !cut; ++i) {
    net::RankLoad& load = *run.alone[i];
    net::Simulation simulation(run.machine->network, run.network->graph, *run.network->routing, load,
                               options.common.seed, &processes);
    cut = load.run(simulation, run.mpi, interrupted, &processes, {run.carries[i]}).kind ==
          net::Ending::Kind::Interrupted;
    alone.push_back(times_of(*load.jobs()[0], simulation.last()));
  }
  progress.clear();
  const bool copy = options.partials != nullptr && options.partials->in_copy();
  if (cut) ending.kind = std::max(ending.kind, net::Ending::Kind::Interrupted);
  const int status = status_of(ending);
  if (!processes.first()) return status;
  for (const std::string& line : ending.lines) console::log("psim: {}\n", line);
  for (const auto& replay : run.plan.replays)
    if (replay)
      for (const std::string& line : replay->trace().left_out)
        console::log("psim: {}: {}\n", replay->trace().name, line);
  const std::vector<std::string> warnings = run.load->warnings();
  for (const std::string& line : warnings) console::log("psim: warning: {}\n", line);
  ResultDocument& result = *run.result;
  auto& body = result.body();
  ProgramOptions stated = options;
  if (copy) stated.base = stated.low = stated.high = "";  // of runs to the end
  add_network(body, *run.network, *run.simulation);
  add_ranks(body, *run.load);
  const net::NetworkStatistics counted(*run.simulation);
  statistics::Registry registry;
  counted.add_to(registry);
  const net::rdma::Statistics remote(run.load->rdma());
  registry.add("remote_memory", "Remote direct memory access", remote);
  net::MpiCounts calls;
  for (const net::MpiCounts& job : run.load->mpi_counts()) calls.add(job);
  const net::MpiStatistics called(calls);
  called.add_to(registry);
  const std::vector<statistics::Reading> readings =
      registry.read(registry.snapshot(statistics::Registry::Detail::Buckets));
  body["statistics"] = statistics::to_json(readings);
  add_polls(body, *run.load, run.mpi.poll);
  if (const net::LinkSleep* sleep = run.simulation->sleep(); sleep != nullptr) {
    const energy::LinkEnergy energy(*sleep, run.network->graph, run.machine->link_power);
    add_link_energy(body, energy);
    std::vector<std::string> names;
    for (const net::JobConfig& job : run.plan.jobs) names.push_back(job.name);
    add_link_shares(body, energy, names);
    if (!stated.base.empty()) compare_with_always_on(body, nlohmann::ordered_json::parse(stated.base));
  }
  add_compute(body, *run.load, run.compute->stated(stated, run.machines_of_models));
  add_work(body, *run.load);
  if (run.plan.several) add_jobs(body, *run.load, run.simulation->last(), run.plan.replays, alone);
  body["ending"] = net::name(ending.kind);
  body["exit_status"] = status;
  std::string unexplained;
  if (run.path && ending.kind == net::Ending::Kind::Finished) {
    const bool analytic = run.machine->network.model == net::NetworkModel::Analytic;
    try {
      add_efficiency(options, *run.load, *run.path, analytic, result);
    } catch (const UserError& error) {  // the run's own result is kept
      unexplained = error.what();
      body.erase("efficiency");
      if (Interruption::signal() != 0) result.partial("interrupted");
    }
  }
  if (!warnings.empty()) body["warnings"] = warnings;
  if (ending.kind == net::Ending::Kind::Interrupted) result.partial("interrupted");
  if (run.load->failed()) result.partial("failed");
  add_sharing(result, run.simulation->sharing(), processes.size());
  result.speed("packet_hops_per_second", run.simulation->fabric().packet_hops());
  add_bytes_per_rank(result.host(), run.simulation->sharing(), run.plan.ranks);
  if (options.memory) {
    std::uint64_t stacks = 0, here = 0;
    for (const auto& job : run.load->jobs()) {
      stacks += job->processes().stack_bytes();
      here += job->here().size();
    }
    run.memory->finish(stacks);
    run.memory->add_to(result.host());
    console::log("{}", run.memory->text(static_cast<std::uint32_t>(here)));
  }
  if (std::ranges::none_of(run.plan.replays, [](const auto& replay) { return replay != nullptr; }))
    add_program_seconds(result.host(), *run.load);
  result.page()["title"] = run.plan.title;
  add_machine(result, run, options);
  result.page()["rank_times"] = rank_times(*run.load);
  if (run.timeline) {
    result.page()["functions"] = function_times(*run.timeline);
    result.page()["observed_ranks"] = run.timeline->observed().size();
  }
  if (run.pairs) result.page()["messages"] = message_times(*run.pairs);
  if (run.report) result.page()["ranks"] = rank_rows(*run.timeline, run.plan.timeline());
  if (copy) finish_copy(options, run, readings);
  result.finish();
  if (run.order) run.order->commit();
  if (run.table && ending.kind == net::Ending::Kind::Finished && status == 0) run.table->commit();
  if (run.record) {
    run.record->write(run.load->record().text());
    run.record->commit();
  }
  if (run.statistics) {
    run.statistics->write(options.statistics.ends_with(".csv") ? statistics::to_csv(readings)
                                                               : statistics::to_text(readings));
    run.statistics->commit();
  }
  if (run.tables) run.tables->write(*run.network, *run.simulation, *run.load);
  if (run.watch_tables)
    run.watch_tables->write(run.network->graph, *run.watch, run.machine->network.router.buffer.count);
  if (run.timeline_file) run.timeline_file->write(*run.timeline, run.plan.timeline());
  commands::write_page(run.report, result, readings);
  if (!options.common.quiet) {
    print_network(body, result.host());
    if (run.plan.several) print_jobs(body);
    print_compute(body, result.host());
    console::log("{}", efficiency_lines(body));
  }
  if (unexplained.empty()) return status;
  if (Interruption::signal() != 0) return Interruption::status();
  throw UserError(unexplained);
}

}  // namespace psim
