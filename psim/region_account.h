// SPDX-License-Identifier: Apache-2.0
// Measures the regions that a program marks (PSIM_REGION_BEGIN and END), between the commits of their
// markers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "isa/linux/region_marker.h"
#include "pipeline/core.h"

namespace psim {

/// All executions of one region with the same arguments.
struct MeasuredRegion {
  std::string name;
  std::vector<std::int64_t> arguments;
  std::uint64_t executions = 0;  ///< that ended
  pipeline::Totals totals;       ///< sums over them
  pipeline::Activity activity;   ///< likewise, if it is sampled
};

class RegionAccount final : public pipeline::Core::RegionListener {
 public:
  /// `next_marker` gives the markers in the order in which they commit.
  explicit RegionAccount(std::function<isa::RegionMarker()> next_marker)
      : next_marker_(std::move(next_marker)) {}
  /// Regions measure activity too, of which `sample` gives all up to now.
  void measure_activity(std::function<pipeline::Activity()> sample) { sample_ = std::move(sample); }

  pipeline::RegionMark on_region_marker(const pipeline::Totals& totals) override;
  /// In order of their first begin.
  const std::vector<MeasuredRegion>& regions() const { return regions_; }
  /// What the user should hear: regions that never ended, ends without a begin.
  std::vector<std::string> notes() const;

 private:
  struct Open {
    std::size_t region;
    pipeline::Totals start;
    pipeline::Activity activity;
  };
  std::size_t region_of(const isa::RegionMarker& marker);

  std::function<isa::RegionMarker()> next_marker_;
  std::function<pipeline::Activity()> sample_;
  std::vector<MeasuredRegion> regions_;
  std::vector<Open> open_;
  std::vector<std::string> stray_ends_;
  std::string marked_;  ///< holds the name of the mark returned last
};

}  // namespace psim
