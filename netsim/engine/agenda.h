// SPDX-License-Identifier: Apache-2.0
// What one place has to do within the present window, in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "netsim/engine/chunks.h"
#include "netsim/engine/event.h"

namespace psim::net {

class Agenda {
 public:
  struct Entry {
    std::uint64_t time;
    std::uint32_t round_phase;  ///< round · 4 + phase
    std::uint32_t source;
    std::uint32_t sequence;
    const Event* event;
  };

  bool empty() const { return heap_.empty(); }
  const Entry& top() const { return heap_.front(); }

  /// An event scheduled before this window, in its first round. Call order() after the last.
  void add(const Event* event) {
    heap_.push_back(
        {event->time, static_cast<std::uint32_t>(phase(event->kind)), event->source, event->sequence, event});
  }
  void order() {
    if (heap_.size() > 1) std::make_heap(heap_.begin(), heap_.end(), later);
  }
  /// A new event that the place schedules for itself in this window, to be filled in; kept until clear().
  template <class Kind>
  Kind& insert(std::uint64_t time, std::uint32_t round, EventKind kind, std::uint32_t source,
               std::uint32_t sequence) {
    Kind* kept;
    if constexpr (sizeof(Kind) == sizeof(PacketEvent))
      kept = &packets_.grow(packet_store_);
    else
      kept = &shorts_.grow(short_store_);
    heap_.push_back({time, round * 4 + static_cast<std::uint32_t>(phase(kind)), source, sequence, kept});
    std::push_heap(heap_.begin(), heap_.end(), later);
    return *kept;
  }
  Entry pop() {
    const Entry entry = heap_.front();
    if (heap_.size() > 1) std::pop_heap(heap_.begin(), heap_.end(), later);
    heap_.pop_back();
    return entry;
  }
  void clear() {
    if (packets_.size() != 0) packets_.clear(packet_store_);
    if (shorts_.size() != 0) shorts_.clear(short_store_);
  }

 private:
  static bool later(const Entry& a, const Entry& b) {
    if (a.time != b.time) return a.time > b.time;
    if (a.round_phase != b.round_phase) return a.round_phase > b.round_phase;
    if (a.source != b.source) return a.source > b.source;
    return static_cast<std::int32_t>(a.sequence - b.sequence) > 0;
  }

  std::vector<Entry> heap_;
  ChunkList<ShortEvent> shorts_;
  ChunkList<PacketEvent> packets_;
  ChunkStore<ShortEvent> short_store_;
  ChunkStore<PacketEvent> packet_store_;
};

}  // namespace psim::net
