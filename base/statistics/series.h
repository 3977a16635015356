// SPDX-License-Identifier: Apache-2.0
// Statistics over time: a CSV file with a row for each interval, which holds the statistics of that interval
// alone.
#pragma once

#include <cstdint>
#include <string>

#include "base/output_file.h"
#include "base/statistics/registry.h"

namespace psim::statistics {

class Series {
 public:
  /// Starts the series. `clock` names the unit of `now`, "cycle": the first columns are begin_cycle and
  /// end_cycle. `registry` and `file` outlive the series.
  Series(const Registry& registry, OutputFile& file, std::string clock);

  /// Ends an interval and writes its row, unless no time has passed since the last one.
  void end_interval(std::uint64_t now);

 private:
  const Registry& registry_;
  OutputFile& file_;
  Snapshot begin_;
  std::uint64_t begin_time_ = 0;
};

}  // namespace psim::statistics
