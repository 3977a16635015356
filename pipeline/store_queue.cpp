// SPDX-License-Identifier: Apache-2.0
#include "pipeline/store_queue.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/memo/outcome_tape.h"
#include "pipeline/memo/timing_state.h"

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
    if (store.missed && store.overlaps(address, bytes)) store.from_memory = true;
  }
}

void StoreQueue::flush(Sequence first) {
  while (end_ != committed_ && ring_[(end_ - 1) & mask_].sequence >= first) --end_;
}

StoreQueue::Found StoreQueue::search(Sequence load, std::uint64_t address, std::uint32_t bytes,
                                     std::uint64_t now, std::uint64_t end) const {
  // A tape may have begun after the search that found `end`.
  for (std::uint64_t i = tape_ == nullptr ? std::min(end, end_) : end_; i > begin_; --i) {
    const Store& store = ring_[(i - 1) & mask_];
    if (store.sequence >= load) continue;
    const bool committed = i <= committed_;
    const bool overlaps = store.overlaps(address, bytes);
    if (!committed) {
      const InFlight& e = window_[store.sequence];
      const bool address_known = e.dispatched != kNever && e.dispatched + window_.stages.execute < now;
      if (!address_known) {
        if (policy_ == StoreAddressPolicy::Wait) return {Answer::Wait, kNever, i};
        if (tape_ != nullptr) [[unlikely]]
          tape_->compared(load, address, bytes, store.sequence, store.address, store.bytes);
        if (overlaps) return {Answer::Wait, kNever, i};
        continue;
      }
    }
    if (tape_ != nullptr) [[unlikely]]
      tape_->compared(load, address, bytes, store.sequence, store.address, store.bytes);
    if (!overlaps) continue;
    const bool covers = store.address <= address && address + bytes <= store.address + store.bytes;
    if (!covers || !store.forwards) return {Answer::Wait, kNever, i};
    if (committed) return {Answer::Forward, 0};
    const InFlight& e = window_[store.sequence];
    if (e.datum_waiting) return {Answer::Wait, kNever, i};
    // A datum announced by a load is certain from Ms of that load on, the cycle before its X here.
    const std::uint64_t execute = e.datum + window_.stages.execute;
    if (now + 1 < execute) return {Answer::Wait, execute - 1, i};
    // The datum is in the store port from its X on. A load from SBM reads after C, and the datum goes out by
    // C after B: a cycle later.
    return {Answer::Forward, execute - (store.sbm ? 1 : 0)};
  }
  return {Answer::None, 0};
}

void StoreQueue::timing_state(TimingState& state) {
  std::uint64_t committed = committed_ - begin_, all = end_ - begin_;
  state.value(committed), state.value(all);
  if (!state.writes()) begin_ = 0, committed_ = committed, end_ = all;
  for (std::uint64_t i = begin_; i != end_; ++i) {
    Store& store = ring_[i & mask_];
    state.near(store.sequence, state.head());
    state.value(store.bytes);
    std::uint8_t marks = static_cast<std::uint8_t>(store.forwards | store.sbm << 1 | store.missed << 2 |
                                                   store.from_memory << 3);
    state.value(marks);
    store.forwards = marks & 1, store.sbm = marks & 2, store.missed = marks & 4,
    store.from_memory = marks & 8;
  }
}

std::string StoreQueue::describe() const {
  return fmt::format("store queue: {} ports of {} used, {} committed stores not written", ports_used(),
                     ports_, committed());
}

}  // namespace psim::pipeline
