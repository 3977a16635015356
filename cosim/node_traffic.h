// SPDX-License-Identifier: Apache-2.0
// The bytes that the ranks of a node move: between chip and memory, and in messages to and from other nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/dma_port.h"
#include "cosim/nic.h"
#include "cosim/timed_count.h"
#include "pipeline/memory/memory_system.h"

namespace psim::cosim {

class NodeTraffic final : private DmaPort::Listener {
 public:
  struct Bytes {
    std::uint64_t memory = 0;  ///< of the whole node, DMA included
    std::uint64_t sent = 0, received = 0;
  };
  /// Construct it before the simulation; all arguments outlive it.
  NodeTraffic(const pipeline::MemorySystem& memory, DmaPort& dma, Nic& interface, std::uint32_t ranks);

  /// Returns the bytes of rank `local` before `time`, ps, which never decreases for a rank.
  Bytes before(std::uint32_t local, std::uint64_t time);

 private:
  struct OfRank {
    TimedCount dma, sent, received;
  };
  void on_dma_begin() override;
  void on_dma_end() override;
  void on_dma_bytes(std::uint64_t) override {}
  void forget(OfRank& rank, std::uint64_t now);

  const pipeline::MemorySystem& memory_;
  std::vector<OfRank> ranks_;
  std::uint64_t at_begin_ = 0;  ///< bytes of memory, of an access by DMA
};

}  // namespace psim::cosim
