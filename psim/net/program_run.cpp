// SPDX-License-Identifier: Apache-2.0
#include "psim/net/program_run.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/console.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/statistics/print.h"
#include "netsim/message/mpi_statistics.h"
#include "netsim/message/rdma_statistics.h"
#include "netsim/network_statistics.h"
#include "psim/commands/result_file.h"
#include "psim/net/efficiency.h"
#include "psim/net/interruption.h"
#include "psim/net/net_progress.h"
#include "psim/net/prepared_run.h"
#include "psim/partial_results.h"
#include "report/net/compute_result.h"
#include "report/net/efficiency_result.h"
#include "report/net/job_results.h"
#include "report/net/link_energy_result.h"
#include "report/net/net_report.h"
#include "report/net/net_result.h"
#include "report/net/poll_result.h"
#include "report/net/rank_states.h"
#include "report/net/work_result.h"
#include "report/timeline/rank_rows.h"

namespace psim {

int status_of(const net::Ending& ending) {
  using Kind = net::Ending::Kind;
  switch (ending.kind) {
    case Kind::Finished:
    case Kind::Failed:
      return ending.status;
    case Kind::Aborted:
      return ending.status & 0xff;
    case Kind::Deadlocked:
      return ending.status == 0 ? 1 : ending.status & 0xff;
    case Kind::Interrupted:
      break;
  }
  return Interruption::status();
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

/// Adds the links to the result's page, and the picture of the machine: over time, or of a small machine its
/// total load.
void add_machine(ResultDocument& result, const PreparedRun& run, const ProgramOptions& options) {
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

/// Returns true if the program was started by itself, without psim or a launcher. Takes the sign of this out
/// of the environment, so that it does not reach programs that ranks start.
bool started_by_itself() {
  const bool sign = std::getenv("PSIM_ALONE") != nullptr;
  ::unsetenv("PSIM_ALONE");
  return sign;
}

/// Ends a copy of the process, which has stopped in the midst of the run, with the result so far.
[[noreturn]] void finish_copy(const ProgramOptions& options, PreparedRun& run,
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
  const bool by_itself = started_by_itself();
  std::optional<PreparedRun> made;
  processes.together([&] { made.emplace(options, processes); });
  PreparedRun& run = *made;
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
  // A program by itself that used no network is often a check of a build system, and CMake's try_run() reads
  // both outputs as one text.
  const bool nothing = by_itself && body["messages"] == 0 && body["seconds"] == 0.0;
  if (!options.common.quiet && !nothing) {
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
