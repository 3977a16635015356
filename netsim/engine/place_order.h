// SPDX-License-Identifier: Apache-2.0
// The events of a window by place: a counting sort where there are many, an ordinary one where there are few.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/engine/event_wheel.h"

namespace psim::net {

class PlaceOrder {
 public:
  struct Item {
    std::uint32_t place;
    const Event* event;
  };

  PlaceOrder(std::uint32_t first_place, std::uint32_t places) : first_(first_place), counts_(places + 1) {}

  /// Items beyond the last, of no place and a Timer, for who looks ahead.
  static constexpr std::size_t kBeyond = 16;

  /// The bucket's events, those of a place together, places ascending, and kBeyond more. Valid until the next
  /// call.
  const std::vector<Item>& sort(Bucket& bucket);

 private:
  std::uint32_t first_;
  std::vector<std::uint32_t> counts_;
  std::vector<Item> items_, sorted_;
};

}  // namespace psim::net
