// SPDX-License-Identifier: Apache-2.0
#include "psim/cosim/neighbours.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/console.h"
#include "base/error.h"
#include "base/statistics/print.h"
#include "energy/link_energy.h"
#include "netsim/message/mpi_statistics.h"
#include "netsim/message/rdma_statistics.h"
#include "psim/cosim/energy_result.h"
#include "psim/net/program_run.h"
#include "psim/net/traffic_run.h"
#include "psim/net/what_if.h"
#include "ranks/program/memory_need.h"
#include "report/net/compute_result.h"
#include "report/net/job_results.h"
#include "report/net/link_energy_result.h"
#include "report/net/net_result.h"
#include "report/net/poll_result.h"
#include "report/timeline/timeline_file.h"

namespace psim {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostJobs = net::RankLoad::kMostOwners - 2;  // besides detailed nodes and traffic

/// Returns the value of `compute`, its file relative to that of the scenario.
std::string compute_of(const Scenario& scenario) {
  const std::string& how = scenario.mixed.compute;
  const std::size_t colon = how.find(':');
  if (colon == std::string::npos) return how;
  const Origin& origin = scenario.mixed.schema.find("compute")->origin;
  const std::filesystem::path folder =
      origin.line == 0 ? std::filesystem::path() : std::filesystem::path(origin.source_name).parent_path();
  return how.substr(0, colon + 1) + (folder / how.substr(colon + 1)).string();
}

/// Returns what the options of psim net say for the ranks of a scenario.
ProgramOptions options_of(const Scenario& scenario, std::uint64_t seed) {
  ProgramOptions options;
  options.common.seed = seed;
  options.compute = compute_of(scenario);
  options.skeleton = scenario.mixed.skeleton;
  return options;
}

JobsPlan plan_of(const Scenario& scenario, const ProgramOptions& options) {
  const std::uint32_t slots = scenario.fabric.network.node.ranks;
  if (scenario.mixed.jobs.empty()) return {};
  std::vector<JobEntry> jobs =
      jobs_of_tables(scenario.mixed.jobs, scenario.file, MixedConfig::kJobTable, slots, true);
  if (jobs.size() > kMostJobs)
    throw UserError(fmt::format("{}: {} jobs; expected at most {}", scenario.file, jobs.size(), kMostJobs));
  return plan_jobs(options, std::move(jobs), slots);
}

}  // namespace

Neighbours::Neighbours(Scenario& scenario, std::uint64_t seed, net::HostProcesses& processes)
    : scenario_(scenario),
      seed_(seed),
      processes_(processes),
      options_(options_of(scenario, seed)),
      plan_(plan_of(scenario, options_)),
      network_(make_network()),
      places_(find_places()) {
  if (!scenario.mixed.jobs.empty()) load_jobs();
  if (!scenario.mixed.pattern.empty()) make_traffic();
  if (scenario.mixed.any()) interruption_.emplace();
}

net::Network Neighbours::make_network() const {
  const net::NetworkConfig& config = scenario_.fabric.network;
  if (config.analytic.ideal) return ideal_network(config, scenario_.nodes);
  const bool mixed = scenario_.mixed.any() || !scenario_.mixed.at.empty();
  return net::make_topology(config,
                            mixed && !config.topology.shape.empty() ? 0 : scenario_.nodes + plan_.nodes);
}

std::vector<std::uint32_t> Neighbours::find_places() const {
  const std::string& at = scenario_.mixed.at;
  if (at.empty()) return CosimRun::places(scenario_, network_.graph);
  const std::string where = scenario_.mixed.schema.find("at")->origin.text();
  std::vector<std::uint32_t> places;
  for (const auto& [first, last] : parse_numbers(where + ": at =", at, "node", network_.graph.nodes()))
    for (std::uint32_t node = first; node <= last; ++node) places.push_back(node);
  std::ranges::sort(places);
  if (const auto twice = std::ranges::adjacent_find(places); twice != places.end())
    throw UserError(fmt::format("{}: at = {}: node {} stands there twice", where, at, *twice));
  if (places.size() != scenario_.nodes)
    throw UserError(fmt::format("{}: at = {}: {} nodes; expected nodes = {} of them", where, at,
                                places.size(), scenario_.nodes));
  return places;
}

