// SPDX-License-Identifier: Apache-2.0
// All published results: each data file's command is run, and its numbers are laid next to the paper's.
#pragma once

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "papers/published.h"
#include "papers/simulation_options.h"

namespace psim::reproduce {

// The runs of a cause of a difference, as text and as JSON.

/// A cause with its runs.
struct TriedCause {
  const PublishedCause* cause;
  struct Run {
    std::string value;
    std::vector<std::string> command;
    std::string failure = {};  ///< empty: none
    std::size_t agree = 0;     ///< values of the file that agree in this run
    std::size_t before = 0;    ///< of the same values, those that agree in the command's own run
    std::size_t of = 0;        ///< values that are judged in both
  };
  std::vector<Run> runs;
};

/// Returns words after psim as they are typed in a shell, without the options on which no result depends.
std::string typed_command(const std::vector<std::string>& words);

/// Returns a line for each run of each cause, or nothing.
std::string text_of(const std::vector<TriedCause>& causes);
/// Returns [{"cause", "value", "agree", "before", "of", "failure"}], a run each.
nlohmann::ordered_json json_of(const std::vector<TriedCause>& causes);

enum class Outcome {
  Agrees,          ///< within the tolerance, or the statement holds
  ExplainedByRun,  ///< outside, and runs with other values of an unknown input reach the paper's
  Explained,       ///< outside, and a decision explains it; its causes were not run
  NotExplained,    ///< outside, and no run of its causes reaches the paper's
  Differs,
  Shown,   ///< nothing to judge: the paper has no number, or states no tolerance of its own
  NotRun,  ///< the result of this run has no such number
  Failed   ///< the command failed
};
/// Returns "agrees", "explained by a run", "differs, explained", "not explained", "differs", "shown", "not
/// run" or "failed".
std::string_view text_of(Outcome outcome);

/// Returns the outcome of a number or statement.
Outcome judge(const PublishedValue& value, std::optional<double> ours);

struct JudgedValue {
  const PublishedValue* value;
  std::optional<double> ours;
  Outcome outcome;
  /// If causes were tried: ours over their runs, and the run that agrees or is nearest; else empty.
  std::optional<double> tried_least = {}, tried_most = {};
  std::string tried = {};                ///< the words after psim of that run
  std::vector<std::string> inputs = {};  ///< the keys that the runs set

  /// Returns ours / paper - 1, if the paper has a number other than 0.
  std::optional<double> error() const;
  std::string paper_text() const, ours_text() const, error_text() const, goal_text() const;
  /// Returns the decision with the reason of a difference that no run explains; or nothing.
  std::string decision() const;
  /// Returns the text that follows the status: the decision, and the outcome of the causes' runs; or nothing.
  std::string reason_text() const;
  /// Returns "psim …; 0.03 … 0.2": the run that agrees or is nearest, and the range of ours; or nothing.
  std::string tried_text() const;
};

struct ReproducedExperiment {
  Published published;
  std::vector<std::string> command;
  nlohmann::ordered_json result;  ///< null if the command failed
  std::string failure, output;
  std::vector<JudgedValue> values;
  std::vector<TriedCause> causes;
  double cpu_seconds = 0;  ///< of the simulations, also of those whose outcomes were kept

  /// Returns the worst outcome: failed, differs, not explained, explained, explained by a run, or agrees.
  /// Shown if nothing is judged.
  Outcome outcome() const;
};

/// Returns the command's words for this run.
std::vector<std::string> command_of(const Published& published, bool quick, const SimulationOptions& options);

/// The outcome of a command; `result` is null if it failed.
struct CommandOutcome {
  nlohmann::ordered_json result;
  std::string failure, output;
  double cpu_seconds = 0;
};
/// Runs a command, words after psim, which may end with status 1. With options.into it keeps the outcome of a
/// command that is no experiment. Throws Interrupted.
CommandOutcome run_command(const std::vector<std::string>& command, const std::string& label,
                           const SimulationOptions& options);

/// Runs the command of a data file. A command may end with status 1, as `psim reproduce` does for a miss.
/// Writes its output to a file in options.into. Throws Interrupted.
ReproducedExperiment reproduce(Published published, bool quick, const SimulationOptions& options);

/// Fills `values` from the result.
void judge_values(ReproducedExperiment& experiment);

/// Returns the lines of an experiment: paper, ours, error, goal and status of each value.
std::string table_of(const ReproducedExperiment& experiment);

/// Returns the values of an experiment; those that depend on the host if `host`, else all others.
nlohmann::ordered_json json_of(const ReproducedExperiment& experiment, bool host);

/// Returns the rows of all values with a header: CSV.
std::string csv_of(const std::vector<ReproducedExperiment>& all);

/// Returns 0 if nothing failed or differs without an explanation that its runs support, else 1. Values that
/// depend on the host count if `host`.
int status_of(const ReproducedExperiment& experiment, bool host = true);

}  // namespace psim::reproduce
