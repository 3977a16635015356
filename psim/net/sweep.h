// SPDX-License-Identifier: Apache-2.0
// `psim net --sweep KEY=A,B …`: the same command at every point of a grid, several at a time, each in a
// process of its own. The result of each point is a file; what is there already is not run again. One table
// of all.
#pragma once

#include <string>
#include <vector>

namespace psim {

struct SweepOptions {
  std::vector<std::string> axes;  ///< --sweep: "link.sleep.after=0 us,10 us"; also ranks=… and argument.N=…
  std::string into = "sweep";     ///< --into: the folder of results and of what programs print
  std::string csv;                ///< --csv: the table, "" none
  unsigned parallel = 0;          ///< --parallel; 0: as many as the host has processors
  bool quiet = false;
};

struct SweepAxis {
  std::string key;
  std::vector<std::string> values;
};

/// "KEY=A,B,C". Throws UserError.
SweepAxis parse_axis(const std::string& text);

/// A point's command: that of this process without what concerns the sweep, with the point's values. `words`:
/// the command line, of which the last `program` words are the program and its arguments. Throws UserError,
/// if there is no such argument.
std::vector<std::string> point_command(const std::vector<std::string>& words, std::size_t program,
                                       const std::vector<SweepAxis>& axes,
                                       const std::vector<std::string>& values);

/// Runs it. `program`: how many of this process's words, at the end, are the program and its arguments.
/// Returns psim's exit status: 1 if a point failed.
int run_sweep(const SweepOptions& options, std::size_t program);

}  // namespace psim
