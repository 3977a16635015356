// SPDX-License-Identifier: Apache-2.0
// Messages on their way. A record lives from send to delivery, so memory follows messages in flight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "netsim/engine/prefetch.h"
#include "netsim/message/envelope.h"

namespace psim::net {

struct alignas(64) Message {
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr std::size_t kInline = 32;

  // What each packet touches is the first cache line.
  std::uint64_t queued = 0;      ///< ps; when it was handed over
  std::uint64_t wire_bytes = 0;  ///< of data that cross the network
  std::uint64_t injected = 0;    ///< of them, given to the router
  std::uint64_t serialised = 0;  ///< bytes with headers, given to the router
  std::uint64_t arrived = 0;     ///< of wire_bytes, at the destination's interface
  std::uint32_t address = 0;     ///< Packet::address of its destination
  std::uint32_t next = kNone;    ///< in the queue of its interface, or free
  std::uint32_t source = 0;      ///< node that sends
  std::uint32_t node = 0;        ///< where it goes
  bool in_place = false;         ///< the sender wants to know when its memory has been read
  bool control = false;          ///< made and taken by the interfaces: no DMA engine reads or writes it
  bool bulk = false;             ///< was in_place when it was handed over: queues apart from the others
  std::uint8_t owner = 0;        ///< whose it is, where links tell (LinkSleep::shares); 0: nobody's

  Envelope envelope;
  const std::byte* data =
      nullptr;  ///< what is carried: `owned` or `small`; the sender's memory while it is being sent
  std::uint64_t data_bytes = 0;
  std::unique_ptr<std::byte[]> owned;
  std::byte small[kInline];
  std::uint64_t written = 0;      ///< ps, when all that came is in memory, where engines may overtake
  std::uint32_t order = 0;        ///< its number among the messages of its nodes, where packets may overtake
  std::uint32_t home = kNone;     ///< host process of its source, if another
  std::uint32_t home_number = 0;  ///< its record there

  /// Takes a copy of what it carries.
  void carry(const std::byte* from, std::uint64_t bytes) {
    if (bytes > kInline) owned = std::make_unique_for_overwrite<std::byte[]>(bytes);
    std::byte* copy = bytes > kInline ? owned.get() : small;
    std::memcpy(copy, from, bytes);
    data = copy;
    data_bytes = bytes;
  }
};

/// Records by number; numbers are used again, last freed first.
class MessagePool {
 public:
  std::uint32_t take();
  void free(std::uint32_t number);
  Message& operator[](std::uint32_t number) { return blocks_[number / kBlock][number % kBlock]; }
  /// Brings near what its packets touch.
  void prefetch(std::uint32_t number) const { prefetch_line(&blocks_[number / kBlock][number % kBlock]); }

  std::uint64_t in_flight() const { return in_flight_; }

 private:
  static constexpr std::uint32_t kBlock = 1024;

  std::vector<std::unique_ptr<Message[]>> blocks_;  ///< records do not move
  std::uint32_t made_ = 0;
  std::uint32_t free_ = Message::kNone;
  std::uint64_t in_flight_ = 0;
};

}  // namespace psim::net