void Neighbours::load_jobs() {
  const NetworkMachine& fabric = scenario_.fabric;
  compute_.emplace(options_);
  machines_of_models_ = compute_->check_machines(fabric);
  plan_.place(network_.graph, seed_, places_);
  prefix_.emplace(plan_);
  const net::Partition partition =
      net::Simulation::partition(fabric.network, network_.graph, processes_.size(), places_);
  const auto nodes = net::Simulation::nodes(network_.graph, partition, processes_.rank());
  load_.emplace(plan_.jobs, nodes, [this](net::RankId rank, net::Stream stream, std::string_view text) {
    run_->write_rank(load_->printed_at(), net::index(rank), stream, text);
  });
  net::MemoryNeed need{.ranks = plan_.ranks / processes_.size(),
                       .globals = 0,
                       .nodes = network_.graph.nodes() / processes_.size()};
  for (const auto& job : load_->jobs())
    need.globals = std::max(need.globals, job->processes().bytes_per_rank());
  net::check_memory("cosim", need, net::available_memory());
  load_->join_others();
  load_->compute_by(compute_->computing());
  mpi_ = fabric.mpi;
  mpi_.algorithms = fabric.rules;
  place_tree(mpi_.hardware, fabric.network, network_.graph);
  check_hardware(mpi_.hardware, net::Simulation::lookahead(fabric.network));
  carries_ = plan_.carries(*load_, mpi_.carry);
}

void Neighbours::make_traffic() {
  const MixedConfig& mixed = scenario_.mixed;
  const net::NetworkConfig& config = scenario_.fabric.network;
  net::TrafficConfig traffic;
  const std::string where = mixed.schema.find("traffic.pattern")->origin.text();
  try {
    traffic.pattern = net::pattern_of(mixed.pattern);
    net::Destinations destinations(traffic.pattern, network_.graph.nodes(), sizes_of(config, network_),
                                   {.hot = mixed.hot, .group = network_.group, .seed = seed_});
    traffic.load = mixed.load, traffic.message = mixed.message, traffic.seed = seed_;
    std::vector<bool> taken(network_.graph.nodes());
    for (const std::uint32_t node : places_) taken[node] = true;
    for (const net::JobConfig& job : plan_.jobs)
      for (const std::uint32_t node : job.nodes) taken[node] = true;
    std::vector<std::uint32_t> sources;
    for (std::uint32_t node = 0; node < taken.size(); ++node)
      if (!taken[node]) sources.push_back(node);
    if (sources.empty())
      throw UserError("all nodes are detailed or belong to jobs; expected a topology.shape with more nodes");
    traffic_.emplace(traffic, config, std::move(destinations), std::move(sources));
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: traffic.pattern = \"{}\": {}", where, mixed.pattern, error.what()));
  }
}

std::vector<std::string> Neighbours::owners() const {
  std::vector<std::string> names;
  for (const net::JobConfig& job : plan_.jobs) names.push_back(job.name);
  names.emplace_back(kDetailedNodes);
  if (traffic_) names.emplace_back("background traffic");
  return names;
}

Surroundings Neighbours::surroundings() {
  Surroundings around;
  around.places = places_;
  if (!scenario_.mixed.any()) return around;
  const auto jobs = static_cast<std::uint8_t>(plan_.jobs.size());
  around.ranks = plan_.ranks;
  around.owners = static_cast<std::uint32_t>(owners().size());
  around.owner = static_cast<std::uint8_t>(jobs + 1);
  around.interrupted = [] { return Interruption::signal() != 0; };
  around.print = [this](std::uint32_t source, net::Stream stream, std::string_view text) {
    print(source, stream, text);
  };
  if (load_) {
    Neighbour ranks{.load = &*load_, .nodes = {}, .ranks = plan_.ranks, .start = {}};
    for (const net::JobConfig& job : plan_.jobs)
      ranks.nodes.insert(ranks.nodes.end(), job.nodes.begin(), job.nodes.end());
    ranks.start = [this](net::Simulation& simulation, std::uint32_t) {
      load_->start(
          simulation, mpi_, [](const net::Standing&) { return Interruption::signal() != 0; }, &processes_,
          carries_);
    };
    around.neighbours.push_back(std::move(ranks));
  }
  if (traffic_) {
    Neighbour traffic{.load = &*traffic_, .nodes = {}, .ranks = 1, .start = {}};
    traffic.kind = net::LoadGroup::Kind::Background;
    traffic.nodes.assign(traffic_->sources().begin(), traffic_->sources().end());
    traffic.start = [this, jobs](net::Simulation& simulation, std::uint32_t first) {
      traffic_->start(simulation, first, static_cast<std::uint8_t>(jobs + 2));
    };
    around.neighbours.push_back(std::move(traffic));
  }
  return around;
}

