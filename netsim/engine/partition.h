// SPDX-License-Identifier: Apache-2.0
// The distribution of routers over host processes: contiguous ranges, in the order of the processes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace psim::net {

class Partition {
 public:
  /// Puts all `routers` into one process.
  explicit Partition(std::uint32_t routers) : firsts_{0, routers} {}

  /// Returns ranges with about equal sums of `weights` (one per router), at least one router each.
  /// `processes` is 1 … number of weights. If `merits` is not empty, merits[r] is that of a cut before router
  /// r: each cut moves by up to an eighth of a process's routers to the nearest router of the highest merit.
  static Partition balanced(const std::vector<std::uint32_t>& weights, std::uint32_t processes,
                            std::span<const std::uint64_t> merits = {});

  std::uint32_t processes() const { return static_cast<std::uint32_t>(firsts_.size()) - 1; }
  std::uint32_t first(std::uint32_t process) const { return firsts_[process]; }
  std::uint32_t end(std::uint32_t process) const { return firsts_[process + 1]; }
  /// Returns the process that has `router`.
  std::uint32_t owner(std::uint32_t router) const {
    return static_cast<std::uint32_t>(std::upper_bound(firsts_.begin(), firsts_.end(), router) -
                                      firsts_.begin()) -
           1;
  }

 private:
  Partition() = default;

  std::vector<std::uint32_t> firsts_;  ///< by process, and the number of routers
};

inline Partition Partition::balanced(const std::vector<std::uint32_t>& weights, std::uint32_t processes,
                                     std::span<const std::uint64_t> merits) {
  std::uint64_t all = 0, sum = 0;
  for (const std::uint32_t weight : weights) all += weight;
  Partition result;
  result.firsts_.push_back(0);
  const auto routers = static_cast<std::uint32_t>(weights.size());
  for (std::uint32_t router = 0; result.processes() + 1 < processes; ++router) {
    sum += weights[router];
    const std::uint32_t made = result.processes() + 1, left = processes - made;
    // Cut after this router if the share is reached, or if another process would get none.
    if (sum * processes >= all * made || routers - (router + 1) == left) result.firsts_.push_back(router + 1);
  }
  result.firsts_.push_back(routers);
  const std::uint32_t most = merits.empty() ? 0 : routers / processes / 8;
  for (std::uint32_t process = 1; process < processes; ++process) {
    std::uint32_t& first = result.firsts_[process];
    std::uint32_t best = first;
    for (std::uint32_t moved = 1; moved <= most; ++moved)
      for (const std::uint32_t router : {first - moved, first + moved})
        if (router > result.first(process - 1) && router < result.end(process) &&
            merits[router] > merits[best])
          best = router;
    first = best;
  }
  return result;
}

}  // namespace psim::net
