// SPDX-License-Identifier: Apache-2.0
// What each job of `psim net --jobs` came to, and how much slower it was than alone.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "ranks/job/rank_load.h"
#include "ranks/replay/replay_input.h"

namespace psim {

/// ps.
struct JobTimes {
  std::uint64_t start = 0;
  std::uint64_t end = 0;  ///< its last rank's, or when it was aborted or the run ended
};
/// `last`: the end of the run.
JobTimes times_of(const net::Job& job, std::uint64_t last);

/// jobs: by name in the order of the file. `replays`: what each replays; null: a program. `alone`: of the
/// first so many jobs, from runs of their own.
void add_jobs(nlohmann::ordered_json& body, const net::RankLoad& load, std::uint64_t last,
              const std::vector<std::shared_ptr<const ReplayInput>>& replays,
              const std::vector<JobTimes>& alone);

/// What a result says of a trace that was replayed.
nlohmann::ordered_json json_of(const ReplayInput& replay);

/// The table on standard error, from what add_jobs() wrote.
void print_jobs(const nlohmann::ordered_json& body);

}  // namespace psim
