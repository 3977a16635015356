// SPDX-License-Identifier: Apache-2.0
// Restores the order of messages from one node to another where their packets take different routes: early
// messages wait here. Needed only by networks whose routing is not in order.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>

namespace psim::net {

class DeliveryOrder {
 public:
  /// Returns the number of the next message from `source` to `destination`: 0, 1, …
  std::uint32_t next(std::uint32_t source, std::uint32_t destination) {
    return sent_[pair(source, destination)]++;
  }

  /// Takes the complete message `number` with this `order`. Calls deliver(number) for each message that is
  /// now due, in order.
  template <class Deliver>
  void whole(std::uint32_t source, std::uint32_t destination, std::uint32_t order, std::uint32_t number,
             Deliver deliver) {
    const std::uint64_t key = pair(source, destination);
    std::uint32_t& due = due_[key];
    if (order != due) {
      early_[{key, order}] = number;
      return;
    }
    for (;;) {
      ++due;
      deliver(number);
      const auto found = early_.find({key, due});
      if (found == early_.end()) return;
      number = found->second;
      early_.erase(found);
    }
  }

 private:
  static std::uint64_t pair(std::uint32_t source, std::uint32_t destination) {
    return std::uint64_t{source} << 32 | destination;
  }
  struct Hash {
    std::size_t operator()(const std::pair<std::uint64_t, std::uint32_t>& key) const {
      return std::hash<std::uint64_t>()(key.first * 0x9e3779b97f4a7c15u ^ key.second);
    }
  };

  std::unordered_map<std::uint64_t, std::uint32_t> sent_, due_;
  std::unordered_map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t, Hash> early_;
};

}  // namespace psim::net
