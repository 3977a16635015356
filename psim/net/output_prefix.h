// SPDX-License-Identifier: Apache-2.0
// Prints the ranks' output on psim's own: unchanged for one program; for several jobs, each line begins with
// the name of its job.
#pragma once

#include <array>
#include <string_view>

#include "base/ids.h"
#include "psim/net/jobs_plan.h"
#include "ranks/libc/output.h"

namespace psim {

class OutputPrefix {
 public:
  explicit OutputPrefix(const JobsPlan& plan) : plan_(plan) {}
  void print(net::RankId rank, net::Stream stream, std::string_view text);

 private:
  const JobsPlan& plan_;
  /// The job whose line each stream has begun; null: at the beginning of a line.
  std::array<const net::JobConfig*, 2> open_{};
};

}  // namespace psim
