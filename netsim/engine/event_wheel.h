// SPDX-License-Identifier: Apache-2.0
// Pending events by window: a window is as long as the lookahead, so that within one no place can affect
// another and places can be served one after the other, each with its state warm in the cache.
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
  ChunkList<PacketEvent> packets;
  std::size_t size() const { return shorts.size() + packets.size(); }
};

class EventWheel {
 public:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  /// `window` in ps, > 0.
  explicit EventWheel(std::uint64_t window);

  std::uint64_t window() const { return window_; }
  /// Number of the window that holds `time`.
  std::uint64_t number(std::uint64_t time) const { return time / window_; }

  /// A new event at `time`, which the caller fills in; not before the present window.
  template <class Kind>
  Kind& grow(std::uint64_t time) {
    ++size_;
    if constexpr (sizeof(Kind) == sizeof(PacketEvent))
      return bucket(time).packets.grow(packet_store_);
    else
      return bucket(time).shorts.grow(short_store_);
  }

  /// The first window ≥ the present one with an event, or kNever. Far events come nearer by this.
  std::uint64_t next();
  /// Makes `number`, which next() gave, the present window and returns its events. Events may be pushed to
  /// later windows while they are served.
  Bucket& open(std::uint64_t number);
  /// Forgets the events of the present window.
  void close();

  std::size_t size() const { return size_; }  ///< events pending

 private:
  static constexpr std::uint64_t kSlots = 4096;

  Bucket& bucket(std::uint64_t time);
  void mark(std::uint64_t slot) { occupied_[slot / 64] |= std::uint64_t{1} << slot % 64; }
  void unmark(std::uint64_t slot) { occupied_[slot / 64] &= ~(std::uint64_t{1} << slot % 64); }

  std::uint64_t window_;
  std::uint64_t inverse_;      ///< 2^64 / window_, rounded down
  std::uint64_t present_ = 0;  ///< number of the present window
  std::uint64_t start_ = 0;    ///< its first instant
  std::vector<Bucket> slots_;  ///< windows present_ … present_ + kSlots - 1, by number modulo kSlots
  std::vector<std::uint64_t> occupied_;  ///< a bit a slot
  std::map<std::uint64_t, Bucket> far_;  ///< windows beyond
  ChunkStore<ShortEvent> short_store_;
  ChunkStore<PacketEvent> packet_store_;
  std::size_t size_ = 0;
};

inline Bucket& EventWheel::bucket(std::uint64_t time) {
  // An estimate of the quotient, mended: a division costs as much as the rest of this.
  const std::uint64_t ahead = time - start_;
  auto number = static_cast<std::uint64_t>(static_cast<unsigned __int128>(ahead) * inverse_ >> 64);
  while (ahead - number * window_ >= window_) ++number;
  if (number >= kSlots) [[unlikely]]
    return far_[present_ + number];
  const std::uint64_t slot = (present_ + number) % kSlots;
  mark(slot);
  return slots_[slot];
}

}  // namespace psim::net
