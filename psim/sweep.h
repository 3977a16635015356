// SPDX-License-Identifier: Apache-2.0
// `psim net --sweep KEY=A,B …` and `psim run --sweep KEY=A,B …`: runs the same command at every point of a
// grid, several at a time, each in a process of its own (psim/points.h). One table lists all points.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "psim/points.h"

namespace psim {

struct SweepOptions {
  std::vector<std::string> axes;  ///< --sweep: "link.sleep.after=0 us,10 us", "machine=…", "argument.N=…"
  PointOptions points{"sweep"};   ///< --into, --parallel, --shard
  std::string csv;                ///< --csv: the table, "" none
};

/// Declares --sweep and the options of points.
void add_sweep_options(CLI::App& app, SweepOptions& options, const std::string& keys);

/// A column of the table: a value of the points' results.
struct SweepColumn {
  const char *name, *at;  ///< "seconds", and its place in the result, "/seconds"
  bool printed = false;   ///< also for people, not only in the file
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

/// Reads a machine with keys of --set. Throws UserError.
using LoadMachine = std::function<void(const std::string& machine, const std::vector<std::string>& sets)>;

/// Runs a sweep. `program` is the number of words at the end of this process's command line that are the
/// program and its arguments. `load` reads the machine of a point, which is `machine` with `sets` unless the
/// point has another; one that is refused is reported before any point runs. Calls `finished` with the files
/// of the points' results once all points that can run have run. Returns psim's exit status: 1 if a point
/// failed, or its run aborted or ended with another status than 0.
int run_sweep(const SweepOptions& options, const std::vector<SweepColumn>& columns, std::size_t program,
              const std::string& machine, const std::vector<std::string>& sets, const LoadMachine& load,
              const std::function<void(const std::vector<std::string>& results)>& finished);

}  // namespace psim
