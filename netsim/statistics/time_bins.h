// SPDX-License-Identifier: Apache-2.0
// Sums over time in at most 256 bins: when the run exceeds the last bin, pairs of bins are merged. Integers
// only, so that sums over host processes are exact.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace psim::net {

class TimeBins {
 public:
  static constexpr std::uint32_t kMost = 256;

  explicit TimeBins(std::uint32_t series) : series_(series), sums_(std::size_t{series} * kMost) {}

  /// Spreads `length` ps from `start` over the bins of a series: each gets the part that falls into it.
  void add(std::uint32_t series, std::uint64_t start, std::uint64_t length) {
    const std::uint64_t end = start + length;
    while (end >> shift_ >= kMost) fold();
    std::uint64_t* bins = &sums_[std::size_t{series} * kMost];
    if (start >> shift_ == end >> shift_) [[likely]] {
      bins[start >> shift_] += length;
      return;
    }
    while (start < end) {
      const std::uint64_t bin = start >> shift_, until = std::min(end, (bin + 1) << shift_);
      bins[bin] += until - start;
      start = until;
    }
  }

  /// Adds the sums of another host process, whose bins are 1 << `shift` wide.
  void add(std::uint32_t shift, const std::vector<std::uint64_t>& sums) {
    while (shift_ < shift) fold();
    for (std::uint32_t series = 0; series < series_; ++series)
      for (std::uint32_t bin = 0; bin < kMost; ++bin)
        sums_[std::size_t{series} * kMost + (bin >> (shift_ - shift))] +=
            sums[std::size_t{series} * kMost + bin];
  }

  std::uint32_t shift() const { return shift_; }
  const std::vector<std::uint64_t>& sums() const { return sums_; }
  std::uint32_t series() const { return series_; }
  std::uint64_t width() const { return std::uint64_t{1} << shift_; }  ///< ps
  /// Returns the ps of a series in a bin.
  std::uint64_t at(std::uint32_t series, std::uint32_t bin) const {
    return sums_[std::size_t{series} * kMost + bin];
  }

 private:
  [[gnu::cold, gnu::noinline]] void fold() {
    for (std::uint32_t series = 0; series < series_; ++series) {
      std::uint64_t* bins = &sums_[std::size_t{series} * kMost];
      for (std::uint32_t i = 0; i < kMost / 2; ++i) bins[i] = bins[2 * i] + bins[2 * i + 1];
      std::fill(bins + kMost / 2, bins + kMost, 0);
    }
    ++shift_;
  }

  std::uint32_t series_;
  std::uint32_t shift_ = 16;  // 65.5 ns at first
  std::vector<std::uint64_t> sums_;
};

}  // namespace psim::net
