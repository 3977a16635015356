// SPDX-License-Identifier: Apache-2.0
// Explanations as experiments: the causes that a data file names for a difference are varied, and a number of
// the paper that the runs reach is explained by them.
#pragma once

#include "papers/reproduction.h"

namespace psim::reproduce {

/// Runs the causes of all values that differ, and sets the outcome of those that the runs reach to
/// ExplainedByRun. They reach a number if one run agrees with it, or if it lies between two of ours, that of
/// the command itself included; they reach a bound or a statement if one run agrees. Throws Interrupted.
void explain(ReproducedExperiment& experiment, bool quick, const SimulationOptions& options);

/// Restricts the experiment of a data file and its causes to a part, as --only does, and estimates its runs
/// from units, as --sample does. Drops the causes of other parts, and all but `cause` if it is given. Throws
/// UserError for a cause that the file lacks.
void restrict_to(Published& published, const std::string& only, bool sample, const std::string& cause);

/// Takes the outcomes of a cause's runs into account; `results` are those of `tried.runs`, null for a failed
/// one.
void judge_cause(ReproducedExperiment& experiment, TriedCause tried,
                 const std::vector<nlohmann::ordered_json>& results);

}  // namespace psim::reproduce
