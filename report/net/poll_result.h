// SPDX-License-Identifier: Apache-2.0
// Counts of tests and probes that found nothing. Each takes mpi.poll, an assumption on which results of
// polling programs depend.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/units.h"
#include "ranks/job/rank_load.h"

namespace psim {

/// Adds `polls` and an entry of `assumptions`, if the ranks polled. `cost` is mpi.poll.
void add_polls(nlohmann::ordered_json& body, const net::RankLoad& load, Picoseconds cost);
/// Returns one line for the report on standard error; empty if `body` has no `polls`.
std::string polls_line(const nlohmann::ordered_json& body);

}  // namespace psim
