// SPDX-License-Identifier: Apache-2.0
// Which host process has which places: contiguous ranges, in the order of the processes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace psim::net {

class Partition {
 public:
  /// All of `places` in one process.
  explicit Partition(std::uint32_t places) : firsts_{0, places} {}

  /// Ranges of about the same sum of `weights`, one weight a place, at least one place each. `processes` is 1
  /// … number of weights.
  static Partition balanced(const std::vector<std::uint32_t>& weights, std::uint32_t processes);

  std::uint32_t processes() const { return static_cast<std::uint32_t>(firsts_.size()) - 1; }
  std::uint32_t first(std::uint32_t process) const { return firsts_[process]; }
  std::uint32_t end(std::uint32_t process) const { return firsts_[process + 1]; }
  /// The process that has `place`.
  std::uint32_t owner(std::uint32_t place) const {
    return static_cast<std::uint32_t>(std::upper_bound(firsts_.begin(), firsts_.end(), place) -
                                      firsts_.begin()) -
           1;
  }

 private:
  Partition() = default;

  std::vector<std::uint32_t> firsts_;  ///< by process, and the number of places
};

inline Partition Partition::balanced(const std::vector<std::uint32_t>& weights, std::uint32_t processes) {
  std::uint64_t all = 0, sum = 0;
  for (const std::uint32_t weight : weights) all += weight;
  Partition result;
  result.firsts_.push_back(0);
  const auto places = static_cast<std::uint32_t>(weights.size());
  for (std::uint32_t place = 0; result.processes() + 1 < processes; ++place) {
    sum += weights[place];
    const std::uint32_t made = result.processes() + 1, left = processes - made;
    // Cut after this place if the share is reached, or if the others would get none.
    if (sum * processes >= all * made || places - (place + 1) == left) result.firsts_.push_back(place + 1);
  }
  result.firsts_.push_back(places);
  return result;
}

}  // namespace psim::net
