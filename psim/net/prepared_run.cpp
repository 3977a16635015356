// SPDX-License-Identifier: Apache-2.0
#include "psim/net/prepared_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "netsim/statistics/watch.h"
#include "netsim/topology/graphs/graph.h"
#include "psim/net/program_options.h"
#include "ranks/program/memory_need.h"
#include "report/net/job_results.h"
#include "report/timeline/timeline_file.h"

namespace psim {

namespace {

/// Adds every channel of a link: "3-4" is every channel from router 3 to router 4.
void choose_link(net::WatchConfig& config, const net::Graph& graph, const std::string& text,
                 std::string_view link) {
  std::uint32_t ends[2]{};
  const char* at = link.data();
  const char* const end = link.data() + link.size();
  bool right = true;
  for (int i = 0; i < 2 && right; ++i) {
    const auto [next, error] = std::from_chars(at, end, ends[i]);
    right = error == std::errc{} && ends[i] < graph.routers() &&
            (i == 0 ? next != end && *next == '-' : next == end);
    at = next + 1;
  }
  if (!right)
    throw UserError(
        fmt::format("--observe-links {}: \"{}\" is not a link; expected two routers of 0 … {}, or several "
                    "links with commas, such as 0-1,1-0",
                    text, link, graph.routers() - 1));
  std::vector<std::uint32_t> neighbours;
  bool any = false;
  for (std::uint32_t port = 0; port < graph.ports(ends[0]); ++port) {
    const std::uint32_t to = graph.channel(ends[0], port).to_router;
    if (to != net::Channel::kNowhere) neighbours.push_back(to);
    if (to == ends[1]) config.channels[graph.first_port[ends[0]] + port] = any = true;
  }
  if (any) return;
  throw UserError(
      fmt::format("--observe-links {}: no link leads from router {} to router {}; from router {}, links "
                  "lead to {}",
                  text, ends[0], ends[1], ends[0],
                  neighbours.empty() ? "none" : fmt::format("{}", fmt::join(neighbours, ", "))));
}

/// Returns the routers and links of `graph` that `options` names. Throws UserError.
net::WatchConfig watch_config(const ProgramOptions& options, const net::Graph& graph) {
  net::WatchConfig config;
  config.routers.resize(graph.routers());
  config.channels.resize(graph.channels.size());
  const net::Observation times = observed_times(options);
  config.from = times.from;
  config.to = times.to;
  if (!options.observe_every.empty()) {
    const ParsedQuantity every = parse_quantity(options.observe_every, Dimension::Time);
    if (!every.value || *every.value == 0)
      throw UserError(fmt::format("--observe-every {}: {}; expected {}", options.observe_every,
                                  every.value ? "is nothing" : every.problem, example(Dimension::Time)));
    config.every = *every.value;
  }
  const std::string& routers = options.observe_routers;
  if (routers == "all") {
    config.routers.assign(graph.routers(), true);
  } else if (!routers.empty()) {
    for (const auto& [first, last] : parse_numbers("--observe-routers", routers, "router", graph.routers()))
      for (std::uint32_t router = first; router <= last; ++router) config.routers[router] = true;
  }
  const std::string_view links = options.observe_links;
  for (std::size_t from = 0; from < links.size();) {
    const std::size_t to = std::min(links.find(',', from), links.size());
    choose_link(config, graph, options.observe_links, links.substr(from, to - from));
    from = to + 1;
  }
  return config;
}

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

}  // namespace

void PreparedRun::open_files(const ProgramOptions& options) {
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

void PreparedRun::load_programs(net::HostProcesses& processes) {
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

void PreparedRun::prepare_sleep(const ProgramOptions& options, const net::HostProcesses& processes) {
  const bool sleeps = machine->network.link.sleep.policy != net::SleepPolicy::Off;
  if (options.compares("always-on") && !sleeps)
    throw UserError(
        "--compare always-on: link.sleep.policy = off: links never sleep; expected another policy, such as "
        "--set link.sleep.policy=fixed");
  if (options.compares("always-on") && processes.first() && options.base.empty())
    throw UserError("--compare always-on: the run with links that never sleep left no result");
  if (tables && sleeps) tables->add_energy(machine->link_power);
}

void PreparedRun::describe(const ProgramOptions& options) {
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

PreparedRun::PreparedRun(const ProgramOptions& options, net::HostProcesses& processes) {
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

}  // namespace psim
