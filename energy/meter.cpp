// SPDX-License-Identifier: Apache-2.0
#include "energy/meter.h"

namespace psim::energy {

namespace {
void join(Slice& into, const Slice& next) {
  into.end_cycle = next.end_cycle;
  into.energy += next.energy;
}
}  // namespace

void Meter::take(const pipeline::Activity& now) {
  pipeline::Activity difference = now;
  difference -= last_;
  const Slice slice{last_.cycles, now.cycles, model_.energy_of(difference)};
  last_ = now;
  if (!slices_.empty() && in_last_ < joined_) {
    join(slices_.back(), slice);
    ++in_last_;
    return;
  }
  if (slices_.size() == most_) {
    for (std::size_t i = 0; i < most_ / 2; ++i) {
      slices_[i] = slices_[2 * i];
      join(slices_[i], slices_[2 * i + 1]);
    }
    slices_.resize(most_ / 2);
    joined_ *= 2;
  }
  slices_.push_back(slice);
  in_last_ = 1;
}

const pipeline::Activity& Meter::finish() {
  const pipeline::Activity end = sample_();
  if (!slices_.empty()) in_last_ = 0;  // joins the last slice
  take(end);
  return last_;
}

}  // namespace psim::energy
