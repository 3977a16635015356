// SPDX-License-Identifier: Apache-2.0
// Energy over time: samples the activity at every interval and converts the difference into energy.
#pragma once

#include <functional>
#include <vector>

#include "base/bounded_series.h"
#include "energy/model.h"
#include "pipeline/observer.h"

namespace psim::energy {

/// The energy of the cycles [begin_cycle, end_cycle).
struct Slice {
  std::uint64_t begin_cycle, end_cycle;
  Breakdown energy;
};
void join(Slice& into, const Slice& next);

class Meter final : public pipeline::CoreObserver {
 public:
  /// `sample` returns the activity so far. Neighbouring slices are joined when there are over `most` (even).
  Meter(const Model& model, std::function<pipeline::Activity()> sample, std::size_t most = 256)
      : model_(model), sample_(std::move(sample)), slices_(most) {}

  bool needs_timelines() const override { return false; }
  void on_interval(const pipeline::Interval&) override { slices_.add(next(sample_())); }
  /// Ends the run: activity after the last interval joins the last slice. Returns the whole activity.
  const pipeline::Activity& finish();

  /// Returns the slices in order of time, without gaps from cycle 0; they sum exactly to the energy of the
  /// whole activity.
  const std::vector<Slice>& slices() const { return slices_.pieces(); }

 private:
  /// Returns the slice from the last sample to `now`.
  Slice next(const pipeline::Activity& now);

  const Model& model_;
  const std::function<pipeline::Activity()> sample_;
  pipeline::Activity last_;
  BoundedSeries<Slice, join> slices_;
};

}  // namespace psim::energy
