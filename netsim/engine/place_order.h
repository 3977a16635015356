// SPDX-License-Identifier: Apache-2.0
// The events of a window by place: a counting sort where there are many, an ordinary one where there are few.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/engine/event.h"

namespace psim::net {

class PlaceOrder {
 public:
  struct Item {
    std::uint32_t place;
    std::uint32_t hint;  ///< as given
    const Event* event;
  };

  PlaceOrder(std::uint32_t first_place, std::uint32_t places) : first_(first_place), counts_(places + 1) {}

  /// Items beyond the last, of the place after the last and a Timer, for who looks ahead; their hint is 0.
  static constexpr std::size_t kBeyond = 16;

  void clear() { items_.clear(); }
  void add(const Event& event, std::uint32_t hint) { items_.push_back({event.place, hint, &event}); }
  /// The events added since clear(), those of a place together, places ascending, and kBeyond more. Valid
  /// until the next call.
  const std::vector<Item>& sort();

 private:
  std::uint32_t first_;
  std::vector<std::uint32_t> counts_;
  std::vector<Item> items_, sorted_;
};

}  // namespace psim::net
