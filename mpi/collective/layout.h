// SPDX-License-Identifier: Apache-2.0
// Shares of a vector by rank: equal shares, or the user's counts and displacements, copied because the call
// may return before they are used.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/numbers.h"

namespace psim::net::mpi {

struct Shares {
  std::uint64_t equal = 0;
  std::vector<std::uint64_t> ends;  ///< empty: equal shares; else the sums of the counts
  Shares() = default;
  explicit Shares(std::uint64_t each) : equal(each) {}
  Shares(Numbers counts, int size) {
    std::uint64_t sum = 0;
    for (int i = 0; i < size; ++i) ends.push_back(sum += static_cast<std::uint64_t>(counts[i]));
  }
  std::uint64_t first(int i) const {
    return ends.empty() ? static_cast<std::uint64_t>(i) * equal
           : i == 0     ? 0
                        : ends[static_cast<std::size_t>(i) - 1];
  }
  std::uint64_t count(int i) const { return first(i + 1) - first(i); }
  std::uint64_t total(int size) const { return first(size); }
};

}  // namespace psim::net::mpi
