// SPDX-License-Identifier: Apache-2.0
// Models: the queues of a network interface (cosim/queue_format.h): descriptors and completions in the memory
// of the program, and slots for messages.
//
// An operation's data cross the network in packets. DMA reads the bytes of packets while the packets before
// them are on the wire, and writes each packet when it comes (paper 000). Several reads are under way at the
// same time (NicConfig::dma_reads), so that the slower of link and memory sets the bandwidth. The interface
// holds a few packets that have not left. Messages of one node to another are reported in the order of their
// descriptors. A message waits in the interface while no slot is free.
//
// A wrong descriptor completes with an error status and is reported; it never ends the run. Queues outside
// the program's memory end it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cosim/nic_registers.h"
#include "cosim/queue_format.h"
#include "cosim/queue_interface.h"

namespace psim::cosim {

class MessageTrace;
class NodePaths;
class PacketStream;

class NicQueues {
 public:
  using Bytes = QueueInterface::Bytes;

  /// The queues of rank `rank` of `ranks`, which messages call `name`. `packet_bytes`: of a packet without
  /// the network's own header. `dma_reads`: NicConfig.
  NicQueues(QueueInterface& interface, std::string name, std::uint32_t rank, std::uint32_t ranks,
            std::uint64_t packet_bytes, std::uint32_t dma_reads);

  /// Notes the steps of messages in `trace`, which outlives this.
  void attach(MessageTrace& trace) { trace_ = &trace; }
  /// Reports descriptors and completions to `paths`, which outlives this.
  void attach(NodePaths& paths) { paths_ = &paths; }
  /// Accepts a write of a register from Version on. Throws UserError if it is not usable.
  void write_register(NicRegister which, std::uint64_t value, const StoreOrigin& origin);
  /// Handles a packet that has arrived; called by the receiving engine.
  void receive(const Bytes& packet);
  /// Reports to the program that nothing can happen any more. Returns false if it has no queues.
  bool report_stuck();
  /// Returns one line for reports of deadlock.
  std::string describe() const;

 private:
  struct Open {  ///< an operation of this node that waits for an answer
    std::uint64_t cookie = 0, local = 0, total = 0, received = 0;
    std::uint64_t traced = 0;  ///< number in MessageTrace; 0: not traced
  };
  struct Incoming {  ///< a message or put that is arriving
    std::uint64_t received = 0;
    std::uint32_t status = 0;
    std::array<std::byte, queue::kHeaderBytes> header{};
    Bytes data;  ///< of a message, until it is in its slot
  };
  struct Message {
    std::array<std::byte, queue::kHeaderBytes> header{};
    Bytes data;
    std::uint64_t traced = 0;  ///< number in MessageTrace; 0: not traced
    std::uint64_t id = 0;      ///< message_id()
  };
  struct Sequence {  ///< of the messages from one node
    std::uint64_t next = 1;
    std::map<std::uint64_t, Message> early;  ///< of which an earlier one is missing
  };

  std::uint64_t& value(NicRegister which) { return registers_[static_cast<std::uint64_t>(which) / 8]; }
  std::uint64_t value(NicRegister which) const { return registers_[static_cast<std::uint64_t>(which) / 8]; }
  /// A descriptor that the program has submitted, for reports and traces.
  struct Submission {
    std::uint64_t number;
    std::uint64_t begun;  ///< ps: by the engine
    StoreOrigin doorbell;
  };
  void submit(const StoreOrigin& doorbell);
  void perform(const queue::Descriptor& descriptor, const Submission& submission);
  queue::Status check(const queue::Descriptor& descriptor) const;
  PacketStream stream(const QueuePacket& packet, std::uint64_t local, const unsigned char* header);
  void put_arrived(const QueuePacket& packet, std::span<const std::byte> rest);
  void send_arrived(const QueuePacket& packet, std::span<const std::byte> rest);
  void atomic_arrived(const QueuePacket& packet, std::span<const std::byte> rest);
  void reply_arrived(const QueuePacket& packet, std::span<const std::byte> rest);
  void answer(const QueuePacket& packet, QueuePacket::Kind kind, queue::Status status, Bytes data = {});
  void arrived_in_order(std::uint32_t source, std::uint64_t sequence, Message message);
  void fill_slots();
  void complete(queue::Event event, queue::Status status, std::uint64_t value, std::uint64_t bytes,
                std::uint64_t traced = 0, std::uint64_t id = 0);
  void finish(std::uint64_t operation, queue::Status status);
  /// Notes that a packet, or the message with this number in MessageTrace, has come to a step.
  template <class Subject, class Step>
  void note(const Subject& subject, Step step) const;
  void report_error(const Submission& submission, const queue::Descriptor& descriptor, queue::Status status);

  QueueInterface& interface_;
  MessageTrace* trace_ = nullptr;  ///< null: no message is traced
  NodePaths* paths_ = nullptr;     ///< null: no critical path is recorded
  const std::string name_;
  const std::uint32_t rank_, ranks_;
  const std::uint64_t packet_bytes_;
  const std::uint32_t dma_reads_;
  std::array<std::uint64_t, kNicRegisters> registers_{};
  std::uint64_t submitted_ = 0, completed_ = 0, slots_filled_ = 0, operations_ = 0;
  bool filling_ = false;
  std::map<std::uint64_t, Open> open_;                                    ///< by operation
  std::map<std::pair<std::uint32_t, std::uint64_t>, Incoming> incoming_;  ///< by source and operation
  std::map<std::uint32_t, Sequence> from_;                                ///< by source
  std::map<std::uint32_t, std::uint64_t> sent_;                           ///< messages, by destination
  std::deque<Message> waiting_;                                           ///< for a slot
};

/// Returns "the peer does not exist" and so on.
std::string_view text_of(queue::Status status);

}  // namespace psim::cosim
