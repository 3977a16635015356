// SPDX-License-Identifier: Apache-2.0
// Pending events by window: a window is as long as the lookahead, so that within one no router can affect
// another and routers can be served one after the other, each with its state warm in the cache.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "netsim/engine/chunks.h"
#include "netsim/engine/event.h"

namespace psim::net {

/// The events of one window, unordered.
struct Bucket {
  ChunkList<ShortEvent> shorts;
  ChunkList<ShortEvent> credits;  ///< apart, for most are absorbed
  ChunkList<PacketEvent> packets;
  template <class Kind>
  ChunkList<Kind>& of(EventKind kind) {
    if constexpr (sizeof(Kind) == sizeof(PacketEvent))
      return packets;
    else
      return kind == EventKind::Credit ? credits : shorts;
  }
};

class EventWheel {
 public:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  static constexpr std::uint64_t kLongest = std::uint64_t{1} << 26;  ///< ps, 67 us

  /// `window` in ps, 1 … kLongest.
  explicit EventWheel(std::uint64_t window);

  std::uint64_t window() const { return window_; }
  /// Number of the window that holds `time`.
  std::uint64_t number(std::uint64_t time) const { return time / window_; }

  /// A new event at `time`, which the caller fills in; not before the present window.
  template <class Kind>
  [[gnu::always_inline]] Kind& grow(std::uint64_t time, EventKind kind) {
    const std::uint64_t ahead = time - start_;
    if (ahead >= kSlots * window_) [[unlikely]]
      return grow_far<Kind>(present_ + ahead / window_, kind);
    // The quotient ahead / window_ without a division, exact up to 2^64 / window_, which is kSlots *
    // kLongest.
    const auto number =
        static_cast<std::uint64_t>(static_cast<unsigned __int128>(ahead + 1) * inverse_ >> 64);
    const std::uint64_t slot = (present_ + number) % kSlots;
    auto& list = slots_[slot].template of<Kind>(kind);
    if (list.full()) [[unlikely]]
      mark(slot);
    return list.grow(store<Kind>());
  }

  /// The first window ≥ the present one with an event, or kNever. Far events come nearer by this.
  std::uint64_t next();
  /// Makes `number`, which next() gave, the present window and returns its events. Events may be pushed to
  /// later windows while they are served.
  Bucket& open(std::uint64_t number);
  /// Forgets the events of the present window.
  void close();

 private:
  static constexpr std::uint64_t kSlots = 4096;

  template <class Kind>
  [[gnu::noinline]] Kind& grow_far(std::uint64_t number, EventKind kind) {
    return far_[number].template of<Kind>(kind).grow(store<Kind>());
  }
  template <class Kind>
  ChunkStore<Kind>& store() {
    if constexpr (sizeof(Kind) == sizeof(PacketEvent))
      return packet_store_;
    else
      return short_store_;
  }
  /// Of the next window with events after the present one, if it is among those of the same word of
  /// occupied_; else of the next window.
  std::uint64_t following_slot() const;
  void mark(std::uint64_t slot) { occupied_[slot / 64] |= std::uint64_t{1} << slot % 64; }
  void unmark(std::uint64_t slot) { occupied_[slot / 64] &= ~(std::uint64_t{1} << slot % 64); }

  std::uint64_t window_;
  std::uint64_t inverse_;      ///< (2^64 - 1) / window_, rounded down
  std::uint64_t present_ = 0;  ///< number of the present window
  std::uint64_t start_ = 0;    ///< its first instant
  std::vector<Bucket> slots_;  ///< windows present_ … present_ + kSlots - 1, by number modulo kSlots
  std::vector<std::uint64_t> occupied_;  ///< a bit a slot
  std::map<std::uint64_t, Bucket> far_;  ///< windows beyond
  ChunkStore<ShortEvent> short_store_;
  ChunkStore<PacketEvent> packet_store_;
};

}  // namespace psim::net
