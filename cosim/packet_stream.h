// SPDX-License-Identifier: Apache-2.0
// Models: the sending side of an operation on the queues: bytes of memory become packets. DMA reads at most
// kDmaReadBytes at once; up to `reads` reads are under way, also of later packets. A packet leaves when its
// bytes are in the interface, in order.
#pragma once

#include <cstdint>
#include <deque>
#include <span>

#include "cosim/queue_format.h"
#include "cosim/queue_interface.h"

namespace psim::cosim {

/// Returns a packet's bytes.
QueueInterface::Bytes packet_with(const QueuePacket& header, std::span<const std::byte> data = {});

class MessageTrace;

class PacketStream {
 public:
  /// Sends packet.total bytes at `local` in packets of `packet_bytes`, of which the first also carries the
  /// message's `header`, if not null. `trace` may be null.
  PacketStream(QueueInterface& interface, std::uint64_t packet_bytes, std::uint32_t reads,
               const QueuePacket& packet, std::uint64_t local, const unsigned char* header,
               MessageTrace* trace = nullptr)
      : interface_(interface),
        packet_bytes_(packet_bytes),
        reads_(reads),
        next_(packet),
        local_(local),
        header_(header),
        trace_(trace) {}

  /// Waits until all packets have left for node `to`, or are in the interface's buffer. Bytes that cannot be
  /// read end the operation at the peer, too.
  queue::Status send(std::uint32_t to);

 private:
  struct Packet {
    QueuePacket header;
    QueueInterface::Bytes data;   ///< the message's header, and a part of its bytes
    std::uint64_t before, part;   ///< bytes of these
    std::uint64_t requested = 0;  ///< of `part`
    std::uint64_t ready = 0;      ///< ps: what was requested is here
  };
  void begin_packet();
  void begin_reads();
  bool is_ready(const Packet& packet) const;

  QueueInterface& interface_;
  const std::uint64_t packet_bytes_;
  const std::uint32_t reads_;
  QueuePacket next_;
  const std::uint64_t local_;
  const unsigned char* const header_;
  MessageTrace* const trace_;
  queue::Status status_ = queue::Status::Good;
  bool last_ = false;  ///< no packet follows those in packets_
  std::deque<Packet> packets_;
  std::deque<std::uint64_t> under_way_;  ///< times at which reads end
};

}  // namespace psim::cosim
