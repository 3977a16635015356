// SPDX-License-Identifier: Apache-2.0
// The run of a rank on a cycle-level node over time, for pages: stretches between marks, intervals and long
// sleeps of its first core, with the counts of each. At most 1,024 of them: neighbours are joined in pairs.
//
// A stretch that ends while a load misses counts its cycles as memory, even if L2 supplies it later. So the
// history samples by itself, and the account of time (rank_account.h) is the same with and without it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "base/bounded_series.h"
#include "cosim/marks.h"
#include "cosim/rank_stretches.h"
#include "pipeline/observer.h"

namespace psim::cosim {

class RankHistory final : public MarkListener, public pipeline::CoreObserver {
 public:
  static constexpr std::size_t kMost = 1'024, kMostPlaces = 1'000;
  static constexpr std::uint64_t kInterval = 10'000;  ///< cycles

  /// `sample` returns the counts of the rank from its start to now.
  explicit RankHistory(std::function<RankCounts()> sample) : sample_(std::move(sample)) {}
  void on_mark(const isa::RegionMarker& mark, const pipeline::Totals& totals) override;
  void on_interval(const pipeline::Interval&) override { add(); }
  bool needs_timelines() const override { return false; }
  /// Call once, after the simulation.
  RankStretches finish();

 private:
  void add();

  const std::function<RankCounts()> sample_;
  MarkedPlace place_;
  std::map<std::pair<std::string, std::string>, std::uint32_t> places_;
  BoundedSeries<Stretch, join_stretches> series_{kMost};
  RankCounts added_;
};

}  // namespace psim::cosim
