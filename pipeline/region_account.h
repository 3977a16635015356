// SPDX-License-Identifier: Apache-2.0
// Measures the regions that a program marks (PSIM_REGION_BEGIN and END), between the commits of their
// markers. A region has a row for each list of arguments, up to a limit of rows. All further regions are
// summed in one more row.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/statistics/registry.h"
#include "isa/state/region_marker.h"
#include "pipeline/packed_activity.h"
#include "pipeline/region_listener.h"

namespace psim::pipeline {

/// All executions of one region with the same arguments.
struct MeasuredRegion {
  std::string name;
  std::vector<std::int64_t> arguments;
  std::uint64_t executions = 0;     ///< that have ended
  Totals totals;                    ///< sums over them
  PackedActivity activity;          ///< likewise, if it is sampled
  statistics::Snapshot statistics;  ///< likewise, of the first RegionAccount::kDetailedRows rows
};

class RegionAccount final : public RegionListener {
 public:
  static constexpr std::size_t kMostRows = 10'000;
  static constexpr std::size_t kMostOpen = 1'000;
  static constexpr std::size_t kDetailedRows = 1'000;
  /// Name of the row of all regions beyond `most_rows`.
  static constexpr const char* kFurther = "(further regions)";

  /// Creates the account. `next_marker` returns the markers in the order in which they commit.
  explicit RegionAccount(std::function<isa::RegionMarker()> next_marker, std::size_t most_rows = kMostRows,
                         std::size_t most_open = kMostOpen)
      : next_marker_(std::move(next_marker)), most_rows_(most_rows), most_open_(most_open) {}
  /// Makes regions measure activity, too. `sample` returns all activity up to now.
  void measure_activity(std::function<Activity()> sample) { sample_ = std::move(sample); }
  /// Makes regions measure statistics, too. `snapshot` returns all counts up to now.
  void measure_statistics(std::function<statistics::Snapshot()> snapshot) { snapshot_ = std::move(snapshot); }

  RegionMark on_region_marker(const Totals& totals) override;
  /// Returns the row of a region that begins, which is new if need be.
  std::size_t region_of(const isa::RegionMarker& marker);
  /// Returns the regions in order of their first begin; the row of further regions is the last.
  const std::vector<MeasuredRegion>& regions() const { return regions_; }
  /// Returns notes for the user: regions that never ended, ends without a begin, rows that were summed.
  std::vector<std::string> notes() const;

 private:
  struct Open {
    std::size_t region;
    std::string name;
    std::uint32_t thread;
    Totals start;
    PackedActivity activity;
    statistics::Snapshot statistics;
  };
  void begin(const isa::RegionMarker& marker, const Totals& totals);
  void end(const isa::RegionMarker& marker, const Totals& totals);

  std::function<isa::RegionMarker()> next_marker_;
  const std::size_t most_rows_, most_open_;
  std::function<Activity()> sample_;
  std::function<statistics::Snapshot()> snapshot_;
  std::vector<MeasuredRegion> regions_;
  std::unordered_map<std::string, std::size_t> rows_;  ///< by name and arguments
  std::vector<Open> open_;
  std::uint64_t not_opened_ = 0;  ///< begins beyond `most_open`
  std::vector<std::string> stray_ends_;
  std::string marked_;  ///< holds the name of the mark returned last
};

}  // namespace psim::pipeline
