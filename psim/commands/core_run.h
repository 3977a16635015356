// SPDX-License-Identifier: Apache-2.0
// The common part of the commands that drive the cycle-level core, whatever the source of its instructions:
// the machine, limits, progress, dumps, the report and the numbers of the result.
//
//     CoreRun core("run", options.core);                   // machine and output files, before any long work
//     core.open_outputs(main_pc);
//     core.result().input("program", path, bytes);
//     core.simulate(source, [&] { return live.take_region(); });
//     core.finish({"a.out", "1", "2", "3"});
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result_document.h"
#include "base/statistics/registry.h"
#include "guest/process.h"
#include "isa/state/instruction_source.h"
#include "isa/state/region_marker.h"
#include "machines/machine.h"
#include "pipeline/profile.h"
#include "psim/commands/command.h"
#include "psim/commands/run_outputs.h"
#include "psim/partial_results.h"

namespace psim::commands {

/// The exit status for a limit that was reached, as that of timeout(1).
inline constexpr int kLimitStatus = 124;

struct CoreRunOptions {
  CommonOptions common;
  RunOutputOptions outputs;
  std::uint64_t max_instructions = 0;  ///< 0: no limit
  bool energy = false;                 ///< measure energy too
  bool memoize = true;                 ///< repeat remembered stretches of cycles
  double partial_every = 0;            ///< seconds between partial results; 0: none without a request
};
/// Declares the options. `which` is as for add_common().
void add_core_run(CLI::App& app, CoreRunOptions& options, unsigned which);

struct SampleOptions;
struct WarmSaving;
struct WarmSource;

class CoreRun {
 public:
  /// Prepares a run. Throws UserError for an impossible machine or output. `options` outlives the run.
  CoreRun(std::string_view command, const CoreRunOptions& options);
  ~CoreRun();

  const Machine& machine() const { return *machine_; }
  ResultDocument& result() { return result_; }
  PartialResults& partials() { return partials_; }
  /// Creates the dumps and the report. Without --window the report's stage view begins at `main_pc`.
  void open_outputs(std::optional<std::uint64_t> main_pc);

  /// Returns true if the options request a profile. Then name_code() may be called, before simulate().
  bool profiles() const { return options_.outputs.profiles(); }
  void name_code(report::CodeNames names) { names_ = std::move(names); }

  /// Simulates until `source` ends or the limit is reached. `next_region` returns the markers in the order in
  /// which they commit. `instructions` is the length of the source, for the progress line; 0: unknown.
  /// Returns true if the limit was reached.
  bool simulate(isa::InstructionSource& source, std::function<isa::RegionMarker()> next_region,
                std::uint64_t instructions = 0);
  /// Simulates a program whose threads run on several cores (psim/commands/chip_run.cpp). Returns true if the
  /// limit was reached.
  bool simulate_chip(isa::Process& process);
  /// Throws UserError if an option does not support several cores. `record_trace`, `sampled`: whether these
  /// are requested.
  void check_chip_options(bool record_trace, bool sampled) const;
  /// Simulates units of the program until it ends or the limit is reached, and estimates the whole
  /// (psim/commands/sampled_run.cpp). Saves its windows with `saving`, or takes them from `saved` without
  /// running the program; null: neither. Returns true if the limit was reached.
  bool sample(isa::Process& process, const SampleOptions& options, WarmSaving* saving, WarmSource* saved);
  /// Returns the period of the sample's last unit.
  std::uint64_t sample_period() const { return sample_period_; }
  /// Adds a line for the user, printed at the end.
  void note(std::string line) { notes_.push_back(std::move(line)); }
  /// Ends the process if it is a copy for a partial result, after finish() with the result so far.
  /// `describe` adds what finish() does not know.
  void finish_copy(const std::vector<std::string>& words, const std::function<void()>& describe = {});
  /// Completes the dumps, the result and the report, and prints notes and a summary. `words`: the program or
  /// trace that ran, and its arguments.
  void finish(const std::vector<std::string>& words);

 private:
  const CoreRunOptions& options_;
  PartialResults partials_;
  std::unique_ptr<Machine> machine_;
  ResultDocument result_;
  std::unique_ptr<RunOutputs> outputs_;
  std::uint64_t instructions_ = 0, cycles_ = 0;
  std::uint64_t sample_period_ = 0;
  InstructionEnd end_;     ///< of the run, if it is known
  std::string energy_;     ///< for the summary
  std::string precision_;  ///< likewise, of a sampled run
  std::vector<statistics::Reading> statistics_;
  std::unique_ptr<pipeline::Profile> profile_;
  report::CodeNames names_;
  std::vector<std::string> notes_;
};

}  // namespace psim::commands
