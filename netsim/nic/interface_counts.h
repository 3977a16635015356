// SPDX-License-Identifier: Apache-2.0
// Counts of the options of interfaces and links, of the nodes and links of a host process.
#pragma once

#include <algorithm>
#include <cstdint>

namespace psim::net {

struct InterfaceCounts {
  std::uint64_t send_waits = 0;       ///< messages that waited for nic.send_interval
  std::uint64_t send_wait_ps = 0;     ///< of these, from when nothing else held them back
  std::uint64_t receive_waits = 0;    ///< messages whose completion waited for nic.receive_interval
  std::uint64_t receive_wait_ps = 0;  ///< of these
  std::uint64_t striped = 0;          ///< messages spread over several ports
  std::uint64_t node_retries = 0;     ///< packets sent again from a node to its router
  std::uint64_t node_retry_ps = 0;    ///< delay of these

  std::uint64_t marked = 0;         ///< packets that arrived with a mark of congestion
  std::uint64_t notices = 0;        ///< sent because of them
  std::uint64_t overtaking = 0;     ///< packets held until those before them had arrived
  std::uint64_t overtaking_ps = 0;  ///< time for which they were held
  std::uint64_t most_held = 0;      ///< bytes of these, at most of one node at once

  static constexpr std::uint64_t InterfaceCounts::*kAll[] = {
      &InterfaceCounts::send_waits,      &InterfaceCounts::send_wait_ps, &InterfaceCounts::receive_waits,
      &InterfaceCounts::receive_wait_ps, &InterfaceCounts::striped,      &InterfaceCounts::node_retries,
      &InterfaceCounts::node_retry_ps,   &InterfaceCounts::marked,       &InterfaceCounts::notices,
      &InterfaceCounts::overtaking,      &InterfaceCounts::overtaking_ps};
  void add(const InterfaceCounts& other) {
    for (std::uint64_t InterfaceCounts::*count : kAll) this->*count += other.*count;
    most_held = std::max(most_held, other.most_held);
  }
};

}  // namespace psim::net