void Neighbours::print(std::uint32_t source, net::Stream stream, std::string_view text) {
  if (source < plan_.ranks)
    prefix_->print(net::RankId{source}, stream, text);
  else
    console::pass_on(stream == net::Stream::Out ? 1 : 2, text);
}

void Neighbours::finish(bool cut) {
  if (load_ && cut) load_->cut();
  if (load_) ending_ = load_->finish();
  if (traffic_) traffic_->gather(processes_);
}

void Neighbours::describe(ResultDocument& result) const {
  for (const JobsPlan::Input& input : plan_.inputs) result.input(input.role, input.path, input.bytes);
  if (!compute_) return;
  if (const auto& file = compute_->input()) result.input(file->role, file->path, file->bytes);
}

int Neighbours::add_results(ResultDocument& result, const net::Simulation& simulation) const {
  const net::LinkSleep* const sleep = simulation.sleep();
  if (!scenario_.mixed.any() && sleep == nullptr) return 0;
  ordered_json& body = result.body()["net"] = ordered_json::object();
  add_network(body, network_, simulation);
  body["detailed_nodes"] = places_;
  if (sleep != nullptr) {
    const energy::LinkEnergy energy(*sleep, network_.graph, scenario_.fabric.link_power);
    add_link_energy(body, energy);
    add_link_shares(body, energy, owners());
  }
  if (traffic_) {
    const net::BackgroundTraffic::Counts& counts = traffic_->counts();
    const double mean = counts.arrived == 0
                            ? 0
                            : static_cast<double>(counts.latency_sum) / static_cast<double>(counts.arrived);
    body["traffic"] = {
        {"pattern", scenario_.mixed.pattern},
        {"load", scenario_.mixed.load},
        {"message_bytes", scenario_.mixed.message.count},
        {"nodes", traffic_->sources().size()},
        {"messages", counts.made},
        {"arrived", counts.arrived},
        {"latency", {{"mean", mean * 1e-12}, {"max", static_cast<double>(counts.latency_most) * 1e-12}}}};
  }
  if (!load_) return 0;
  add_ranks(body, *load_);
  const net::rdma::Statistics remote(load_->rdma());
  statistics::Registry registry;
  registry.add("remote_memory", "Remote direct memory access", remote);
  net::MpiCounts calls;
  for (const net::MpiCounts& job : load_->mpi_counts()) calls.add(job);
  const net::MpiStatistics called(calls);
  called.add_to(registry);
  body["statistics"] =
      statistics::to_json(registry.read(registry.snapshot(statistics::Registry::Detail::Buckets)));
  add_polls(body, *load_, mpi_.poll);
  add_compute(body, *load_, compute_->stated(options_, machines_of_models_));
  if (std::ranges::none_of(plan_.replays, [](const auto& replay) { return replay != nullptr; }))
    add_program_seconds(result.host(), *load_);
  add_jobs(body, *load_, simulation.last(), plan_.replays, {});
  body["ending"] = net::name(ending_.kind);
  if (const std::vector<std::string> warnings = load_->warnings(); !warnings.empty()) {
    body["warnings"] = warnings;
    for (const std::string& line : warnings) console::log("psim: warning: {}\n", line);
  }
  for (const std::string& line : ending_.lines) console::log("psim: {}\n", line);
  if (ending_.kind == net::Ending::Kind::Interrupted) result.partial("interrupted");
  if (load_->failed()) result.partial("failed");
  return status_of(ending_);
}

void print_neighbours(const ordered_json& body, const ordered_json& host) {
  if (!body.contains("net")) return;
  ordered_json shown = body["net"], speed = host;
  shown["machine"] = body["network"];
  speed["packet_hops_per_second"] =
      shown["packet_hops"].get<double>() / std::max(host["cpu_seconds"].get<double>(), 1e-6);
  print_network(shown, speed);
  if (shown.contains("jobs")) print_jobs(shown);
  print_compute(shown, host);
  if (!shown.contains("traffic")) return;
  const ordered_json& traffic = shown["traffic"];
  console::log("background: {} messages of {} nodes, {} at load {:.4g}; latency {:.3f} us on average\n",
               traffic["messages"].get<std::uint64_t>(), traffic["nodes"].get<std::uint64_t>(),
               traffic["pattern"].get<std::string>(), traffic["load"].get<double>(),
               traffic["latency"]["mean"].get<double>() * 1e6);
}

}  // namespace psim
