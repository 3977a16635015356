// SPDX-License-Identifier: Apache-2.0
#include "energy/meter.h"

namespace psim::energy {

void join(Slice& into, const Slice& next) {
  into.end_cycle = next.end_cycle;
  into.energy += next.energy;
}

Slice Meter::next(const pipeline::Activity& now) {
  pipeline::Activity difference = now;
  difference -= last_;
  const Slice slice{last_.cycles, now.cycles, model_.energy_of(difference)};
  last_ = now;
  return slice;
}

const pipeline::Activity& Meter::finish() {
  slices_.add_to_last(next(sample_()));
  return last_;
}

}  // namespace psim::energy
