// SPDX-License-Identifier: Apache-2.0
// The key `compute` of `psim net`'s result: the ranks' time by region, the models used, and what they cover.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ranks/job/rank_load.h"

namespace psim {

/// The source of the time of computing in a run, as the result states it.
struct ComputeOf {
  std::string mode;          ///< --compute
  bool counts_code = false;  ///< code between calls takes time
  bool models = false;
  std::vector<std::string> machines;                   ///< assumptions on the machines of the models
  std::vector<std::string> without_errors;             ///< regions whose models state no errors
  std::map<std::string, double, std::less<>> factors;  ///< --compute-factor
  std::string low, high;  ///< results with the lower and the upper ends of all models; or empty
};

/// Adds `compute` and entries of `assumptions`, unless nothing was requested and no region was marked; with
/// results at the ends of the models also `seconds_interval`. Times are seconds.
void add_compute(nlohmann::ordered_json& body, const net::RankLoad& load, const ComputeOf& how);
/// Returns regions, outside and total of these jobs together.
nlohmann::ordered_json time_by_region(const std::vector<const net::Job*>& jobs);
/// Adds host.program_seconds; if a region was marked, also the parts outside of regions and in regions
/// without a model.
void add_program_seconds(nlohmann::ordered_json& host, const net::RankLoad& load);
/// Returns the shares of the host's time that the models cover, as a sentence; empty without models.
std::string coverage(const nlohmann::ordered_json& body, const nlohmann::ordered_json& host);
/// Prints the interval, the table of regions and the coverage on standard error.
void print_compute(const nlohmann::ordered_json& body, const nlohmann::ordered_json& host);
/// Returns the section of the report of psim net or psim cosim, empty without regions.
std::string compute_section(const nlohmann::ordered_json& result);
/// Returns rows "rank,region,count,compute_s,overhead_s,transfer_s,wait_s,seconds_s", with the job before if
/// there are several; empty without regions.
std::string region_table(const net::RankLoad& load);

}  // namespace psim
