// SPDX-License-Identifier: Apache-2.0
#include "pipeline/store_queue.h"

#include <fmt/format.h>

namespace psim::pipeline {

StoreQueue::StoreQueue(const LoadStoreConfig& config, const InFlightRing& window)
    : window_(window),
      ports_(config.store_ports),
      write_buffer_(config.write_buffer),
      policy_(config.store_address),
      mask_(std::bit_ceil(ports_ + write_buffer_ + 1) - 1),
      ring_(mask_ + 1) {}

void StoreQueue::enter(Sequence sequence, const InFlight& entry) {
  ring_[end_++ & mask_] = {sequence,
                           entry.record.address,
                           entry.bytes,
                           !entry.load && !entry.wrong_path,
                           static_cast<bool>(entry.record.sbm),
                           entry.record.pc};
}

void StoreQueue::came_from_memory(std::uint64_t address, std::uint64_t bytes) {
  for (std::uint64_t i = begin_; i != committed_; ++i) {
    Store& store = ring_[i & mask_];
    if (store.missed && store.address < address + bytes && address < store.address + store.bytes)
      store.from_memory = true;
  }
}

void StoreQueue::flush(Sequence first) {
  while (end_ != committed_ && ring_[(end_ - 1) & mask_].sequence >= first) --end_;
}

StoreQueue::Found StoreQueue::search(Sequence load, std::uint64_t address, std::uint32_t bytes,
                                     std::uint64_t now) const {
  for (std::uint64_t i = end_; i != begin_; --i) {
    const Store& store = ring_[(i - 1) & mask_];
    if (store.sequence >= load) continue;
    const bool committed = i <= committed_;
    const bool overlaps = address < store.address + store.bytes && store.address < address + bytes;
    if (!committed) {
      const InFlight& e = window_[store.sequence];
      const bool address_known = e.dispatched != kNever && e.dispatched + window_.stages.execute < now;
      if (!address_known) {
        if (overlaps || policy_ == StoreAddressPolicy::Wait) return {Answer::Wait, kNever};
        continue;
      }
    }
    if (!overlaps) continue;
    const bool covers = store.address <= address && address + bytes <= store.address + store.bytes;
    if (!covers || !store.forwards) return {Answer::Wait, kNever};
    if (committed) return {Answer::Forward, 0};
    const InFlight& e = window_[store.sequence];
    if (e.datum_waiting) return {Answer::Wait, kNever};
    // A datum announced by a load is certain from Ms of that load on, the cycle before its X here.
    const std::uint64_t execute = e.datum + window_.stages.execute;
    if (now + 1 < execute) return {Answer::Wait, execute - 1};
    // The datum is in the store port from its X on. A load from SBM reads after C, and the datum goes out by
    // C after B: a cycle later.
    return {Answer::Forward, execute - (store.sbm ? 1 : 0)};
  }
  return {Answer::None, 0};
}

std::string StoreQueue::describe() const {
  return fmt::format("store queue: {} ports of {} used, {} committed stores not written", ports_used(),
                     ports_, committed());
}

}  // namespace psim::pipeline
