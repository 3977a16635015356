// SPDX-License-Identifier: Apache-2.0
// The work of `psim fit`: programs with their grids of arguments, or traces, on one machine or several. It
// comes from the command line or from a file:
//
//     machines = "sparc64v simd16"         # names or files; default sparc64v
//     out = "fits-{machine}.toml"          # one file of models for each machine
//     energy = true                        # default false
//     sample = true                        # likewise
//     add_points = 0                       # default 10: points that psim may add for predictions
//     budget = 1e9                         # default 3e9: their instructions
//
//     [program.dgemm]                      # any name
//     command = "./dgemm scalar {}"        # or traces = "n64.trace n96.trace"
//     args = "64 128 192 256"              # with several placeholders: "n=16 32; m=2 4"
//     regions = "dgemm"                    # default: all regions of the program
//     predict = "512 1024"                 # optional; arguments of one prediction joined by commas
//     allow_status = "1 3"                 # optional; exit statuses besides 0 that the program may return
//     env = "OMP_NUM_THREADS=4"            # optional; variables of the program's environment
//     machines = "sparc64v"                # default: all
//
//     [machine.small]                      # optional: a name in `machines` that is no file
//     file = "simd16"
//     set = "l2.bytes=1 MB; l2.ways=4"     # changed keys
//
// Names of files are relative to the file's folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/config/file_keys.h"
#include "psim/commands/command.h"
#include "psim/commands/fit_grid.h"

namespace psim::commands {

/// The most points that psim adds for predictions, and their most instructions.
inline constexpr std::uint32_t kMostAddedPoints = 100;
inline constexpr double kMostBudget = 1e15;

struct FitMachine {
  std::string name;                  ///< for people and in names of files
  std::vector<std::string> options;  ///< "--machine", FILE, "--set", KEY=VALUE …
  std::uint64_t l1_bytes = 0;        ///< of the first data cache
  std::uint64_t cache_bytes = 0, line_bytes = 0, memory_cycles = 0;  ///< of L2, and the latency of memory
};

struct FitProgram {
  std::string where;                     ///< precedes messages: "three.toml:4: program.dgemm"; "fit"
  std::string region_option;             ///< "--region", "three.toml:7: program.dgemm.regions ="
  std::string status_key;                ///< of the file, "program.dgemm.allow_status"; empty: --allow-status
  bool traces = false;                   ///< the grid has one trace for each point
  std::vector<std::string> words, axes;  ///< of which the grid is made (fit_grid.h); empty for traces
  std::vector<GridPoint> grid;
  std::vector<std::string> regions;      ///< to fit; empty: all
  std::vector<int> statuses;             ///< exit statuses besides 0 that are allowed
  std::vector<std::string> environment;  ///< NAME=VALUE
  std::vector<std::vector<std::int64_t>> predicted;
  std::vector<std::string> machines;  ///< by name
  std::vector<std::string> warnings;  ///< of the points, for the result

  /// Returns the name of the program or trace without its folder.
  std::string name() const;
};

/// The points that psim may add for the predictions of a program.
struct AddedLimits {
  std::uint32_t points = 10;
  double instructions = 3e9;  ///< of all of them
};

struct FitPlan {
  std::vector<FitMachine> machines;
  std::vector<FitProgram> programs;
  bool energy = false, sample = false;
  AddedLimits added;
  std::string out;
  std::string spec;  ///< text of the file; empty: the command line
};

/// The keys of a file for `psim fit`: before the tables, and of tables "program.NAME" and "machine.NAME".
struct FitSpecKeys {
  FileKeys head, program, machine;
};
FitSpecKeys fit_spec_keys();

/// The options of `psim fit` that a file replaces.
struct FitWords {
  MachineChoice machine;
  std::vector<std::string> words;  ///< the program and its arguments, or traces
  std::vector<std::string> regions, arguments, predicted;
  std::vector<int> statuses;
  std::vector<std::string> environment;
  std::string out;
  bool energy = false, sample = false;
  std::optional<std::uint32_t> add_points;
  std::optional<double> budget;
};

/// Returns true if the words name a file of this format.
bool is_fit_spec(const FitWords& words);
/// Makes the plan of a command line. Throws UserError.
FitPlan plan_of(const FitWords& words);
/// Reads a file; options that it replaces must not be given, except --out. Throws UserError with every
/// problem: "three.toml:4: program.a.arg = 64: unknown key; did you mean program.a.args?".
FitPlan read_fit_spec(const FitWords& words);

/// Returns the path with {machine} replaced by the machine's name. Throws UserError if several machines share
/// one path. `option` names it in messages.
std::string path_for(const std::string& path, const FitPlan& plan, const FitMachine& machine,
                     const std::string& option);

}  // namespace psim::commands
