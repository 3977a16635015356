// SPDX-License-Identifier: Apache-2.0
#include "report/net/efficiency_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace psim {
namespace {

using nlohmann::ordered_json;
using StepKind = net::CriticalPath::Kind;
using Step = net::CriticalPath::Step;

constexpr std::size_t kMostRows = 8;      // of tables by rank and by pair
constexpr std::size_t kMostSteps = 2000;  // of a path in a page

const char* cause_of(StepKind kind, bool nodes) {
  if (nodes && kind == StepKind::Calls) return "MPI library";
  if (nodes && (kind == StepKind::Timer || kind == StepKind::Inside)) return "interfaces";
  switch (kind) {
    case StepKind::Start:
      return "before the job";
    case StepKind::Compute:
      return "computing";
    case StepKind::Send:
      return "send overhead";
    case StepKind::Receive:
      return "receive overhead";
    case StepKind::Calls:
      return "other calls";
    case StepKind::Poll:
      return "polling";
    case StepKind::Jitter:
      return "OS jitter";
    case StepKind::Inside:
      return "memory of nodes";
    case StepKind::Collective:
      return "collective network";
    case StepKind::Timer:
      return "work of collectives";
    default:
      return "network";
  }
}

/// Returns the region of computing; empty: outside of all.
std::string region_of(const Step& step, const JobPath& job) {
  return step.kind == StepKind::Compute && step.region != 0 ? job.region(step.region) : "";
}

/// The sums over a path, ps.
struct PathSums {
  std::map<std::string, std::uint64_t> causes, regions;
  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> ranks;  ///< time, computing
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint64_t, std::uint64_t>>
      pairs;  ///< messages, time
  std::uint64_t messages = 0;

