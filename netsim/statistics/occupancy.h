// SPDX-License-Identifier: Apache-2.0
// Occupancy of buffers over time: at up to 256 instants, the number of virtual channels in each of ten
// classes of occupancy (paper 003, figure 11).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace psim::net {

/// Virtual channels of all links by the share of their buffer that is in use or reserved: class c is
/// c/10 … (c + 1)/10; a full buffer is in class 9.
using OccupancyClasses = std::array<std::uint64_t, 10>;

class OccupancySeries {
 public:
  struct Sample {
    std::uint64_t time;  ///< ps
    OccupancyClasses classes;
  };
  static constexpr std::size_t kMost = 256;

  /// Returns whether a sample is due at `time`; times ascend.
  bool due(std::uint64_t time) const { return time >= next_; }
  /// Adds the samples that are due up to `time`; `classes` has not changed since the last of them. Instants
  /// depend only on the length of the run.
  void add_until(std::uint64_t time, const OccupancyClasses& classes) {
    while (due(time)) {
      samples_.push_back({next_, classes});
      if (samples_.size() == kMost) thin();
      next_ = (next_ / interval_ + 1) * interval_;
    }
  }
  /// Adds the samples of another host process at the same instants.
  void add(const std::vector<Sample>& others) {
    for (std::size_t i = 0; i < samples_.size() && i < others.size(); ++i)
      for (std::size_t c = 0; c < others[i].classes.size(); ++c)
        samples_[i].classes[c] += others[i].classes[c];
  }
  const std::vector<Sample>& samples() const { return samples_; }

 private:
  void thin() {
    for (std::size_t i = 0; i < kMost / 2; ++i) samples_[i] = samples_[2 * i];
    samples_.resize(kMost / 2);
    interval_ *= 2;
  }

  std::uint64_t interval_ = 65'536;
  std::uint64_t next_ = 0;
  std::vector<Sample> samples_;
};

}  // namespace psim::net
