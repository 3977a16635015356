// SPDX-License-Identifier: Apache-2.0
// A set of numbers, most of which are inserted again and again: lines of code and addresses of branches.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_set>

namespace psim::pipeline {

class SeenNumbers {
 public:
  SeenNumbers() { recent_.fill(~std::uint64_t{0}); }
  /// Inserts a number, at most 2^64 - 2. Returns true if it was not there.
  bool insert(std::uint64_t number) {
    std::uint64_t& recent = recent_[(number ^ number >> 2) % recent_.size()];
    if (recent == number) return false;
    recent = number;
    return numbers_.insert(number).second;
  }
  bool contains(std::uint64_t number) const { return numbers_.contains(number); }

 private:
  std::unordered_set<std::uint64_t> numbers_;
  std::array<std::uint64_t, 256> recent_;  // by the number
};

}  // namespace psim::pipeline
