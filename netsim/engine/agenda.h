// SPDX-License-Identifier: Apache-2.0
// What one place has to do within the present window, in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "netsim/engine/chunks.h"
#include "netsim/engine/event.h"

namespace psim::net {

/// Two sequences, of which the sooner head is next: the events that were there when the window began, sorted
/// once, and a heap of those that the place has added since. Most places have one or two of the former.
class Agenda {
 public:
  struct Entry {
    std::uint64_t time;
    std::uint64_t order;  ///< round · 4 + phase, then the source
    std::uint32_t sequence;
    const Event* event;

    std::uint32_t round_phase() const { return static_cast<std::uint32_t>(order >> 32); }
  };

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  /// The next one; its time is kNever if there is none. Valid until the next call that is not const.
  const Entry& top() const { return sorted_next() ? given_[at_] : added_.front(); }

  /// An event scheduled before this window, in its first round. Call order() after the last.
  void add(const Event* event) {
    given_[count_++] = {event->time, key(0, event->kind, event->source), event->sequence, event};
    if (count_ == given_.size()) [[unlikely]]
      given_.resize(2 * count_);
  }
  void order() {
    given_[count_].time = kNever;
    constexpr std::size_t kFew = 24;
    if (count_ > kFew) return std::sort(given_.begin(), given_.begin() + static_cast<long>(count_), sooner);
    for (std::size_t i = 1; i < count_; ++i) {
      if (!sooner(given_[i], given_[i - 1])) continue;
      const Entry entry = given_[i];
      std::size_t to = i;
      do given_[to] = given_[to - 1];
      while (--to > 0 && sooner(entry, given_[to - 1]));
      given_[to] = entry;
    }
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
    added_.push_back({time, key(round, kind, source), sequence, kept});
    if (added_.size() > 1) std::push_heap(added_.begin(), added_.end(), later);
    return *kept;
  }

  /// Takes off `entry`, which top() gave.
  void pop(const Entry& entry) {
    if (&entry == &given_[at_]) [[likely]] {
      ++at_;
      return;
    }
    if (added_.size() > 1) std::pop_heap(added_.begin(), added_.end(), later);
    added_.pop_back();
  }

  /// Forgets all; everything has been popped.
  void clear() {
    at_ = count_ = 0;
    given_[0].time = kNever;
    if (!packets_.empty()) packets_.clear(packet_store_);
    if (!shorts_.empty()) shorts_.clear(short_store_);
  }

 private:
  static std::uint64_t key(std::uint32_t round, EventKind kind, std::uint32_t source) {
    return std::uint64_t{round * 4 + static_cast<std::uint32_t>(phase(kind))} << 32 | source;
  }
  [[gnu::always_inline]] static bool sooner(const Entry& a, const Entry& b) {
    if (a.time != b.time) return a.time < b.time;
    if (a.order != b.order) return a.order < b.order;
    return static_cast<std::int32_t>(a.sequence - b.sequence) < 0;
  }
  static bool later(const Entry& a, const Entry& b) { return sooner(b, a); }
  bool sorted_next() const { return added_.empty() || sooner(given_[at_], added_.front()); }

  std::vector<Entry> given_ =
      std::vector<Entry>(16, {kNever, 0, 0, nullptr});  ///< in use: the first count_ and a kNever
  std::size_t at_ = 0, count_ = 0;
  std::vector<Entry> added_;
  ChunkList<ShortEvent> shorts_;
  ChunkList<PacketEvent> packets_;
  ChunkStore<ShortEvent> short_store_;
  ChunkStore<PacketEvent> packet_store_;
};

}  // namespace psim::net
