// SPDX-License-Identifier: Apache-2.0
// The time that a message takes without others, in two parts: until its head has arrived, and for its bytes.
// For the critical path.
#pragma once

#include <cstdint>

#include "netsim/analytic/analytic_network.h"

namespace psim::net {

class MessageTimes {
 public:
  /// `graph` and `routing` must outlive it.
  MessageTimes(const NetworkConfig& config, const Graph& graph, const Routing& routing);

  struct Parts {
    std::uint64_t latency = 0, bandwidth = 0;  ///< ps
  };
  /// Returns the parts of a message of `bytes` bytes. `departs`: only until it has left its sender.
  Parts parts(std::uint32_t from, std::uint32_t to, std::uint64_t bytes, bool departs);

 private:
  AnalyticNetwork empty_;
  bool packets_, loopback_;
  std::uint64_t payload_, header_, memory_latency_, dma_startup_;
  bool dma_limits_;
  Rate copy_, dma_, link_;
};

}  // namespace psim::net
