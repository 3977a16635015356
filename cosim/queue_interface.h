// SPDX-License-Identifier: Apache-2.0
// Models: what the queues of a node need of its network interface, and the packets of their operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/store_origin.h"

#include "cosim/queue_format.h"

namespace psim::cosim {

/// The header of a packet of queue operations. Its first word differs from that of NicMessage.
struct QueuePacket {
  enum class Kind : std::uint32_t {
    Send = 16,  ///< data for a slot; the first packet carries the message's header
    Put,        ///< data for `address`; with `notify`, the first packet carries the header for a slot
    GetRequest,
    GetReply,  ///< data for the address that the requester keeps
    Atomic,    ///< a descriptor's operands follow
    AtomicReply,
    Done,         ///< the answer to a put whose end at the peer was requested; in any case after an error
    BarrierClear  ///< from the node's board: its S-flag was cleared at `operation`, ps
  };
  Kind kind = Kind::Send;
  std::uint32_t to = 0;  ///< rank that receives it, as in NicMessage; set when it is sent
  std::uint32_t source = 0, status = 0;
  std::uint64_t operation = 0;  ///< number at the rank that submitted it
  std::uint64_t address = 0, total = 0, offset = 0;
  std::uint64_t sequence = 0;  ///< of messages from `source` to this rank: 1, 2, …; 0: none
  std::uint32_t acknowledge = 0;
  std::uint32_t traced = 0;  ///< 1: MessageTrace notes its steps
};
static_assert(sizeof(QueuePacket) == 64);

/// The operands of an atomic operation behind its packet's header.
struct AtomicOperands {
  std::uint64_t opcode, operand, expected;
};

/// Returns the bytes of data in a packet: without its header, and that of a message.
inline std::uint64_t data_bytes(std::span<const std::byte> packet) {
  QueuePacket header;
  std::memcpy(&header, packet.data(), sizeof header);
  const bool message =
      header.offset == 0 && (header.kind == QueuePacket::Kind::Send ||
                             (header.kind == QueuePacket::Kind::Put && header.sequence != 0));
  return packet.size() - sizeof header - (message ? queue::kHeaderBytes : 0);
}

/// The interface that has the queues. All but begin_read() and post() may wait.
class QueueInterface {
 public:
  using Bytes = std::vector<std::byte>;

  /// A read by DMA that has begun.
  struct Reading {
    bool good = true;         ///< false: the program has not mapped the bytes
    std::uint64_t ready = 0;  ///< ps: the last byte is in the interface
  };

  /// Begins a read of the bytes that are in memory now.
  virtual Reading begin_read(std::uint64_t address, std::span<std::byte> bytes) = 0;
  /// Waits until `time`, ps; not at all if it has passed.
  virtual void wait_until(std::uint64_t time) = 0;
  virtual std::uint64_t now() const = 0;  ///< ps
  /// Return false if the program has not mapped the bytes for this access.
  bool read(std::uint64_t address, std::span<std::byte> bytes) {
    const Reading reading = begin_read(address, bytes);
    wait_until(reading.ready);
    return reading.good;
  }
  virtual bool write(std::uint64_t address, std::span<const std::byte> bytes) = 0;
  /// Sends a packet, `setup` after now; waits while the interface's buffer is full.
  virtual void transmit(std::uint32_t to, Bytes packet) = 0;
  /// Calls `job` in the sending engine, after earlier jobs.
  virtual void post(std::function<void()> job) = 0;
  virtual void report(std::string_view text) = 0;
  /// Returns "core 0, PC 0x10ab8, in f at a.c:12".
  virtual std::string place(const StoreOrigin& origin) const = 0;
  /// Called when a completion has been written.
  virtual void signal() = 0;

 protected:
  ~QueueInterface() = default;
};

}  // namespace psim::cosim
