// SPDX-License-Identifier: Apache-2.0
// The key `efficiency` of `psim net`'s result: the efficiencies of POP, the critical path by cause, and the
// times of runs with a change (docs/efficiency.md).
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ranks/job/rank_load.h"

namespace psim {

/// The times of a job in one run, seconds.
struct JobRun {
  double seconds = 0;       ///< from its arrival to the end of its last rank
  double compute_mean = 0;  ///< computing of a rank
  double compute_max = 0;
};
/// Returns the times of each job of a result of `psim net` with a program, or of `psim cosim`.
std::vector<JobRun> job_runs(const nlohmann::ordered_json& result);
/// Returns the times of the ranks on cycle-level nodes.
JobRun node_run(const nlohmann::ordered_json& result);

/// The critical path of a job.
struct JobPath {
  /// Its ranks are cycle-level nodes, whose steps have other causes: cosim/node_paths.h.
  bool nodes = false;
  std::string name = {};    ///< of the job; empty: there is one
  std::uint32_t ranks = 0;  ///< their number
  std::uint32_t first = 0;  ///< its first rank among those of all jobs
  std::uint32_t last = 0;   ///< the rank that ends last
  std::vector<net::CriticalPath::Step> steps = {};
  std::function<std::string(std::uint32_t region)> region = {};  ///< its name
  double seconds_of_ps = 1e-12;
};
/// Adds a job to body["efficiency"]: its times in this run and its critical path. The path's steps go to
/// page["critical_paths"].
void add_job(nlohmann::ordered_json& body, nlohmann::ordered_json& page, const JobRun& run,
             const JobPath& path);
/// Adds all jobs. Call it after add_jobs().
void add_paths(nlohmann::ordered_json& body, nlohmann::ordered_json& page, const net::RankLoad& load,
               const net::CriticalPath& path);
/// Returns the region with the most computing on the critical paths; empty if no region is on them.
std::string critical_region(const nlohmann::ordered_json& body);
/// Adds the efficiencies that the run on an ideal network gives. Computing that differs there by more than
/// the share `tolerance` is stated.
void add_ideal(nlohmann::ordered_json& body, const std::vector<JobRun>& ideal, double tolerance = 1e-9);
/// Adds the times of a run with a change.
void add_what_if(nlohmann::ordered_json& body, const std::string& change, const std::vector<JobRun>& runs);

/// Returns the lines for a terminal; empty without the key.
std::string efficiency_lines(const nlohmann::ordered_json& body);
/// Returns the section of the page; empty without the key.
std::string efficiency_section(const nlohmann::ordered_json& result);

}  // namespace psim
