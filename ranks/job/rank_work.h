// SPDX-License-Identifier: Apache-2.0
// The work of a rank, for rooflines (docs/roofline.md). The program states its operations and memory traffic
// (PSIM_WORK, workloads/include/psim.h); the run counts the bytes of its messages.
#pragma once

#include <cstdint>

namespace psim::net {

struct RankWork {
  std::uint64_t statements = 0;    ///< executions of PSIM_WORK
  std::uint64_t flops = 0;         ///< floating-point operations
  std::uint64_t memory_bytes = 0;  ///< read from memory or written to it
  /// Bytes of messages to and from other nodes, without packet headers. A message counts as sent when it is
  /// handed to the network interface and as received when all of it is in memory.
  std::uint64_t sent_bytes = 0, received_bytes = 0;

  void add(const RankWork& other) {
    statements += other.statements, flops += other.flops, memory_bytes += other.memory_bytes;
    sent_bytes += other.sent_bytes, received_bytes += other.received_bytes;
  }
  RankWork since(const RankWork& before) const {
    return {statements - before.statements, flops - before.flops, memory_bytes - before.memory_bytes,
            sent_bytes - before.sent_bytes, received_bytes - before.received_bytes};
  }
  auto operator<=>(const RankWork&) const = default;
};

}  // namespace psim::net
