// SPDX-License-Identifier: Apache-2.0
// The events of one router within the present window, in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "netsim/engine/chunks.h"
#include "netsim/engine/event.h"

namespace psim::net {

/// Two sequences; the next event is the earlier of both heads. The first holds the events that were pending
/// when the window began, sorted once; most routers have one or two of them. The second is a heap of events
/// that the router has added since.
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
  /// Returns the next entry; its time is kNever if there is none. Valid until the next call that is not
  /// const.
  const Entry& top() const { return sorted_next() ? *next_ : added_.front(); }

  /// Adds an event scheduled before this window, in its first round. Call order() after the last one.
  void add(const Event* event) {
    *end_++ = {event->time, key(0, event->kind, event->source), event->sequence, event};
    if (end_ == &given_.back()) [[unlikely]]
      enlarge();
  }
  void order() {
    end_->time = kNever;
    constexpr std::ptrdiff_t kFew = 24;
    if (end_ - next_ > kFew) return std::sort(next_, end_, sooner);
    for (Entry* each = next_ + 1; each < end_; ++each) {
      if (!sooner(*each, each[-1])) continue;
      const Entry entry = *each;
      Entry* to = each;
      do *to = to[-1];
      while (--to != next_ && sooner(entry, to[-1]));
      *to = entry;
    }
  }

  /// Adds an event that the router schedules for itself in this window and returns it to be filled in. The
  /// event is kept until clear().
  Event& insert(std::uint64_t time, std::uint32_t round, EventKind kind, std::uint32_t source,
                std::uint32_t sequence) {
    Event* kept = &kept_.grow(store_);
    added_.push_back({time, key(round, kind, source), sequence, kept});
    if (added_.size() > 1) std::push_heap(added_.begin(), added_.end(), later);
    return *kept;
  }

  /// Returns whether insert() has been called for an event that has not been popped.
  bool added() const { return !added_.empty(); }

  /// Removes `entry`, which top() returned.
  void pop(const Entry& entry) {
    if (&entry == next_) [[likely]] {
      ++next_;
      return;
    }
    if (added_.size() > 1) std::pop_heap(added_.begin(), added_.end(), later);
    added_.pop_back();
  }

  /// Prepares the next window; all entries have been popped.
  void clear() {
    next_ = end_ = given_.data();
    end_->time = kNever;
    if (!kept_.empty()) kept_.clear(store_);
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
  bool sorted_next() const { return added_.empty() || sooner(*next_, added_.front()); }
  [[gnu::noinline]] void enlarge() {
    const std::size_t count = given_.size() - 1;
    given_.resize(2 * given_.size());
    next_ = given_.data();
    end_ = next_ + count;
  }

  std::vector<Entry> given_ = std::vector<Entry>(16, {kNever, 0, 0, nullptr});
  Entry* next_ = given_.data();  ///< in use: from here to *end_, a sentinel at kNever, in given_
  Entry* end_ = next_;
  std::vector<Entry> added_;
  ChunkList<Event> kept_;
  ChunkStore<Event> store_;
};

}  // namespace psim::net
