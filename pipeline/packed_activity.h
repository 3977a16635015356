// SPDX-License-Identifier: Apache-2.0
// Counts of an Activity, stored without its zeros: those of a short region take some hundred bytes, an
// Activity more than 20 KB. Each count that is not zero is held as two numbers of 7 bits a byte: its distance
// from the one before it, and its value.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/activity.h"

namespace psim::pipeline {

class PackedActivity {
 public:
  PackedActivity() = default;
  explicit PackedActivity(const Activity& activity) { pack(activity); }

  PackedActivity& operator+=(const Activity& other);
  Activity unpack() const;
  std::size_t bytes() const { return bytes_.size(); }

 private:
  void pack(const Activity& activity);

  std::vector<std::uint8_t> bytes_;
};

}  // namespace psim::pipeline
