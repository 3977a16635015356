// SPDX-License-Identifier: Apache-2.0
// Published measurements of a real machine: a folder of papers/real-machines, installed as
// share/psim/real-machines. docs/records/real-machines.md has the files and the rules. `psim calibrate` sees
// point-to-point.txt only; the judged rows of measured.csv are predicted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "papers/network_run.h"
#include "papers/published.h"

namespace psim::reproduce {

/// The goals for the median |error|, which are tolerances of values: latencies and bandwidths, collectives
/// and load.
constexpr double kGoals[] = {0.10, 0.15};

/// A number of the set that a run predicts.
struct MeasuredBenchmark {
  std::string benchmark, algorithm;  ///< "allreduce", "ring"; no algorithm: the library's choice
  std::uint32_t nodes = 0, ranks = 0;
  std::uint64_t bytes = 0;
  double measured = 0;
  std::string unit;  ///< "us", "MB/s" or "Gflop/s"
  std::string source{};

  /// Returns the key of the number in the results: "us", "mb_per_second" or "gflops".
  const char* key() const;
  /// Returns an estimate of the work of a simulation, to begin with the longest.
  double work() const;
};

struct RealMachineSet {
  std::string name, folder;
  Published published;                    ///< data.toml, and the judged rows as its values if it has none
  std::vector<MeasuredBenchmark> judged;  ///< rows of measured.csv, those that are judged
  bool has_network = false;               ///< there is a machine.toml

  std::string file(const char* file_name) const { return folder + "/" + file_name; }
};

/// Returns the names of the installed sets, sorted.
std::vector<std::string> real_machine_names();

/// Loads an installed set, or a folder if the name has a '/'. Throws UserError with the nearest name.
RealMachineSet load_real_machine(const std::string& name);

/// Parses measured.csv. Throws UserError with the line.
std::vector<MeasuredBenchmark> parse_measured(std::string_view text, const std::string& path);

/// Returns the simulation of a benchmark on the calibrated machine in a file. `all_nodes`: those of the
/// topology, for a pair that is far apart.
NetworkRun run_of(const RealMachineSet& set, const MeasuredBenchmark& row, const std::string& machine,
                  std::uint32_t all_nodes);

/// Returns the number that the set's source would print: from the lines of workloads/mgen/mpi_benchmark.c.
/// Throws std::runtime_error if there are none.
double number_of(const RealMachineSet& set, const MeasuredBenchmark& row, const std::string& output);

}  // namespace psim::reproduce
