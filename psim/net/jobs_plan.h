// SPDX-License-Identifier: Apache-2.0
// The programs of a run, whether the user named one or a file of jobs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "netsim/topology/graphs/graph.h"
#include "psim/net/jobs_file.h"
#include "psim/net/program_options.h"
#include "ranks/job/job.h"
#include "ranks/replay/replay_input.h"
#include "report/timeline/timeline_file.h"

namespace psim {

struct JobsPlan {
  struct Input {
    std::string role, path, bytes;
  };
  std::string title;     ///< of reports: the program as the user called it, or the file of jobs
  bool several = false;  ///< a file of jobs, though it may name only one
  bool compares_alone = false;
  std::uint32_t ranks = 0;  ///< of all jobs
  std::uint32_t nodes = 0;  ///< that they need
  std::vector<net::JobConfig> jobs;
  /// --data of each job, after what names it in errors.
  std::vector<std::pair<std::string, std::string>> data;
  std::vector<Input> inputs;
  std::vector<std::shared_ptr<const ReplayInput>> replays;  ///< what each job's ranks do; null: a program

  /// Gives each job its nodes. Throws UserError.
  void place(const net::Graph& graph, std::uint64_t seed);
  /// What a timeline is to tell of them; after place().
  TimelineOf timeline() const;

 private:
  friend JobsPlan plan_jobs(const ProgramOptions& options, std::uint32_t ranks_a_node);
  std::vector<JobEntry> entries_;
  std::uint32_t ranks_a_node_ = 1;
};

/// Throws UserError. `ranks_a_node`: node.ranks.
JobsPlan plan_jobs(const ProgramOptions& options, std::uint32_t ranks_a_node);

}  // namespace psim
