// SPDX-License-Identifier: Apache-2.0
// The timeline of ranks in the report: complete if it is small, else with short calls joined.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "ranks/timeline/timeline.h"
#include "report/timeline/timeline_file.h"

namespace psim {

/// Returns functions, end_ps and merged_ps (0: nothing is left out; else shorter calls and their messages
/// are). For each rank it has the number over all jobs and the log (ranks/timeline/rank_log.cpp) in base64.
/// If jobs have names it has these, too, and their first ranks. `most`: bytes of all logs.
nlohmann::ordered_json rank_rows(const net::Timeline& timeline, const TimelineOf& of,
                                 std::uint64_t most = std::uint64_t{96} << 20);

}  // namespace psim
