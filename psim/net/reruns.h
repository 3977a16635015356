// SPDX-License-Identifier: Apache-2.0
// Further runs of the same command after it, each in a process of its own: a program runs once in a process,
// and must find it as it was at the start. So the processes are made before the run and wait for their
// orders.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "psim/net/what_if.h"
#include "report/net/efficiency_result.h"

namespace psim {

class Reruns {
 public:
  /// Runs the command with this change, and writes its result as JSON to the file `json`.
  using Run = std::function<void(const WhatIf& change, const std::string& json)>;
  /// Prepares `count` runs. Call it before any object of this process's own run exists.
  Reruns(std::size_t count, const Run& run);
  ~Reruns();
  Reruns(const Reruns&) = delete;
  Reruns& operator=(const Reruns&) = delete;

  /// Runs the next one, and returns its result as text. Throws UserError if it leaves none.
  std::string run(const WhatIf& change);
  /// Runs the next one, and returns the times of its jobs. Throws UserError if it has not finished.
  std::vector<JobRun> times(const WhatIf& change);

 private:
  struct Waiting;
  std::vector<std::unique_ptr<Waiting>> waiting_;
};

}  // namespace psim
