// SPDX-License-Identifier: Apache-2.0
// The timeline of ranks as the report holds it: whole if it is small, else with short calls put together.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "ranks/timeline/timeline.h"
#include "report/timeline/timeline_file.h"

namespace psim {

/// functions, end_ps, merged_ps (0: nothing is left out; else what is shorter, and its messages, is), and of
/// each rank its number over all jobs and its log (ranks/timeline/rank_log.cpp) in base64; of jobs with
/// names also these, and their first ranks. `most`: bytes of all logs.
nlohmann::ordered_json rank_rows(const net::Timeline& timeline, const TimelineOf& of,
                                 std::uint64_t most = std::uint64_t{96} << 20);

}  // namespace psim
