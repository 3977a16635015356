// SPDX-License-Identifier: Apache-2.0
// `psim net --efficiency`: why a run takes its time.
#pragma once

#include "base/result_document.h"
#include "psim/net/program_options.h"
#include "ranks/job/rank_load.h"

namespace psim {

/// Number of further runs.
inline constexpr std::size_t kEfficiencyRuns = 4;

/// Adds `efficiency` to the result of a finished run, after further runs of options.reruns. `analytic`: the
/// network has no contention. Throws UserError if --faster names a region that the program does not mark.
void add_efficiency(const ProgramOptions& options, const net::RankLoad& load, const net::CriticalPath& path,
                    bool analytic, ResultDocument& result);

}  // namespace psim
