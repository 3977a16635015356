// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace psim::net {

/// An output of a router and the virtual channel to take there.
struct Route {
  std::uint16_t port = 0;
  std::uint8_t vc = 0;
  bool enters = false;  ///< bubble() schemes: the packet enters the ring of that channel
  bool operator==(const Route&) const = default;
};

}  // namespace psim::net
