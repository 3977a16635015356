// SPDX-License-Identifier: Apache-2.0
// Objects named by small integers. Memory comes in chunks that never move; the last freed index is used
// first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace psim::net::mpi {

#ifdef __sparc__
// A node's core executes the initialisation of a chunk, and most programs need a few objects of one rank.
inline constexpr unsigned kMostChunkBits = 5;
#else
inline constexpr unsigned kMostChunkBits = 16;
#endif

/// A pool of T; index 0 is never used. A T taken from it has its initial value.
template <class T, unsigned kWantedChunkBits = 10>
class Pool {
  static constexpr unsigned kChunkBits = std::min(kWantedChunkBits, kMostChunkBits);

 public:
  std::uint32_t take() {
    std::uint32_t index;
    if (!free_.empty()) {
      index = free_.back();
      free_.pop_back();
    } else {
      index = ++used_;
      if ((index >> kChunkBits) >= chunks_.size()) chunks_.push_back(std::make_unique<T[]>(kChunk));
    }
    return index;
  }
  void give(std::uint32_t index) {
    (*this)[index] = T{};
    free_.push_back(index);
  }
  T& operator[](std::uint32_t index) { return chunks_[index >> kChunkBits][index & (kChunk - 1)]; }
  const T& operator[](std::uint32_t index) const {
    return chunks_[index >> kChunkBits][index & (kChunk - 1)];
  }
  /// Returns true if `index` was ever given out. User handles are checked with it.
  bool holds(std::uint32_t index) const { return index != 0 && index <= used_; }
  /// Returns the highest index ever given out.
  std::uint32_t highest() const { return used_; }
  std::uint32_t in_use() const { return used_ - static_cast<std::uint32_t>(free_.size()); }

 private:
  static constexpr std::uint32_t kChunk = 1u << kChunkBits;
  std::vector<std::unique_ptr<T[]>> chunks_;
  std::vector<std::uint32_t> free_;
  std::uint32_t used_ = 0;
};

}  // namespace psim::net::mpi
