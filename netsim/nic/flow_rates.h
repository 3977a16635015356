// SPDX-License-Identifier: Apache-2.0
// Rates of flows at the interfaces of a host process: congestion.control. A flow is all that a node sends to
// another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "netsim/config/network_config.h"

namespace psim::net {

/// The report of a destination to the source of a flow.
struct Notice {
  // Of back-pressure.
  std::uint32_t flows = 0;  ///< that reach the destination, at most 65,535
  std::uint64_t wait = 0;   ///< ps, of the packet in the network
};

/// A packet that a node receives.
struct Arrival {
  std::size_t port = 0;  ///< of the node, among all ports of all nodes
  std::uint64_t bytes = 0;
  bool marked = false;     ///< by a router
  std::uint64_t wait = 0;  ///< ps, in the network
};

class FlowRates {
 public:
  virtual ~FlowRates() = default;
  /// Returns the key of a flow.
  static std::uint64_t flow(std::uint32_t from, std::uint32_t to) { return std::uint64_t{from} << 32 | to; }

  /// Returns when the flow's next packet may leave, ps; 0: at once.
  virtual std::uint64_t next(std::uint64_t flow) const = 0;
  /// Notes a packet that leaves now.
  virtual void sent(std::uint64_t flow, std::uint64_t now, std::uint64_t bytes) = 0;
  /// Takes a notice, at the source.
  virtual void take(std::uint64_t flow, std::uint64_t now, const Notice& notice) = 0;
  /// Notes a packet that arrives, and returns the notice that it causes.
  virtual std::optional<Notice> arrived(std::uint64_t flow, std::uint64_t now, const Arrival& arrival) = 0;
};

}  // namespace psim::net
