// SPDX-License-Identifier: Apache-2.0
// Counts of an Activity, stored without its zeros: those of a short region take some hundred bytes, an
// Activity over 20 KB. Each nonzero count is stored as two numbers with 7 bits per byte: its distance from
// the nonzero count before it, and its value.
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
