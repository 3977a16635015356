// SPDX-License-Identifier: Apache-2.0
// `psim net PROGRAM` and `psim net --jobs`: ranks of programs on a network, from the options to the results.
#pragma once

#include "netsim/parallel/host_processes.h"
#include "psim/net/program_options.h"
#include "ranks/job/ending.h"

namespace psim {

/// Prints and writes the outputs that `options` request; with several host processes only the first does.
/// Returns psim's exit status.
int run_program(const ProgramOptions& options, net::HostProcesses& processes);

/// Returns psim's exit status for this ending of programs.
int status_of(const net::Ending& ending);

}  // namespace psim
