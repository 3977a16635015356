// SPDX-License-Identifier: Apache-2.0
// Packets that arrive for the queues of a network interface, and the messages in them.
#include "cosim/nic_queues.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "cosim/message_header.h"
#include "cosim/message_trace.h"
#include "cosim/packet_stream.h"
#include "isa/memory/guest_memory.h"

namespace psim::cosim {

using isa::big_endian;
using queue::Opcode, queue::Status, queue::Event;

namespace {

std::uint64_t word_at(const std::byte* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return big_endian(word);
}
std::array<std::byte, 8> bytes_of(std::uint64_t word) {
  std::array<std::byte, 8> bytes;
  word = big_endian(word);
  std::memcpy(bytes.data(), &word, sizeof word);
  return bytes;
}

}  // namespace

void NicQueues::receive(const Bytes& bytes) {
  QueuePacket packet;
  std::memcpy(&packet, bytes.data(), sizeof packet);
  const auto rest = std::span(bytes).subspan(sizeof packet);
  note(packet, PacketStep::Taken);
  switch (packet.kind) {
    case QueuePacket::Kind::Send:
      return send_arrived(packet, rest);
    case QueuePacket::Kind::Put:
      return put_arrived(packet, rest);
    case QueuePacket::Kind::GetRequest:
      return interface_.post([this, packet] {
        QueuePacket reply = packet;
        reply.kind = QueuePacket::Kind::GetReply;
        stream(reply, packet.address, nullptr).send(packet.source);
      });
    case QueuePacket::Kind::Atomic:
      return atomic_arrived(packet, rest);
    case QueuePacket::Kind::GetReply:
    case QueuePacket::Kind::AtomicReply:
      return reply_arrived(packet, rest);
    case QueuePacket::Kind::Done:
      return finish(packet.operation, static_cast<Status>(packet.status));
    case QueuePacket::Kind::BarrierClear:
      return complete(Event::Barrier, Status::Good, packet.operation, 0);
  }
}

template <class Subject, class Step>
void NicQueues::note(const Subject& subject, Step step) const {
  if (trace_ != nullptr) trace_->note(subject, step, interface_.now());
}

void NicQueues::answer(const QueuePacket& packet, QueuePacket::Kind kind, Status status, Bytes data) {
  QueuePacket reply = packet;
  reply.kind = kind;
  reply.status = static_cast<std::uint32_t>(status);
  interface_.post([this, reply, bytes = packet_with(reply, data)] {
    note(reply, PacketStep::Begun);
    interface_.transmit(reply.source, bytes);
  });
}

void NicQueues::put_arrived(const QueuePacket& packet, std::span<const std::byte> rest) {
  Incoming& put = incoming_[{packet.source, packet.operation}];
  if (packet.offset == 0 && packet.sequence != 0) {
    std::copy_n(rest.begin(), queue::kHeaderBytes, put.header.begin());
    rest = rest.subspan(queue::kHeaderBytes);
  }
  const auto bad = static_cast<std::uint32_t>(Status::BadRemoteAddress);
  if (packet.status != 0) put.status = packet.status;
  if (!rest.empty() && put.status == 0 && !interface_.write(packet.address + packet.offset, rest)) {
    put.status = bad;
    interface_.report(
        fmt::format("a put of {} bytes from {} {} to {:#x}: the program has not mapped this "
                    "address to be written",
                    packet.total, name_.find(", rank ") == std::string::npos ? "node" : "rank", packet.source,
                    packet.address));
  }
  if (!rest.empty()) note(packet, PacketStep::Written);
  put.received += rest.size();
  if (put.received < packet.total && packet.status == 0) return;
  Incoming ended = std::move(put);
  incoming_.erase({packet.source, packet.operation});
  if (packet.acknowledge != 0) answer(packet, QueuePacket::Kind::Done, static_cast<Status>(ended.status));
  if (packet.sequence != 0)
    arrived_in_order(packet.source, packet.sequence,
                     {ended.header,
                      {},
                      MessageTrace::message_of(packet),
                      message_id(packet.source, packet.operation - 1)});
}

void NicQueues::send_arrived(const QueuePacket& packet, std::span<const std::byte> rest) {
  Incoming& message = incoming_[{packet.source, packet.operation}];
  if (packet.offset == 0) {
    std::copy_n(rest.begin(), queue::kHeaderBytes, message.header.begin());
    rest = rest.subspan(queue::kHeaderBytes);
    message.data.resize(packet.total);
  }
  // Packets of a message may overtake each other where routing is adaptive.
  if (message.data.size() < packet.total) message.data.resize(packet.total);
  std::copy(rest.begin(), rest.end(), message.data.begin() + static_cast<std::ptrdiff_t>(packet.offset));
  message.received += rest.size();
  if (message.received < packet.total && packet.status == 0) return;
  Message whole{message.header, std::move(message.data), MessageTrace::message_of(packet),
                message_id(packet.source, packet.operation - 1)};
  incoming_.erase({packet.source, packet.operation});
  arrived_in_order(packet.source, packet.sequence, std::move(whole));
}

void NicQueues::atomic_arrived(const QueuePacket& packet, std::span<const std::byte> rest) {
  AtomicOperands operands;
  std::memcpy(&operands, rest.data(), sizeof operands);
  std::array<std::byte, 8> word;
  Status status = Status::Good;
  if (!interface_.read(packet.address, word)) status = Status::BadRemoteAddress;
  const std::uint64_t old = word_at(word.data());
  std::uint64_t now = operands.operand;
  const auto opcode = static_cast<Opcode>(operands.opcode);
  if (opcode == Opcode::FetchAdd) now = old + operands.operand;
  if (opcode == Opcode::CompareSwap && old != operands.expected) now = old;
  if (status == Status::Good && now != old && !interface_.write(packet.address, bytes_of(now)))
    status = Status::BadRemoteAddress;
  QueuePacket reply = packet;
  reply.total = 8;
  answer(reply, QueuePacket::Kind::AtomicReply, status, {word.begin(), word.end()});
}

void NicQueues::reply_arrived(const QueuePacket& packet, std::span<const std::byte> rest) {
  const auto found = open_.find(packet.operation);
  if (found == open_.end()) return;
  if (packet.status != 0) {
    // The peer could not read it: the address was local there.
    interface_.report(fmt::format("an operation on the peer's {:#x} fails: {}", packet.address,
                                  text_of(Status::BadRemoteAddress)));
    return finish(packet.operation, Status::BadRemoteAddress);
  }
  Open& open = found->second;
  if (!rest.empty() && !interface_.write(open.local + packet.offset, rest)) {
    interface_.report(fmt::format("the result of an operation cannot be written to {:#x}: {}", open.local,
                                  text_of(Status::BadLocalAddress)));
    return finish(packet.operation, Status::BadLocalAddress);
  }
  if (!rest.empty()) note(packet, PacketStep::Written);
  open.received += rest.size();
  if (open.received >= open.total) finish(packet.operation, Status::Good);
}

// ---- messages ----

void NicQueues::arrived_in_order(std::uint32_t source, std::uint64_t sequence, Message message) {
  Sequence& from = from_[source];
  from.early.emplace(sequence, std::move(message));
  while (!from.early.empty() && from.early.begin()->first == from.next) {
    waiting_.push_back(std::move(from.early.begin()->second));
    from.early.erase(from.early.begin());
    ++from.next;
  }
  fill_slots();
}

/// Moves messages into free slots, in the order in which they came.
void NicQueues::fill_slots() {
  if (filling_) return;  // the other engine is doing it
  filling_ = true;
  const std::uint64_t entries = value(NicRegister::SlotEntries), size = value(NicRegister::SlotBytes);
  while (!waiting_.empty() && slots_filled_ - value(NicRegister::SlotHead) < entries) {
    const Message message = std::move(waiting_.front());
    waiting_.pop_front();
    if (message.data.size() > size - queue::kHeaderBytes) {
      interface_.report(fmt::format("a message of {} bytes is lost: slots hold {}", message.data.size(),
                                    size - queue::kHeaderBytes));
      continue;
    }
    const std::uint64_t slot = slots_filled_++;
    const std::uint64_t at = value(NicRegister::Slots) + slot % entries * size;
    Bytes bytes(message.header.size() + message.data.size());
    std::ranges::copy(message.data, std::ranges::copy(message.header, bytes.begin()).out);
    note(message.traced, MessageStep::Slot);
    if (!interface_.write(at, bytes))
      throw UserError(
          fmt::format("{}: network interface: the slot for messages at {:#x} is outside the "
                      "memory of the program",
                      name_, at));
    note(message.traced, MessageStep::SlotWritten);
    complete(Event::Message, Status::Good, slot, message.data.size(), message.traced, message.id);
  }
  filling_ = false;
}

}  // namespace psim::cosim
