// SPDX-License-Identifier: Apache-2.0
// The options of `psim net PROGRAM` and `psim net --jobs`, and what their words mean.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "netsim/message/mpi_config.h"
#include "psim/commands/command.h"
#include "ranks/processes.h"
#include "ranks/timeline/timeline.h"

namespace psim {

/// As the command line has them.
struct ProgramOptions {
  commands::CommonOptions common;
  std::uint32_t ranks = 0;
  std::string jobs;                  ///< --jobs FILE
  std::vector<std::string> compare;  ///< --compare BASE
  std::string base;                  ///< the result with links that are always on, where it is asked for
  std::string replay;                ///< --replay FILE
  double compute_scale = 1, message_scale = 1;
  std::string order;  ///< --order FILE
  std::string stack;
  net::GlobalsMode globals = net::GlobalsMode::Automatic;
  std::string data;
  std::string compute;                       ///< --compute
  std::string timeline, from, to, observed;  ///< --timeline, --observe-…
  std::string observe_routers, observe_links, observe_every;
  std::string csv;        ///< folder
  bool observes = false;  ///< some output shows what ranks did over time
  bool watches = false;   ///< some output shows what passes routers and links over time
  /// The program and its arguments. Asked when all host processes can tell an error as one.
  std::function<std::vector<std::string>()> words;

  bool compares(std::string_view with) const {
    return std::find(compare.begin(), compare.end(), with) != compare.end();
  }
};

// All throw UserError.

/// mpi.carry for --data (`what` names it for errors): what the user said, or nothing for MGEN programs, which
/// pass no buffers, and all for others.
std::uint64_t carry(const std::string& what, const std::string& data, bool mgen, std::uint64_t configured);
/// K of --compute measured*K; 0: computing takes what the program says.
double measured_factor(const std::string& compute);
/// --stack, or what so many ranks have without.
Bytes stack_of(const std::string& stack, std::uint32_t ranks);
net::Observation observation(const ProgramOptions& options, std::uint32_t ranks);
/// --observe-from and --observe-to, of all ranks.
net::Observation observed_times(const ProgramOptions& options);
/// Throws UserError if there is no output for what is to be observed.
void check_observation(const ProgramOptions& options);
/// Networks of hardware collectives may be no faster than routers reach each other (`lookahead` ps), or host
/// processes could not share a run.
void check_hardware(const net::HardwareConfig& hardware, std::uint64_t lookahead);

}  // namespace psim
