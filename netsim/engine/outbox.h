// SPDX-License-Identifier: Apache-2.0
// Events for routers of another host process, held until the end of the window.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "netsim/engine/event.h"

namespace psim::net {

struct Outbox {
  std::vector<ShortEvent> shorts;
  std::vector<PacketEvent> packets;

  /// Adds an event and returns it; the caller fills it in before the next call.
  template <class Kind>
  Kind& grow() {
    if constexpr (sizeof(Kind) == sizeof(PacketEvent))
      return packets.emplace_back();
    else
      return shorts.emplace_back();
  }
  /// Returns the time of the earliest event, ps; ~0 if there is none.
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
