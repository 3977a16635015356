// SPDX-License-Identifier: Apache-2.0
// The messages of each pair of ranks: their times in the network, and the parts in which they waited for
// others.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace psim::net {

class PairTimes {
 public:
  struct Pair {
    std::uint32_t from = 0, to = 0;  ///< ranks
    std::uint64_t messages = 0, bytes = 0;
    std::uint64_t time = 0;    ///< ps from send to delivery, summed over messages
    std::uint64_t waited = 0;  ///< of `time`: beyond that of the empty network

    void add(const Pair& other) {
      messages += other.messages, bytes += other.bytes;
      time += other.time, waited += other.waited;
    }
  };

  /// Pairs beyond these are only in sum(). 16 M entries of a table would need more memory than the ranks.
  static constexpr std::size_t kMostPairs = 1 << 18;

  /// Adds one message or more.
  void add(const Pair& some);
  /// Returns the pairs with the longest waits, then with the longest times; at most `most`.
  std::vector<Pair> longest(std::size_t most) const;
  /// Returns the sums over all pairs.
  Pair sum() const { return sum_; }
  std::size_t pairs() const { return pairs_.size(); }
  /// Returns the messages of pairs beyond kMostPairs.
  std::uint64_t unlisted() const { return unlisted_; }

 private:
  std::unordered_map<std::uint64_t, Pair> pairs_;
  Pair sum_;
  std::uint64_t unlisted_ = 0;
};

}  // namespace psim::net
