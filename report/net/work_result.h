// SPDX-License-Identifier: Apache-2.0
// The key `work` of `psim net`'s result: operations and bytes of the ranks that state their work (PSIM_WORK),
// for psim roofline.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "ranks/job/rank_load.h"

namespace psim {

/// Adds `work` of the whole run, and of each region in `compute`, if a rank has stated work. Ranks whose
/// counts differ by at most a hundredth are one class; if there are more than kMostWorkClasses, the classes
/// are groups of ranks by rising counts.
void add_work(nlohmann::ordered_json& body, const net::RankLoad& load);
inline constexpr std::size_t kMostWorkClasses = 8;

/// A rank's work, and the time that it took.
struct WorkOfRank {
  std::uint32_t rank = 0, ranks_of_node = 1;
  std::uint64_t ps = 0;
  net::RankWork work;
};
/// Returns the work of these ranks, in all and by class.
nlohmann::ordered_json work_json(std::vector<WorkOfRank> ranks);

}  // namespace psim
