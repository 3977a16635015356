// SPDX-License-Identifier: Apache-2.0
// A receiver of every grant of an output to a packet, in each output's order. Two runs of the same programs
// can differ only in this order and in the times of grants.
#pragma once

#include <cstdint>

namespace psim::net {

struct Grant {
  std::uint64_t time = 0;     ///< ps
  std::uint32_t channel = 0;  ///< of the graph
  std::uint32_t source = 0;   ///< node
  std::uint32_t message = 0;  ///< the node's number of it
  std::uint32_t bytes = 0;    ///< of the packet
};
static_assert(sizeof(Grant) == 24);

class GrantLog {
 public:
  virtual ~GrantLog() = default;
  virtual void granted(const Grant& grant) = 0;
};

}  // namespace psim::net
