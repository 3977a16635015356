// SPDX-License-Identifier: Apache-2.0
// `psim net --sweep KEY=A,B …`: runs the same command at every point of a grid, several at a time, each in a
// process of its own (psim/points.h). One table lists all points.
#pragma once

#include <string>
#include <vector>

namespace psim {

struct SweepOptions {
  std::vector<std::string> axes;  ///< --sweep: "link.sleep.after=0 us,10 us"; also ranks=… and argument.N=…
  std::string into = "sweep";     ///< --into: the folder of results and of the programs' output
  std::string csv;                ///< --csv: the table, "" none
  unsigned parallel = 0;          ///< --parallel; 0: the number of the host's processors
  bool quiet = false;
};

struct SweepAxis {
  std::string key;
  std::vector<std::string> values;
};

/// Parses "KEY=A,B,C". Throws UserError.
SweepAxis parse_axis(const std::string& text);

/// Returns a point's command: that of this process without the options of the sweep, with the point's values.
/// `words` is the command line, whose last `program` words are the program and its arguments. Throws
/// UserError if there is no such argument.
std::vector<std::string> point_command(const std::vector<std::string>& words, std::size_t program,
                                       const std::vector<SweepAxis>& axes,
                                       const std::vector<std::string>& values);

/// Runs a sweep. `program` is the number of words at the end of this process's command line that are the
/// program and its arguments. Returns psim's exit status: 1 if a point failed.
int run_sweep(const SweepOptions& options, std::size_t program);

}  // namespace psim
