// SPDX-License-Identifier: Apache-2.0
// The HTML report of a run: one file without dependencies, made from the run's result document (so that it
// always agrees with --json), the intervals and the stage view.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/statistics/registry.h"
#include "pipeline/observer.h"
#include "report/run_history.h"

namespace psim::report {

struct RunReport {
  std::string program;  ///< as named by the user, with its arguments
  std::string result;   ///< the text of the finished ResultDocument
  const std::vector<pipeline::Interval>* intervals = nullptr;
  const StageView* stages = nullptr;
  const RegionCollector* regions = nullptr;
  const std::vector<statistics::Reading>* statistics = nullptr;
};

/// Returns the whole page.
std::string html_of(const RunReport& report);

}  // namespace psim::report
