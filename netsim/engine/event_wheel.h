// SPDX-License-Identifier: Apache-2.0
// Pending events by window. A window is as long as the lookahead, so routers cannot affect each other within
// it. They are served one after the other, each with its state warm in the cache.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "netsim/engine/chunks.h"
#include "netsim/engine/event.h"

namespace psim::net {

/// The events of one window, unordered.
struct Bucket {
  ChunkList<Event> credits;  ///< separate, because most are absorbed
  ChunkList<Event> rest;
  ChunkList<Event>& of(EventKind kind) { return kind == EventKind::Credit ? credits : rest; }
};

class EventWheel {
 public:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  static constexpr std::uint64_t kLongest = std::uint64_t{1} << 26;  ///< ps, 67 us

  /// `window` in ps, 1 … kLongest.
  explicit EventWheel(std::uint64_t window);

  std::uint64_t window() const { return window_; }
  /// Returns the number of the window that holds `time`.
  std::uint64_t number(std::uint64_t time) const { return time / window_; }

  /// Adds an event at `time`, not before the present window, and returns it to be filled in.
  [[gnu::always_inline]] Event& grow(std::uint64_t time, EventKind kind) {
    const std::uint64_t ahead = time - start_;
    if (ahead >= kSlots * window_) [[unlikely]]
      return grow_far(present_ + ahead / window_, kind);
    // The quotient ahead / window_ without a division, exact up to 2^64 / window_, which is kSlots *
    // kLongest.
    const auto number =
        static_cast<std::uint64_t>(static_cast<unsigned __int128>(ahead + 1) * inverse_ >> 64);
    const std::uint64_t slot = (present_ + number) % kSlots;
    ChunkList<Event>& list = slots_[slot].of(kind);
    if (list.full()) [[unlikely]]
      mark(slot);
    return list.grow(store_);
  }

  /// Returns the first window ≥ the present one with an event, or kNever.
  std::uint64_t next();
  /// Makes `number`, which next() returned, the present window and returns its events. Moves far events into
  /// slots. Events may be added to later windows while these are served.
  Bucket& open(std::uint64_t number);
  /// Drops the events of the present window.
  void close();

 private:
  static constexpr std::uint64_t kSlots = 4096;

  [[gnu::noinline]] Event& grow_far(std::uint64_t number, EventKind kind) {
    return far_[number].of(kind).grow(store_);
  }
  /// Returns the slot of the next window with events after the present one if it lies in the same word of
  /// occupied_, else the slot after the present one.
  std::uint64_t following_slot() const;
  void mark(std::uint64_t slot) { occupied_[slot / 64] |= std::uint64_t{1} << slot % 64; }
  void unmark(std::uint64_t slot) { occupied_[slot / 64] &= ~(std::uint64_t{1} << slot % 64); }

  std::uint64_t window_;
  std::uint64_t inverse_;      ///< (2^64 - 1) / window_, rounded down
  std::uint64_t present_ = 0;  ///< number of the present window
  std::uint64_t start_ = 0;    ///< its first instant
  std::vector<Bucket> slots_;  ///< windows present_ … present_ + kSlots - 1, by number modulo kSlots
  std::vector<std::uint64_t> occupied_;  ///< one bit per slot
  std::map<std::uint64_t, Bucket> far_;  ///< windows beyond
  ChunkStore<Event> store_;
};

}  // namespace psim::net
