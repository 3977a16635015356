// SPDX-License-Identifier: Apache-2.0
// What tests and probes that found nothing came to: their time is mpi.poll each, an assumption on which
// results of programs that poll rest.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/units.h"
#include "ranks/job/rank_load.h"

namespace psim {

/// Adds `polls` and an entry of `assumptions`, if the ranks polled. `cost`: mpi.poll.
void add_polls(nlohmann::ordered_json& body, const net::RankLoad& load, Picoseconds cost);
/// One line for the report on standard error; empty if `body` has no `polls`.
std::string polls_line(const nlohmann::ordered_json& body);

}  // namespace psim
