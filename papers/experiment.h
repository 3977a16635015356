// SPDX-License-Identifier: Apache-2.0
// A published result that psim reproduces. To add one, write its file and name it below and in
// experiments.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result_document.h"
#include "papers/simulation_options.h"

namespace psim::reproduce {

struct ExperimentOptions : SimulationOptions {
  bool quick = false;                      ///< small sizes only
  bool expert = false;                     ///< also the programs as an expert would write them
  bool sensitivity = false;                ///< also other forms of the programs
  std::uint64_t fit_to = 256;              ///< the largest size of the fit
  std::uint64_t most_ranks = 131'072;      ///< larger networks are left out
  unsigned loops = 0;                      ///< of the random ring of table 3; 0: as its size allows
  std::string set = {};                    ///< real-machine: name or folder of the set of measurements
  std::string only = {};                   ///< one part, such as figure5 or a benchmark; empty: all
  std::string cause = {};                  ///< of --explain: this one alone; empty: all
  std::string machine = {};                ///< real-machine: in place of the calibrated machine
  std::vector<std::string> settings = {};  ///< KEY=VALUE: inputs that the paper leaves open, keys of machines
};

struct ReproducedExperiment;

struct Experiment {
  const char* name;
  const char* summary;  ///< one line
  /// Simulates and fills `result`, whose numbers are then judged as the data file states.
  void (*run)(const ExperimentOptions& options, ResultDocument& result);
  /// Prints and adds a judgement of all values together, and returns the exit status. nullptr: each value
  /// counts.
  int (*judge)(const ReproducedExperiment& judged, ResultDocument& result) = nullptr;
  /// The additional options that it takes, with a space before and after each: " --fit-to ".
  const char* options = "";
  /// The values that depend on the host are judged, too, so that the status is not part of result_hash.
  bool judges_host = false;
  /// Its simulations run one after the other, as two at a time would disturb times that it measures, or it
  /// has none: options.jobs is 1, and --jobs is refused.
  bool one_at_a_time = false;
};

extern const Experiment kTable2, kBluegeneAlltoall, kNsimTable3, kNsimAce, kTracerp, kReviriego, kPq580Tables,
    kPetascale, kEriTimeline, kRoofline, kBarrier, kMachines, kRealMachine;

/// Returns all experiments in the order of the list.
const std::vector<const Experiment*>& experiments();
/// Returns the experiment of this name. Throws UserError with the nearest name.
const Experiment& find_experiment(const std::string& name);

}  // namespace psim::reproduce
