// SPDX-License-Identifier: Apache-2.0
#include "psim/net/jobs_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/executable_path.h"
#include "base/read_file.h"

namespace psim {
namespace {

constexpr std::uint64_t kMostTableBytes = 64 << 20;

std::string bytes_of(const std::string& path) {
  FileBytes file = read_regular_file(path);
  if (!file.problem.empty()) throw UserError(fmt::format("{}: {}", path, file.problem));
  return std::move(file.bytes);
}

net::ProcessesConfig program_of(const ProgramOptions& options, const std::string& path,
                                std::vector<std::string> arguments, std::uint32_t ranks) {
  net::ProcessesConfig program;
  program.program = path;
  program.arguments = std::move(arguments);
  program.ranks = ranks;
  program.globals = options.globals;
  program.stacks = options.stacks;
  return program;
}

/// Returns the program and the arguments of --table.
std::vector<std::string> table_program(const ProgramOptions& options) {
  if (options.ranks == 1)
    throw UserError("--table: -n 1: one rank has no collectives; expected at least 2 ranks");
  const ParsedQuantity most = parse_quantity(options.table_bytes, Dimension::Size);
  if (!most.value || *most.value < 1 || *most.value > kMostTableBytes)
    throw UserError(fmt::format("--table-bytes {}: {}; expected 1 B to {} MiB", options.table_bytes,
                                most.value ? "out of range" : most.problem, kMostTableBytes >> 20));
  return {share_path("mgen") / "collective_times", std::to_string(*most.value)};
}

void take_program(JobsPlan& plan, const ProgramOptions& options) {
  const std::vector<std::string> words = options.table.empty() ? options.words() : table_program(options);
  if (options.ranks == 0) throw UserError("net: the number of ranks is missing; add -n N");
  if (options.compares("alone"))
    throw UserError("--compare alone: needs --jobs FILE; a single program runs alone");
  plan.title = fmt::format("{}", fmt::join(words, " "));
  plan.ranks = options.ranks;
  plan.jobs.push_back(
      {.program = program_of(options, words[0], {words.begin() + 1, words.end()}, options.ranks)});
  plan.data.emplace_back("--data", options.table.empty() ? options.data : "none");
  plan.replays.push_back(nullptr);
  const std::string name = options.table.empty() ? words[0] : "collective_times";
  plan.inputs.push_back({"program", name, bytes_of(words[0])});
}

void take_replay(JobsPlan& plan, const ProgramOptions& options) {
  const auto replay =
      std::make_shared<ReplayInput>(options.replay, options.compute_scale, options.message_scale);
  if (options.ranks != 0 && options.ranks != replay->ranks())
    throw UserError(fmt::format("-n {}: {} has {} ranks", options.ranks, options.replay, replay->ranks()));
  if (options.compares("alone"))
    throw UserError("--compare alone: needs --jobs FILE; a single replay runs alone");
  plan.title = "replay of " + options.replay;
  plan.ranks = replay->ranks();
  plan.jobs.push_back(
      {.program = program_of(options, replay->program(), {replay->argument()}, replay->ranks())});
  plan.data.emplace_back("--data", options.data);
  plan.inputs.push_back({"trace", options.replay, bytes_of(replay->trace().name)});
  plan.replays.push_back(replay);
}

void take_entries(JobsPlan& plan, const ProgramOptions& options, std::vector<JobEntry> jobs) {
  plan.several = true;
  for (JobEntry& entry : jobs) {
    net::JobConfig job;
    job.name = entry.name;
    if (entry.trace)
      job.program = program_of(options, entry.trace->program(), {entry.trace->argument()}, entry.ranks);
    else
      job.program = program_of(options, entry.program, std::move(entry.arguments), entry.ranks);
    job.shared = entry.shared;
    job.arrival = static_cast<std::uint64_t>(entry.arrival.count());
    job.first = plan.ranks;
    plan.ranks += entry.ranks;
    plan.jobs.push_back(std::move(job));
    plan.data.emplace_back(
        entry.data.empty() ? "--data" : fmt::format("{}: {}.data =", entry.origin.text(), entry.table),
        entry.data.empty() ? options.data : entry.data);
    plan.replays.push_back(entry.trace);
    if (entry.trace)
      plan.inputs.push_back(
          {fmt::format("trace of {}", entry.name), entry.replay, bytes_of(entry.trace->trace().name)});
    else
      plan.inputs.push_back(
          {fmt::format("program of {}", entry.name), entry.program, bytes_of(entry.program)});
  }
}

void take_jobs(JobsPlan& plan, const ProgramOptions& options, JobsFile file) {
  if (options.ranks != 0) throw UserError("-n: not with --jobs, whose file gives the ranks of each job");
  plan.title = options.jobs;
  plan.compares_alone = options.compares("alone");
  plan.inputs.push_back({"jobs", options.jobs, std::move(file.text)});
  take_entries(plan, options, std::move(file.jobs));
}

void finish_plan(JobsPlan& plan, const ProgramOptions& options) {
  constexpr std::uint32_t kMost = 1u << 24;
  if (plan.ranks > kMost)
    throw UserError(fmt::format("{}: {} ranks in all; at most {}", options.jobs, plan.ranks, kMost));
  for (net::JobConfig& job : plan.jobs) job.program.stack = stack_of(options.stack, plan.ranks);
}

}  // namespace

JobsPlan plan_jobs(const ProgramOptions& options, std::uint32_t ranks_a_node) {
  JobsPlan plan;
  plan.ranks_a_node_ = ranks_a_node;
  if (options.jobs.empty()) {
    options.replay.empty() ? take_program(plan, options) : take_replay(plan, options);
    plan.nodes = (plan.ranks + ranks_a_node - 1) / ranks_a_node;
  } else {
    JobsFile file = read_jobs(options.jobs, ranks_a_node);
    plan.entries_ = file.jobs;
    plan.nodes = nodes_of(plan.entries_, ranks_a_node);
    take_jobs(plan, options, std::move(file));
  }
  finish_plan(plan, options);
  return plan;
}

JobsPlan plan_jobs(const ProgramOptions& options, std::vector<JobEntry> jobs, std::uint32_t ranks_a_node) {
  JobsPlan plan;
  plan.ranks_a_node_ = ranks_a_node;
  plan.entries_ = jobs;
  plan.nodes = nodes_of(jobs, ranks_a_node);
  take_entries(plan, options, std::move(jobs));
  finish_plan(plan, options);
  return plan;
}

std::vector<std::uint64_t> JobsPlan::carries(const net::RankLoad& load, std::uint64_t configured) const {
  std::vector<std::uint64_t> all;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    all.push_back(carry(data[i].first, data[i].second, load.jobs()[i]->sizes_only(), configured));
  return all;
}

void JobsPlan::place(const net::Graph& graph, std::uint64_t seed, std::span<const std::uint32_t> detailed) {
  if (!several) {
    jobs[0].nodes = net::nodes_in_turn(ranks, ranks_a_node_);
    return;
  }
  std::vector<std::vector<std::uint32_t>> placed = place_jobs(entries_, graph, ranks_a_node_, seed, detailed);
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].nodes = std::move(placed[i]);
}

TimelineOf JobsPlan::timeline() const {
  TimelineOf of{.program = title, .nodes = {}, .jobs = {}};
  for (const net::JobConfig& job : jobs) {
    of.jobs.push_back({job.name, job.first, job.program.ranks});
    of.nodes.insert(of.nodes.end(), job.nodes.begin(), job.nodes.end());
  }
  return of;
}

}  // namespace psim
