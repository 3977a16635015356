// SPDX-License-Identifier: Apache-2.0
// A receiver of the hops of packets: when each packet was at each router of this host process.
#pragma once

#include <cstdint>

namespace psim::net {

/// A packet at one router. Times are ps.
struct Hop {
  std::uint32_t source = 0;   ///< node
  std::uint32_t message = 0;  ///< the node's number of it
  std::uint64_t born = 0;  ///< its head entered the channel of its node: distinguishes packets of a message
  std::uint32_t router = 0;
  std::uint32_t port = 0;       ///< output
  std::uint64_t arrival = 0;    ///< its head could request the output
  std::uint64_t departure = 0;  ///< its head was granted the output
  std::uint64_t length = 0;     ///< for which it keeps the output busy
};

class HopLog {
 public:
  virtual ~HopLog() = default;
  virtual void hop(const Hop& hop) = 0;
};

}  // namespace psim::net
