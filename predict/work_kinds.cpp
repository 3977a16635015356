// SPDX-License-Identifier: Apache-2.0
#include "predict/work_kinds.h"

#include <cmath>
#include <limits>

namespace psim::predict {

std::size_t WorkKinds::kind_of(const Counts& part) {
  std::size_t nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
    double distance = 0;
    for (std::size_t i = 0; i < kCounts; ++i) distance += kCycles[i] * std::abs(part[i] - kinds_[kind][i]);
    if (distance < least) least = distance, nearest = kind;
  }
  if (least <= kFar || kinds_.size() == kMost) return nearest;
  kinds_.push_back(part);
  return kinds_.size() - 1;
}

}  // namespace psim::predict
