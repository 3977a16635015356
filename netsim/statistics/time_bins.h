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

  explicit TimeBins(std::uint32_t series) : series_(series), bins_(std::size_t{series} * kMost) {}

  /// Spreads `length` ps from `start` over the bins of a series: each gets the part that falls into it. The
  /// cost does not depend on the number of bins.
  void add(std::uint32_t series, std::uint64_t start, std::uint64_t length) {
    const std::uint64_t end = start + length;
    while (end >> shift_ >= kMost) fold();
    Bin* bins = &bins_[std::size_t{series} * kMost];
    const std::uint64_t first = start >> shift_, last = end >> shift_;
    if (first == last) [[likely]] {
      bins[first].part += length;
      return;
    }
    bins[first].part += ((first + 1) << shift_) - start;
    ++bins[first + 1].covers;
    --bins[last].covers;
    bins[last].part += end - (last << shift_);
  }

  /// Adds the sums of another host process, whose bins are 1 << `shift` wide.
  void add(std::uint32_t shift, const std::vector<std::uint64_t>& sums) {
    while (shift_ < shift) fold();
    for (std::uint32_t series = 0; series < series_; ++series)
      for (std::uint32_t bin = 0; bin < kMost; ++bin)
        bins_[std::size_t{series} * kMost + (bin >> (shift_ - shift))].part +=
            sums[std::size_t{series} * kMost + bin];
  }

  /// Merges bins until the last one reaches to `end`, ps.
  void reach(std::uint64_t end) {
    while (end > std::uint64_t{kMost} << shift_) fold();
  }

  std::uint32_t shift() const { return shift_; }
  /// Returns the ps in each bin, series by series.
  std::vector<std::uint64_t> sums() const {
    std::vector<std::uint64_t> all;
    all.reserve(bins_.size());
    for (std::uint32_t series = 0; series < series_; ++series) {
      std::uint64_t covering = 0;
      for (std::uint32_t bin = 0; bin < kMost; ++bin) all.push_back(sum(series, bin, covering));
    }
    return all;
  }
  std::uint32_t series() const { return series_; }
  std::uint64_t width() const { return std::uint64_t{1} << shift_; }  ///< ps
  /// Returns the ps of a series in a bin.
  std::uint64_t at(std::uint32_t series, std::uint32_t bin) const {
    std::uint64_t covering = 0, last = 0;
    for (std::uint32_t i = 0; i <= bin; ++i) last = sum(series, i, covering);
    return last;
  }

 private:
  struct Bin {
    std::uint64_t part = 0;    ///< ps of intervals that begin or end in the bin
    std::uint64_t covers = 0;  ///< number of intervals that cover it whole, less that of the bin before
  };

  /// Returns the ps in a bin; `covering` is the number of intervals that cover the bin before, then this bin.
  std::uint64_t sum(std::uint32_t series, std::uint32_t bin, std::uint64_t& covering) const {
    const Bin& one = bins_[std::size_t{series} * kMost + bin];
    covering += one.covers;
    return one.part + (covering << shift_);
  }

  [[gnu::cold, gnu::noinline]] void fold() {
    for (std::uint32_t series = 0; series < series_; ++series) {
      Bin* bins = &bins_[std::size_t{series} * kMost];
      std::uint64_t covering = 0;
      for (std::uint32_t i = 0; i < kMost / 2; ++i) {
        const std::uint64_t even = sum(series, 2 * i, covering), odd = sum(series, 2 * i + 1, covering);
        bins[i] = {even + odd, 0};
      }
      std::fill(bins + kMost / 2, bins + kMost, Bin{});
    }
    ++shift_;
  }

  std::uint32_t series_;
  std::uint32_t shift_ = 16;  // 65.5 ns at first
  std::vector<Bin> bins_;
};

}  // namespace psim::net
