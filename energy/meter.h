// SPDX-License-Identifier: Apache-2.0
// Energy over time: samples the activity at every interval and turns the difference into energy.
#pragma once

#include <functional>
#include <vector>

#include "energy/model.h"
#include "pipeline/observer.h"

namespace psim::energy {

/// The energy of the cycles [begin_cycle, end_cycle).
struct Slice {
  std::uint64_t begin_cycle, end_cycle;
  Breakdown energy;
};

class Meter final : public pipeline::CoreObserver {
 public:
  /// `sample` gives the activity up to now. Neighbouring slices are joined when there are over `most` (even).
  Meter(const Model& model, std::function<pipeline::Activity()> sample, std::size_t most = 256)
      : model_(model), sample_(std::move(sample)), most_(most) {}

  bool wants_timelines() const override { return false; }
  void on_interval(const pipeline::Interval&) override { take(sample_()); }
  /// The run is over: what no interval held joins the last slice. Returns the whole activity.
  const pipeline::Activity& finish();

  /// In order of time, without gaps from cycle 0; they sum to the energy of the whole activity exactly.
  const std::vector<Slice>& slices() const { return slices_; }

 private:
  void take(const pipeline::Activity& now);

  const Model& model_;
  const std::function<pipeline::Activity()> sample_;
  const std::size_t most_;
  pipeline::Activity last_;
  std::vector<Slice> slices_;
  std::size_t joined_ = 1, in_last_ = 0;  // intervals in each slice but the last, and in that
};

}  // namespace psim::energy
