// SPDX-License-Identifier: Apache-2.0
// The page of `psim reproduce --all --report`: each published result with the paper's numbers, ours, and the
// figures drawn again.
#pragma once

#include <string>
#include <vector>

#include "report/svg_chart.h"

namespace psim::report {

struct ReproductionRow {
  std::string text, source, paper, ours, error, goal, status, decision;
};

struct ReproductionSection {
  std::string name, title, source, command, status;
  double cpu_seconds = 0;
  std::vector<ReproductionRow> rows;
  std::vector<Chart> charts;
  std::string output;  ///< of the command
};

/// Returns the page. `note` states the command. `decisions` is the folder of decisions to link; empty: no
/// links.
std::string reproduction_page(const std::string& note, const std::string& decisions,
                              const std::vector<ReproductionSection>& sections);

}  // namespace psim::report
