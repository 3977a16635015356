// SPDX-License-Identifier: Apache-2.0
// `psim reproduce --all`: every published result, as text, JSON, CSV and a page.
#pragma once

#include <string>

#include "papers/experiment.h"

namespace psim::commands {

struct ReproductionFiles {
  std::string json, report, csv;  ///< empty: none
};

/// Runs the commands of all data files, one after the other. Returns 0 if every number agrees or its
/// difference is explained, else 1. Throws Interrupted, and UserError for data files and outputs.
int reproduce_all(const reproduce::ExperimentOptions& options, const ReproductionFiles& files);

}  // namespace psim::commands
