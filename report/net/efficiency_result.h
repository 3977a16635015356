// SPDX-License-Identifier: Apache-2.0
// The key `efficiency` of `psim net`'s result: the efficiencies of POP, the critical path by cause, and the
// times of runs with a change (docs/efficiency.md).
#pragma once

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
/// Returns the times of each job of a result of `psim net` with a program.
std::vector<JobRun> job_runs(const nlohmann::ordered_json& result);

/// Starts body["efficiency"]: the times of this run and its critical paths. Call it after add_jobs(). Steps
/// of the paths go to page["critical_paths"].
void add_paths(nlohmann::ordered_json& body, nlohmann::ordered_json& page, const net::RankLoad& load,
               const net::CriticalPath& path);
/// Returns the region with the most computing on the critical paths; empty if no region is on them.
std::string critical_region(const nlohmann::ordered_json& body);
/// Adds the efficiencies that the run on an ideal network gives.
void add_ideal(nlohmann::ordered_json& body, const std::vector<JobRun>& ideal);
/// Adds the times of a run with a change.
void add_what_if(nlohmann::ordered_json& body, const std::string& change, const std::vector<JobRun>& runs);

/// Returns the lines for a terminal; empty without the key.
std::string efficiency_lines(const nlohmann::ordered_json& body);
/// Returns the section of the page; empty without the key.
std::string efficiency_section(const nlohmann::ordered_json& result);

}  // namespace psim