  void add(const Step& step, const JobPath& job) {
    const std::uint64_t time = step.end - step.begin;
    const std::uint32_t rank = step.rank - job.first, other = step.other - job.first;
    switch (step.kind) {
      case StepKind::Start:
        return;
      case StepKind::Message:
      case StepKind::Departure:
      case StepKind::Inside: {
        auto& [count, sum] = pairs[{rank, other}];
        ++count, sum += time, ++messages;
        if (step.kind == StepKind::Inside) {
          causes[cause_of(step.kind, job.nodes)] += step.latency + step.bandwidth;
        } else {
          causes["latency"] += step.latency;
          causes["bandwidth"] += step.bandwidth;
        }
        causes["contention"] += time - step.latency - step.bandwidth;
        return;
      }
      case StepKind::Compute:
        regions[region_of(step, job)] += time;
        ranks[rank].second += time;
        [[fallthrough]];
      default:
        causes[cause_of(step.kind, job.nodes)] += time;
        if (step.kind != StepKind::Collective) ranks[rank].first += time;
    }
  }
};

template <class Row>
void keep_largest(std::vector<Row>& rows) {
  std::ranges::stable_sort(rows, [](const Row& a, const Row& b) { return a.first > b.first; });
  if (rows.size() > kMostRows) rows.resize(kMostRows);
}

ordered_json sums_json(const PathSums& sums, double seconds, double seconds_of_ps) {
  const auto of_ps = [&](std::uint64_t ps) { return static_cast<double>(ps) * seconds_of_ps; };
  ordered_json json;
  json["messages"] = sums.messages;
  json["causes"] = ordered_json::array();
  std::vector<std::pair<std::uint64_t, std::pair<std::string, std::string>>> causes;
  for (const auto& [cause, ps] : sums.causes)
    if (cause != "computing" && ps != 0) causes.push_back({ps, {cause, ""}});
  for (const auto& [region, ps] : sums.regions) causes.push_back({ps, {"computing", region}});
  std::ranges::stable_sort(causes, [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [ps, names] : causes) {
    ordered_json row{{"cause", names.first}};
    if (!names.second.empty()) row["region"] = names.second;
    row["seconds"] = of_ps(ps);
    row["share"] = seconds == 0 ? 0 : of_ps(ps) / seconds;
    json["causes"].push_back(row);
  }
  std::vector<std::pair<std::uint64_t, std::pair<std::uint32_t, std::uint64_t>>> ranks;
  for (const auto& [rank, times] : sums.ranks) ranks.push_back({times.first, {rank, times.second}});
  keep_largest(ranks);
  json["ranks"] = ordered_json::array();
  for (const auto& [ps, row] : ranks)
    json["ranks"].push_back(
        {{"rank", row.first}, {"seconds", of_ps(ps)}, {"compute_seconds", of_ps(row.second)}});
  std::vector<std::pair<std::uint64_t, std::array<std::uint64_t, 3>>> pairs;
  for (const auto& [ends, times] : sums.pairs)
    pairs.push_back({times.second, {ends.first, ends.second, times.first}});
  keep_largest(pairs);
  json["pairs"] = ordered_json::array();
  for (const auto& [ps, row] : pairs)
    json["pairs"].push_back({{"from", row[0]}, {"to", row[1]}, {"messages", row[2]}, {"seconds", of_ps(ps)}});
  return json;
}

/// Returns the steps that a page draws: [begin, end, rank, rank at the end, name], the longest if there are
/// too many.
ordered_json steps_json(const JobPath& job) {
  const auto of_ps = [&](std::uint64_t ps) { return static_cast<double>(ps) * job.seconds_of_ps; };
  std::vector<Step> steps = job.steps;
  std::erase_if(steps,
                [](const Step& step) { return step.kind == StepKind::Start || step.begin == step.end; });
  if (steps.size() > kMostSteps) {
    std::ranges::stable_sort(steps,
                             [](const Step& a, const Step& b) { return a.end - a.begin > b.end - b.begin; });
    steps.resize(kMostSteps);
    std::ranges::sort(steps, {}, &Step::begin);
  }
  ordered_json rows = ordered_json::array();
  for (const Step& step : steps) {
    const bool moves =
        step.kind == StepKind::Message || step.kind == StepKind::Inside || step.kind == StepKind::Collective;
    const std::uint32_t rank = step.rank - job.first;
    rows.push_back({of_ps(step.begin), of_ps(step.end), rank, moves ? step.other - job.first : rank,
                    cause_of(step.kind, job.nodes), region_of(step, job)});
  }
  return rows;
}

std::uint32_t last_rank(const net::Job& job) {
  const auto& times = job.results.times;
  return static_cast<std::uint32_t>(std::ranges::max_element(times, {}, &net::RankTime::ended) -
                                    times.begin());
}

}  // namespace

JobRun node_run(const ordered_json& result) {
  JobRun run{.seconds = result.at("seconds").get<double>()};
  double ranks = 0;
  const auto add = [&](const ordered_json& rank) {
    if (!rank.contains("outside")) return;
    double computed = rank.at("outside").at("compute").get<double>();
    for (const ordered_json& region : rank.at("regions")) computed += region.at("compute").get<double>();
    run.compute_mean += computed;
    run.compute_max = std::max(run.compute_max, computed);
    ++ranks;
  };
  for (const ordered_json& node : result.at("nodes"))
    if (node.contains("ranks"))
      for (const ordered_json& rank : node["ranks"]) add(rank);
    else
      add(node);
  if (ranks != 0) run.compute_mean /= ranks;
  return run;
}

std::vector<JobRun> job_runs(const ordered_json& result) {
  std::vector<JobRun> runs;
  const auto add = [&](const ordered_json& job, double start) {
    const ordered_json& ranks = job.at("per_rank");
    runs.push_back({.seconds = std::max(0.0, ranks.at("end").at("max").get<double>() - start),
                    .compute_mean = ranks.at("compute").at("mean").get<double>(),
                    .compute_max = ranks.at("compute").at("max").get<double>()});
  };
  if (result.at("nodes").is_array()) return {node_run(result)};
  if (!result.contains("jobs")) add(result, 0);
  for (const ordered_json& job : result.value("jobs", ordered_json::array()))
    add(job, job.at("start").get<double>());
  return runs;
}

void add_job(ordered_json& body, ordered_json& page, const JobRun& run, const JobPath& path) {
  PathSums sums;
  for (const Step& step : path.steps) sums.add(step, path);
  ordered_json one;
  if (!path.name.empty()) one["name"] = path.name;
  one["ranks"] = path.ranks;
  one["seconds"] = run.seconds;
  one["compute_mean"] = run.compute_mean;
  one["compute_max"] = run.compute_max;
  one["critical_path"] = sums_json(sums, run.seconds, path.seconds_of_ps);
  one["critical_path"]["last_rank"] = path.last;
  body["efficiency"]["jobs"].push_back(std::move(one));
  page["critical_paths"].push_back(steps_json(path));
}

void add_paths(ordered_json& body, ordered_json& page, const net::RankLoad& load,
               const net::CriticalPath& path) {
  const std::vector<JobRun> runs = job_runs(body);
  body["efficiency"]["jobs"] = page["critical_paths"] = ordered_json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const net::Job& job = *load.jobs()[i];
    const std::uint32_t last = last_rank(job);
    add_job(body, page, runs[i],
            {.name = job.config().name,
             .ranks = job.ranks(),
             .first = job.first(),
             .last = last,
             .steps = path.path(job.first() + last),
             .region = [&job](std::uint32_t region) { return job.regions.name(region); }});
  }
}

