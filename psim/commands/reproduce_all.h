// SPDX-License-Identifier: Apache-2.0
// `psim reproduce --all`: every published result, as text, JSON, CSV and a page; and the page of one of them.
#pragma once

#include <string>
#include <vector>

#include "base/result_document.h"
#include "papers/experiment.h"
#include "papers/reproduction.h"

namespace psim::commands {

struct ReproductionFiles {
  std::string json, report, csv;  ///< empty: none
};

/// Adds what the page of these experiments shows.
void add_experiments(ResultDocument& result, const std::vector<reproduce::ReproducedExperiment>& all,
                     const std::string& title);

/// Runs the commands of all data files, or of the file `only`, one after the other; `explains`: also the
/// causes of differences. Returns 0 if every number agrees or its difference is explained, else 1. Throws
/// Interrupted, and UserError for data files and outputs.
int reproduce_all(const reproduce::ExperimentOptions& options, const std::string& only, bool explains,
                  const ReproductionFiles& files);

}  // namespace psim::commands
