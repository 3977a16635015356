// SPDX-License-Identifier: Apache-2.0
#include "base/statistics/series.h"

#include <fmt/format.h>

#include "base/statistics/print.h"

namespace psim::statistics {

Series::Series(const Registry& registry, OutputFile& file, std::string clock)
    : registry_(registry), file_(file), begin_(registry.snapshot()) {
  file_.write(fmt::format("begin_{0},end_{0},{1}\n", clock, csv_names(registry_.read(begin_))));
}

void Series::end_interval(std::uint64_t now) {
  if (now == begin_time_) return;
  const Snapshot end = registry_.snapshot();
  Snapshot inside = end;
  inside -= begin_;
  file_.write(fmt::format("{},{},{}\n", begin_time_, now, csv_values(registry_.read(inside))));
  begin_ = end;
  begin_time_ = now;
}

}  // namespace psim::statistics
