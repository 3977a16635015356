// SPDX-License-Identifier: Apache-2.0
// The events of a window by router: a counting sort where there are many, an ordinary one where there are
// few.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/engine/event.h"

namespace psim::net {

class RouterOrder {
 public:
  struct Item {
    std::uint32_t router;
    std::uint32_t hint;  ///< as given
    const Event* event;
  };

  RouterOrder(std::uint32_t first_router, std::uint32_t routers)
      : first_(first_router), counts_(routers + 1) {}

  /// Items beyond the last, of the router after the last and a Timer, for who looks ahead; their hint is 0.
  static constexpr std::size_t kBeyond = 16;

  void clear() { items_.clear(); }
  void add(const Event& event, std::uint32_t hint) { items_.push_back({event.router, hint, &event}); }
  /// The events added since clear(), those of a router together, routers ascending, and kBeyond more. Valid
  /// until the next call.
  const std::vector<Item>& sort();

 private:
  std::uint32_t first_;
  std::vector<std::uint32_t> counts_;
  std::vector<Item> items_, sorted_;
};

}  // namespace psim::net
