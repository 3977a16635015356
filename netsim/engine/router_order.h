// SPDX-License-Identifier: Apache-2.0
// Sorts the events of a window by router: a counting sort for many events, std::sort for few.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/engine/event.h"

namespace psim::net {

class RouterOrder {
 public:
  struct Item {
    std::uint32_t router;
    std::uint32_t hint;  ///< as passed to add()
    const Event* event;
  };

  RouterOrder(std::uint32_t first_router, std::uint32_t routers)
      : first_(first_router), counts_(routers + 1) {}

  /// Number of sentinel items after the last, for prefetching ahead: Timers of the router after the last,
  /// with hint 0.
  static constexpr std::size_t kBeyond = 16;

  void clear() { items_.clear(); }
  void add(const Event& event, std::uint32_t hint) { items_.push_back({event.router, hint, &event}); }
  /// Returns the events added since clear() by ascending router, and kBeyond sentinels. Valid until the next
  /// call.
  const std::vector<Item>& sort();

 private:
  std::uint32_t first_;
  std::vector<std::uint32_t> counts_;
  std::vector<Item> items_, sorted_;
};

}  // namespace psim::net
