// SPDX-License-Identifier: Apache-2.0
// One line on a terminal that says which of several simulations run and how far they are.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "psim/reproduce/process_pool.h"

namespace psim::reproduce {

class RunProgress {
 public:
  /// `labels` of the tasks, in order. Silent where stderr is no terminal, and if `quiet`.
  RunProgress(std::vector<std::string> labels, bool quiet);
  /// Clears the line.
  ~RunProgress();
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;

  void update(const std::vector<TaskView>& views);

 private:
  std::vector<std::string> labels_;
  bool enabled_, shown_ = false;
  std::chrono::steady_clock::time_point start_;
};

/// "12 s  3 of 18 simulations  paper/dgemm simd 256: 1.5 M cycles"
std::string progress_line(double seconds, const std::vector<std::string>& labels,
                          const std::vector<TaskView>& views);

}  // namespace psim::reproduce
