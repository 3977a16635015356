// SPDX-License-Identifier: Apache-2.0
// Events for routers of another host process, held until the end of the window.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "netsim/engine/event.h"

namespace psim::net {

struct Outbox {
  std::vector<Event> shorts;
  std::vector<PacketEvent> packets;

  /// Returns the time of the earliest event, ps; ~0 if there is none.
  std::uint64_t earliest() const {
    std::uint64_t time = ~std::uint64_t{0};
    for (const Event& event : shorts) time = std::min(time, event.time);
    for (const PacketEvent& event : packets) time = std::min(time, event.time);
    return time;
  }
  void clear() {
    shorts.clear();
    packets.clear();
  }
};

}  // namespace psim::net
