// SPDX-License-Identifier: Apache-2.0
#include "report/net/job_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/console.h"
#include "base/statistics/print.h"
#include "netsim/message/mpi_statistics.h"
#include "report/net/compute_result.h"
#include "report/net/net_result.h"

namespace psim {
namespace {

using nlohmann::ordered_json;

double seconds(std::uint64_t ps) { return static_cast<double>(ps) * 1e-12; }

}  // namespace

JobTimes times_of(const net::Job& job, std::uint64_t last) {
  JobTimes times{.start = job.config().arrival, .end = 0};
  const net::Ending& ending = job.results.ending;
  switch (ending.kind) {
    case net::Ending::Kind::Finished:
      for (const net::RankTime& rank : job.results.times) times.end = std::max(times.end, rank.ended);
      break;
    case net::Ending::Kind::Aborted:
    case net::Ending::Kind::Failed:
      times.end = ending.time;
      break;
    case net::Ending::Kind::Deadlocked:
    case net::Ending::Kind::Interrupted:
      times.end = last;
  }
  times.end = std::max(times.start, times.end);
  return times;
}

ordered_json json_of(const ReplayInput& replay) {
  return {{"operations", replay.trace().operations()},
          {"compute_scale", replay.compute_scale()},
          {"message_scale", replay.message_scale()},
          {"left_out", replay.trace().left_out}};
}

void add_jobs(ordered_json& body, const net::RankLoad& load, std::uint64_t last,
              const std::vector<std::shared_ptr<const ReplayInput>>& replays,
              const std::vector<JobTimes>& alone) {
  ordered_json& jobs = body["jobs"] = ordered_json::array();
  for (std::size_t i = 0; i < load.jobs().size(); ++i) {
    const net::Job& job = *load.jobs()[i];
    const JobTimes times = times_of(job, last);
    const std::set<std::uint32_t> nodes(job.config().nodes.begin(), job.config().nodes.end());
    ordered_json entry;
    entry["name"] = job.config().name;
    if (replays[i])
      entry["replay"] = json_of(*replays[i]);
    else
      entry["arguments"] = job.config().program.arguments;
    entry["ranks"] = job.ranks();
    entry["nodes"] = nodes.size();
    entry["shared"] = job.config().shared;
    entry["first_node"] = *nodes.begin();
    entry["last_node"] = *nodes.rbegin();
    entry["start"] = seconds(times.start);
    entry["end"] = seconds(times.end);
    entry["seconds"] = seconds(times.end - times.start);
    entry["messages"] = job.results.messages;
    entry["bytes"] = job.results.bytes;
    entry["per_rank"] = per_rank({&job});
    if (!job.regions.rows().empty()) entry["compute"] = time_by_region({&job});
    entry["ending"] = net::name(job.results.ending.kind);
    entry["exit_status"] = job.results.ending.status;
    const net::MpiStatistics called(load.mpi_counts()[i]);
    statistics::Registry registry;
    called.add_to(registry);
    entry["statistics"] = statistics::to_json(registry.read(registry.snapshot()));
    if (i < alone.size()) {
      const std::uint64_t took = alone[i].end - alone[i].start;
      entry["alone_seconds"] = seconds(took);
      if (took != 0) entry["slow_down"] = seconds(times.end - times.start) / seconds(took);
    }
    jobs.push_back(std::move(entry));
  }
}

void print_jobs(const ordered_json& body) {
  std::size_t width = 4;
  bool alone = false;
  for (const ordered_json& job : body["jobs"]) {
    width = std::max(width, job["name"].get<std::string>().size());
    alone |= job.contains("slow_down");
  }
  console::log("{:<{}} {:>8} {:>6} {:>12} {:>12} {:>12} {:>12} {:>12}  {}{}\n", "job", width, "ranks",
               "nodes", "start us", "end us", "compute us", "transfer us", "wait us", "ending",
               alone ? "     slow-down" : "");
  for (const ordered_json& job : body["jobs"]) {
    const auto us = [](const ordered_json& value) { return value.get<double>() * 1e6; };
    const ordered_json& mean = job["per_rank"];
    console::log("{:<{}} {:>8} {:>6} {:>12.3f} {:>12.3f} {:>12.3f} {:>12.3f} {:>12.3f}  {}{}\n",
                 job["name"].get<std::string>(), width, job["ranks"].get<std::uint32_t>(),
                 job["nodes"].get<std::uint32_t>(), us(job["start"]), us(job["end"]),
                 us(mean["compute"]["mean"]), us(mean["transfer"]["mean"]), us(mean["wait"]["mean"]),
                 job["ending"].get<std::string>(),
                 job.contains("slow_down") ? fmt::format("  {:.4f}", job["slow_down"].get<double>()) : "");
  }
}

}  // namespace psim
