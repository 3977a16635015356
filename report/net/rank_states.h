// SPDX-License-Identifier: Apache-2.0
// Keys of `page` in a result of `psim net`, for `psim compare`: the parts of each rank's time, the time in
// each function, and the messages of each pair of ranks.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ranks/job/rank_load.h"
#include "ranks/timeline/pair_times.h"

namespace psim {

/// Returns the parts of the time of each rank, seconds; of many ranks the means of groups.
nlohmann::ordered_json rank_times(const net::RankLoad& load);
/// Returns the sum over all observed ranks of the time in each function, seconds.
nlohmann::ordered_json function_times(const net::Timeline& timeline);
/// Returns the sums over all messages, and the pairs with the longest waits.
nlohmann::ordered_json message_times(const net::PairTimes& pairs);

}  // namespace psim
