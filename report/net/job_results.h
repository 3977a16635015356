// SPDX-License-Identifier: Apache-2.0
// The results of each job of `psim net --jobs`, and its slowdown compared with running alone.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "ranks/job/rank_load.h"
#include "ranks/replay/replay_input.h"

namespace psim {

/// Times in ps.
struct JobTimes {
  std::uint64_t start = 0;
  std::uint64_t end = 0;  ///< when its last rank ended, it was aborted or the run ended
};
/// Returns the times of a job. `last` is the end of the run.
JobTimes times_of(const net::Job& job, std::uint64_t last);

/// Adds `jobs`: by name in the order of the file. `replays` holds what each job replays; null: a program.
/// `alone` holds the times of the first jobs from runs of their own.
void add_jobs(nlohmann::ordered_json& body, const net::RankLoad& load, std::uint64_t last,
              const std::vector<std::shared_ptr<const ReplayInput>>& replays,
              const std::vector<JobTimes>& alone);

/// Returns the keys of a result for a replayed trace.
nlohmann::ordered_json json_of(const ReplayInput& replay);

/// Prints the table on standard error, from the keys of add_jobs().
void print_jobs(const nlohmann::ordered_json& body);

}  // namespace psim