std::string critical_region(const ordered_json& body) {
  std::map<std::string, double> seconds;
  for (const ordered_json& job : body.at("efficiency").at("jobs"))
    for (const ordered_json& cause : job.at("critical_path").at("causes"))
      if (cause.contains("region"))
        seconds[cause["region"].get<std::string>()] += cause["seconds"].get<double>();
  if (seconds.empty()) return "";
  return std::ranges::max_element(seconds, {}, [](const auto& one) { return one.second; })->first;
}

void add_ideal(ordered_json& body, const std::vector<JobRun>& ideal, double tolerance) {
  ordered_json& jobs = body["efficiency"]["jobs"];
  for (std::size_t i = 0; i < jobs.size() && i < ideal.size(); ++i) {
    ordered_json& job = jobs[i];
    job["ideal_seconds"] = ideal[i].seconds;
    const double seconds = job["seconds"].get<double>(), most = job["compute_max"].get<double>(),
                 mean = job["compute_mean"].get<double>();
    if (most == 0 || ideal[i].seconds == 0) continue;  // without computing all efficiencies are 0 or unknown
    job["load_balance"] = mean / most;
    job["serialisation"] = most / ideal[i].seconds;
    job["transfer"] = ideal[i].seconds / seconds;
    job["communication"] = most / seconds;
    job["parallel"] = mean / seconds;
    if (std::abs(ideal[i].compute_max - most) > tolerance * most)
      body["assumptions"].push_back(fmt::format(
          "efficiency: on the ideal network the most computing of a rank is {:.6g} s, not {:.6g} s: "
          "{} takes another course there",
          ideal[i].compute_max, most, tolerance > 1e-9 ? "its core, or the program," : "the program"));
  }
}

void add_what_if(ordered_json& body, const std::string& change, const std::vector<JobRun>& runs) {
  ordered_json& jobs = body["efficiency"]["jobs"];
  for (std::size_t i = 0; i < jobs.size() && i < runs.size(); ++i) {
    ordered_json row{{"change", change}, {"seconds", runs[i].seconds}};
    if (runs[i].seconds != 0) row["speedup"] = jobs[i]["seconds"].get<double>() / runs[i].seconds;
    jobs[i]["what_if"].push_back(row);
  }
}

}  // namespace psim
