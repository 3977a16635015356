// SPDX-License-Identifier: Apache-2.0
// Events for routers of another host process, until the end of the window.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "netsim/engine/event.h"

namespace psim::net {

struct Outbox {
  std::vector<ShortEvent> shorts;
  std::vector<PacketEvent> packets;

  /// A new event, to be filled in before the next.
  template <class Kind>
  Kind& grow() {
    if constexpr (sizeof(Kind) == sizeof(PacketEvent))
      return packets.emplace_back();
    else
      return shorts.emplace_back();
  }
  /// Time of the first, ps; ~0 if there is none.
  std::uint64_t earliest() const {
    std::uint64_t time = ~std::uint64_t{0};
    for (const ShortEvent& event : shorts) time = std::min(time, event.time);
    for (const PacketEvent& event : packets) time = std::min(time, event.time);
    return time;
  }
  void clear() {
    shorts.clear();
    packets.clear();
  }
};

}  // namespace psim::net
