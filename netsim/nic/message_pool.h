// SPDX-License-Identifier: Apache-2.0
// Messages in flight. A record lives from send to delivery, so memory grows with the messages in flight only.
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

  // The first cache line holds all that each packet accesses.
  std::uint64_t queued = 0;      ///< ps; when it was handed over
  std::uint64_t wire_bytes = 0;  ///< of data that cross the network
  std::uint64_t injected = 0;    ///< of wire_bytes, given to the router
  std::uint64_t serialised = 0;  ///< bytes with headers, given to the router
  std::uint64_t arrived = 0;     ///< of wire_bytes, at the destination's interface
  std::uint32_t address = 0;     ///< Packet::address of its destination
  std::uint32_t next = kNone;    ///< in the queue of its interface, or free
  std::uint32_t source = 0;      ///< node that sends
  std::uint32_t node = 0;        ///< destination node
  bool in_place = false;         ///< the sender is notified when its memory has been read
  bool control = false;          ///< sent and received by the interfaces without DMA engines
  bool bulk = false;             ///< was in_place when it was handed over: has queues of its own
  std::uint8_t owner = 0;        ///< owner in LinkSleep::shares; 0: none
  std::uint32_t whole = kNone;   ///< of a part of a striped message: the number of that at the source

  Envelope envelope;
  const std::byte* data =
      nullptr;  ///< carried data: `owned` or `small`, or the sender's memory while it is being sent
  std::uint64_t data_bytes = 0;
  std::unique_ptr<std::byte[]> owned;
  std::byte small[kInline];
  std::uint64_t written = 0;      ///< ps, when all packets so far are in memory; DMA engines may overtake
  std::uint32_t order = 0;        ///< number among the messages of the node pair, if packets may overtake
  std::uint32_t home = kNone;     ///< host process of its source, if not this one
  std::uint32_t home_number = 0;  ///< number of its record there
  std::uint32_t cause = 0;        ///< CriticalPath::Chain that led to it; 0: none

  /// Copies the data that the message carries.
  void carry(const std::byte* from, std::uint64_t bytes) {
    if (bytes > kInline) owned = std::make_unique_for_overwrite<std::byte[]>(bytes);
    std::byte* copy = bytes > kInline ? owned.get() : small;
    std::memcpy(copy, from, bytes);
    data = copy;
    data_bytes = bytes;
  }
};

/// Records by number; numbers are reused, last freed first.
class MessagePool {
 public:
  std::uint32_t take();
  void free(std::uint32_t number);
  Message& operator[](std::uint32_t number) { return blocks_[number / kBlock][number % kBlock]; }
  /// Prefetches the part of a record that packets access.
  void prefetch(std::uint32_t number) const {
    const Message& message = blocks_[number / kBlock][number % kBlock];
    prefetch_line(&message);
    prefetch_line(&message.envelope);
  }

  std::uint64_t in_flight() const { return in_flight_; }

 private:
  static constexpr std::uint32_t kBlock = 1024;

  std::vector<std::unique_ptr<Message[]>> blocks_;  ///< records do not move
  std::uint32_t made_ = 0;
  std::uint32_t free_ = Message::kNone;
  std::uint64_t in_flight_ = 0;
};

}  // namespace psim::net
