// SPDX-License-Identifier: Apache-2.0
#include "cosim/nic_queues.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "cosim/message_header.h"
#include "cosim/message_trace.h"
#include "cosim/node_paths.h"
#include "cosim/packet_stream.h"
#include "isa/memory/guest_memory.h"

namespace psim::cosim {

using isa::big_endian;
using queue::Opcode, queue::Status, queue::Event;

namespace {

queue::Descriptor from_program(const std::byte* bytes) {
  queue::Descriptor d;
  std::memcpy(&d, bytes, sizeof d);
  for (std::uint32_t* word : {&d.opcode, &d.flags, &d.peer}) *word = big_endian(*word);
  for (std::uint64_t* word : {&d.local, &d.remote, &d.bytes, &d.operand, &d.expected, &d.cookie})
    *word = big_endian(*word);
  return d;
}

bool is_atomic(Opcode opcode) { return opcode >= Opcode::FetchAdd && opcode <= Opcode::CompareSwap; }

}  // namespace

std::string_view text_of(Status status) {
  switch (status) {
    case Status::Good:
      return "good";
    case Status::UnknownOpcode:
      return "the opcode is unknown";
    case Status::NoSuchPeer:
      return "the peer does not exist, or is this node";
    case Status::BadLength:
      return "the length is wrong";
    case Status::BadLocalAddress:
      return "the program has not mapped the local address for this access";
    case Status::BadRemoteAddress:
      return "the peer's program has not mapped the remote address for this access";
    case Status::Misaligned:
      return "the remote address of an atomic operation is no multiple of 8";
  }
  return "unknown";
}

NicQueues::NicQueues(QueueInterface& interface, std::string name, std::uint32_t rank, std::uint32_t ranks,
                     std::uint64_t packet_bytes, std::uint32_t dma_reads)
    : interface_(interface),
      name_(std::move(name)),
      rank_(rank),
      ranks_(ranks),
      packet_bytes_(std::max<std::uint64_t>(packet_bytes, sizeof(QueuePacket) + queue::kHeaderBytes + 64)),
      dma_reads_(dma_reads) {}

// ---- registers ----

void NicQueues::write_register(NicRegister which, std::uint64_t written, const StoreOrigin& origin) {
  const auto check = [&](bool good, std::string_view what, const std::string& expected) {
    if (!good)
      throw UserError(
          fmt::format("{}: network interface: {} = {}; expected {}", name_, what, written, expected));
  };
  switch (which) {
    case NicRegister::Version:
      check(written == queue::kVersion, "version",
            fmt::format("{}, the version of this psim: build the program again with psim-sparc-cc",
                        queue::kVersion));
      break;
    case NicRegister::SubmissionEntries:
    case NicRegister::CompletionEntries:
    case NicRegister::SlotEntries:
      check(std::has_single_bit(written) && written <= queue::kMostEntries, "entries of a queue",
            fmt::format("a power of two up to {}", queue::kMostEntries));
      break;
    case NicRegister::SlotBytes:
      check(written % 64 == 0 && written > queue::kHeaderBytes && written <= (1u << 24), "slot bytes",
            "a multiple of 64 from 128 to 2^24");
      break;
    case NicRegister::SubmissionTail:
      check(value(NicRegister::SubmissionEntries) != 0 && value(NicRegister::CompletionEntries) != 0,
            "submission tail", "the queues' addresses and sizes before it");
      // Stores of several cores may come in another order than that of their values.
      if (written <= value(which)) return;
      check(written - submitted_ <= value(NicRegister::SubmissionEntries), "submission tail",
            fmt::format("{} to {}", submitted_, submitted_ + value(NicRegister::SubmissionEntries)));
      break;
    case NicRegister::SlotHead:
      if (written <= value(which)) return;
      check(written <= slots_filled_, "slot head",
            fmt::format("{} to {}, the number of slots filled", value(which), slots_filled_));
      break;
    case NicRegister::BarrierFlag:
      check(value(NicRegister::CompletionEntries) != 0, "barrier flag",
            "the queues' addresses and sizes before it");
      break;
    case NicRegister::CompletionHead:
      if (written <= value(which)) return;
      break;
    case NicRegister::Signal:
      return interface_.signal();
    default:
      break;
  }
  const std::uint64_t before = value(which);
  value(which) = written;
  if (which == NicRegister::SubmissionTail && trace_ != nullptr)
    trace_->doorbell_arrived(rank_, written, interface_.now());
  if (which == NicRegister::SubmissionTail)
    for (std::uint64_t number = before; number < written; ++number)
      interface_.post([this, origin] { submit(origin); });
  if ((which == NicRegister::SlotHead || which == NicRegister::SlotEntries) && !waiting_.empty())
    interface_.post([this] { fill_slots(); });
}

// ---- operations of this node ----

void NicQueues::submit(const StoreOrigin& doorbell) {
  const std::uint64_t begun = interface_.now(), number = submitted_++;
  std::array<std::byte, sizeof(queue::Descriptor)> bytes;
  const std::uint64_t at = value(NicRegister::Submissions) +
                           number % value(NicRegister::SubmissionEntries) * sizeof(queue::Descriptor);
  if (!interface_.read(at, bytes))
    throw UserError(
        fmt::format("{}: network interface: the ring of descriptors at {:#x} is outside the "
                    "memory of the program; doorbell: {}",
                    name_, at, interface_.place(doorbell)));
  perform(from_program(bytes.data()), {number, begun, doorbell});
}

Status NicQueues::check(const queue::Descriptor& d) const {
  const auto opcode = static_cast<Opcode>(d.opcode);
  if (opcode < Opcode::Send || opcode > Opcode::CompareSwap) return Status::UnknownOpcode;
  if (d.peer >= ranks_ || d.peer == rank_) return Status::NoSuchPeer;
  if (d.bytes > queue::kMostBytes) return Status::BadLength;
  if (is_atomic(opcode) && d.remote % 8 != 0) return Status::Misaligned;
  return Status::Good;
}

void NicQueues::perform(const queue::Descriptor& d, const Submission& submission) {
  Status status = check(d);
  const auto opcode = static_cast<Opcode>(d.opcode);
  QueuePacket packet{.source = rank_, .operation = ++operations_, .address = d.remote, .total = d.bytes};
  packet.traced = trace_ != nullptr &&
                  trace_->begin(rank_, submission.number, d, status, submission.begun, interface_.now());
  const std::uint64_t traced = MessageTrace::message_of(packet), id = message_id(rank_, submission.number);
  if (status != Status::Good) {
    report_error(submission, d, status);
    return complete(Event::Done, status, d.cookie, 0, traced, id);
  }
  const bool waits = opcode >= Opcode::Get || (opcode == Opcode::Put && (d.flags & queue::kRemote) != 0);
  if (paths_ != nullptr)
    paths_->begun(rank_, submission.number, d.peer, has_header(d.opcode, d.flags) ? 2 : 1, waits);
  if (waits) open_[packet.operation] = {d.cookie, d.local, is_atomic(opcode) ? 8 : d.bytes, 0, traced};
  switch (opcode) {
    case Opcode::Send:
    case Opcode::Put: {
      const bool message = opcode == Opcode::Send || (d.flags & queue::kNotify) != 0;
      packet.kind = opcode == Opcode::Send ? QueuePacket::Kind::Send : QueuePacket::Kind::Put;
      packet.acknowledge = waits;
      if (message) packet.sequence = ++sent_[d.peer];
      status = stream(packet, d.local, message ? d.header : nullptr).send(d.peer);
      if (status != Status::Good) report_error(submission, d, status);
      if (!waits) complete(Event::Done, status, d.cookie, d.bytes, traced, id);
      break;
    }
    case Opcode::Get:
      packet.kind = QueuePacket::Kind::GetRequest;
      interface_.transmit(d.peer, packet_with(packet));
      break;
    default: {
      packet.kind = QueuePacket::Kind::Atomic;
      const AtomicOperands operands{d.opcode, d.operand, d.expected};
      interface_.transmit(d.peer, packet_with(packet, std::as_bytes(std::span(&operands, 1))));
    }
  }
}

PacketStream NicQueues::stream(const QueuePacket& packet, std::uint64_t local, const unsigned char* header) {
  return {interface_, packet_bytes_, dma_reads_, packet, local, header, trace_};
}

void NicQueues::finish(std::uint64_t operation, Status status) {
  const auto found = open_.find(operation);
  if (found == open_.end()) return;
  const Open ended = found->second;
  open_.erase(found);
  complete(Event::Done, status, ended.cookie, ended.received, ended.traced, message_id(rank_, operation - 1));
}

void NicQueues::complete(Event event, Status status, std::uint64_t value_in, std::uint64_t bytes,
                         std::uint64_t traced, std::uint64_t id) {
  const std::uint64_t number = ++completed_;
  const std::uint64_t entries = value(NicRegister::CompletionEntries);
  const std::uint64_t at =
      value(NicRegister::Completions) + (number - 1) % entries * sizeof(queue::Completion);
  if (number - value(NicRegister::CompletionHead) > entries)
    throw UserError(
        fmt::format("{}: network interface: the ring of {} completions is full; expected a "
                    "program that reads them and writes their number to the register",
                    name_, entries));
  queue::Completion entry{big_endian(number), big_endian(static_cast<std::uint32_t>(event)),
                          big_endian(static_cast<std::uint32_t>(status)), big_endian(value_in),
                          big_endian(bytes)};
  if (!interface_.write(at, std::as_bytes(std::span(&entry, 1))))
    throw UserError(
        fmt::format("{}: network interface: the ring of completions at {:#x} is outside the "
                    "memory of the program",
                    name_, at));
  if (trace_ != nullptr) trace_->completed(rank_, traced, at, interface_.now());
  if (paths_ != nullptr && id != 0) paths_->completed(rank_, id, interface_.now());
  interface_.signal();
}

void NicQueues::report_error(const Submission& submission, const queue::Descriptor& d, Status status) {
  interface_.report(
      fmt::format("descriptor {}: {}; opcode {}, peer {}, local {:#x}, remote {:#x}, {} bytes: it completes "
                  "with status {}; doorbell: {}",
                  submission.number, text_of(status), d.opcode, d.peer, d.local, d.remote, d.bytes,
                  static_cast<std::uint32_t>(status), interface_.place(submission.doorbell)));
}

bool NicQueues::report_stuck() {
  if (value(NicRegister::CompletionEntries) == 0) return false;
  interface_.post([this] { complete(Event::Stuck, Status::Good, 0, 0); });
  return true;
}

std::string NicQueues::describe() const {
  if (value(NicRegister::CompletionEntries) == 0) return "queues not set up";
  return fmt::format(
      "{} of {} descriptors begun, {} operations wait for an answer, {} completions, {} messages "
      "in slots not yet returned, {} wait for a slot",
      submitted_, value(NicRegister::SubmissionTail), open_.size(), completed_,
      slots_filled_ - value(NicRegister::SlotHead), waiting_.size());
}

}  // namespace psim::cosim
