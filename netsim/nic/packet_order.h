// SPDX-License-Identifier: Apache-2.0
// The packets of messages that have overtaken others, of PacketPlacement::Ordered: interfaces hold them until
// all before them have arrived. Their memory has no limit; InterfaceCounts::most_held is the size used.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "netsim/nic/interface_counts.h"

namespace psim::net {

class PacketOrder {
 public:
  explicit PacketOrder(std::uint32_t nodes) : held_(nodes) {}

  /// Takes packet number `packet`, of up to `bytes` of data, of message `number` to `node`. Returns false if
  /// it must wait for others; else next() follows.
  bool take(std::uint32_t node, std::uint32_t number, std::uint32_t packet, std::uint64_t bytes,
            std::uint64_t now, InterfaceCounts& counts) {
    const auto found = messages_.find(number);
    const std::uint32_t due = found == messages_.end() ? 0 : found->second.due;
    if (packet == due) return true;
    messages_[number].early[packet] = now;
    ++counts.overtaking;
    held_[node] += bytes;
    counts.most_held = std::max(counts.most_held, held_[node]);
    return false;
  }
  /// Returns whether the packet after the one placed last has been held, and is due.
  bool next(std::uint32_t node, std::uint32_t number, std::uint64_t bytes, std::uint64_t now,
            InterfaceCounts& counts) {
    Message& message = messages_[number];
    ++message.due;
    const auto first = message.early.begin();
    if (first == message.early.end() || first->first != message.due) return false;
    counts.overtaking_ps += now - first->second;
    held_[node] -= bytes;
    message.early.erase(first);
    return true;
  }
  /// Forgets a message whose packets have all been placed.
  void finish(std::uint32_t number) { messages_.erase(number); }

 private:
  struct Message {
    std::uint32_t due = 0;                         ///< number of the packet that is placed next
    std::map<std::uint32_t, std::uint64_t> early;  ///< packets held, and when they arrived, ps
  };
  std::unordered_map<std::uint32_t, Message> messages_;  ///< under way; never iterated
  std::vector<std::uint64_t> held_;                      ///< bytes, by node
};

}  // namespace psim::net
