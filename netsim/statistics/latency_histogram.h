// SPDX-License-Identifier: Apache-2.0
// A histogram of latencies with eight classes per octave, so quantiles are exact within 9 %.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace psim::net {

class LatencyHistogram {
 public:
  static constexpr std::uint32_t kClasses = 62 * 8;

  void add(std::uint64_t ps) { ++counts_[class_of(ps)]; }
  void add(const LatencyHistogram& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  }
  std::uint64_t count(std::uint32_t index) const { return counts_[index]; }
  /// Returns the least latency above the class, ps.
  static std::uint64_t end(std::uint32_t index) {
    if (index < 8) return index + 1;
    const std::uint32_t octave = index / 8 - 1;
    return (std::uint64_t{8} + index % 8 + 1) << octave;
  }
  /// Returns the end of the class that holds the quantile `share` (0 … 1); 0 if nothing was added.
  std::uint64_t quantile(double share) const {
    std::uint64_t sum = 0, all = 0;
    for (const std::uint64_t count : counts_) all += count;
    for (std::uint32_t i = 0; i < kClasses && all != 0; ++i) {
      sum += counts_[i];
      if (static_cast<double>(sum) >= share * static_cast<double>(all)) return end(i);
    }
    return 0;
  }

  static std::uint32_t class_of(std::uint64_t ps) {
    if (ps < 8) return static_cast<std::uint32_t>(ps);
    const auto octave = static_cast<std::uint32_t>(std::bit_width(ps)) - 4;
    return (octave + 1) * 8 + static_cast<std::uint32_t>(ps >> octave & 7);
  }

 private:
  std::array<std::uint64_t, kClasses + 16> counts_{};
};

}  // namespace psim::net
