// SPDX-License-Identifier: Apache-2.0
#include "ranks/timeline/pair_times.h"

#include <algorithm>
#include <tuple>

namespace psim::net {

void PairTimes::add(const Pair& some) {
  sum_.add(some);
  const std::uint64_t ends = std::uint64_t{some.from} << 32 | some.to;
  const auto found = pairs_.find(ends);
  if (found == pairs_.end() && pairs_.size() == kMostPairs) {
    unlisted_ += some.messages;
    return;
  }
  Pair& pair = found == pairs_.end() ? pairs_[ends] : found->second;
  pair.from = some.from, pair.to = some.to;
  pair.add(some);
}

std::vector<PairTimes::Pair> PairTimes::longest(std::size_t most) const {
  std::vector<Pair> all;
  for (const auto& [key, pair] : pairs_) all.push_back(pair);
  std::ranges::sort(all, [](const Pair& a, const Pair& b) {
    return std::tuple(b.waited, b.time, a.from, a.to) < std::tuple(a.waited, a.time, b.from, b.to);
  });
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace psim::net
