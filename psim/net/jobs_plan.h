// SPDX-License-Identifier: Apache-2.0
// The programs of a run, named either by the user or by a file of jobs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "netsim/topology/graphs/graph.h"
#include "psim/net/jobs_file.h"
#include "psim/net/program_options.h"
#include "ranks/job/job.h"
#include "ranks/job/rank_load.h"
#include "ranks/replay/replay_input.h"
#include "report/timeline/timeline_file.h"

namespace psim {

struct JobsPlan {
  struct Input {
    std::string role, path, bytes;
  };
  std::string title;     ///< of reports: the program as named by the user, or the file of jobs
  bool several = false;  ///< a file of jobs was given, even if it names only one
  bool compares_alone = false;
  std::uint32_t ranks = 0;  ///< of all jobs
  std::uint32_t nodes = 0;  ///< required by all jobs
  std::vector<net::JobConfig> jobs;
  /// The value of --data of each job, preceded by the job's name for errors.
  std::vector<std::pair<std::string, std::string>> data;
  std::vector<Input> inputs;
  std::vector<std::shared_ptr<const ReplayInput>> replays;  ///< operations of each job; null: a program

  /// Assigns nodes to each job, none of them `detailed`. Throws UserError.
  void place(const net::Graph& graph, std::uint64_t seed, std::span<const std::uint32_t> detailed = {});
  /// Returns mpi.carry of each job; `configured` is the value of the network.
  std::vector<std::uint64_t> carries(const net::RankLoad& load, std::uint64_t configured) const;
  /// Returns the description of the jobs for a timeline. Call it after place().
  TimelineOf timeline() const;

 private:
  friend JobsPlan plan_jobs(const ProgramOptions& options, std::uint32_t ranks_a_node);
  friend JobsPlan plan_jobs(const ProgramOptions& options, std::vector<JobEntry> jobs,
                            std::uint32_t ranks_a_node);
  std::vector<JobEntry> entries_;
  std::uint32_t ranks_a_node_ = 1;
};

/// Plans the jobs. `ranks_a_node` is node.ranks. Throws UserError.
JobsPlan plan_jobs(const ProgramOptions& options, std::uint32_t ranks_a_node);
/// Plans these jobs, among other loads.
JobsPlan plan_jobs(const ProgramOptions& options, std::vector<JobEntry> jobs, std::uint32_t ranks_a_node);

}  // namespace psim
