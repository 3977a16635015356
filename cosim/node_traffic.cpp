// SPDX-License-Identifier: Apache-2.0
#include "cosim/node_traffic.h"

#include "cosim/present.h"

namespace psim::cosim {

NodeTraffic::NodeTraffic(const pipeline::MemorySystem& memory, DmaPort& dma, Nic& interface,
                         std::uint32_t ranks)
    : memory_(memory), ranks_(ranks) {
  dma.observe(*this);
  interface.count_data([this](std::uint32_t local, bool sent, std::uint64_t bytes) {
    OfRank& rank = ranks_[local];
    (sent ? rank.sent : rank.received).add(present_ps(), bytes);
    forget(rank, present_ps());
  });
}

NodeTraffic::Bytes NodeTraffic::before(std::uint32_t local, std::uint64_t time) {
  OfRank& rank = ranks_[local];
  const std::uint64_t later = rank.dma.all() - rank.dma.before(time);
  return {memory_.memory->stats().bytes() - later, rank.sent.before(time), rank.received.before(time)};
}

void NodeTraffic::on_dma_begin() { at_begin_ = memory_.memory->stats().bytes(); }

void NodeTraffic::on_dma_end() {
  const std::uint64_t now = present_ps();
  for (OfRank& rank : ranks_) {
    rank.dma.add(now, memory_.memory->stats().bytes() - at_begin_);
    forget(rank, now);
  }
}

/// Bounds the memory for a program without marks. No core is a microsecond behind SystemC when it commits.
void NodeTraffic::forget(OfRank& rank, std::uint64_t now) {
  constexpr std::size_t kMostPending = 4096;
  constexpr std::uint64_t kBehind = 1'000'000;
  if (now < kBehind) return;
  for (TimedCount* count : {&rank.dma, &rank.sent, &rank.received})
    if (count->pending() > kMostPending) count->before(now - kBehind);
}

}  // namespace psim::cosim
