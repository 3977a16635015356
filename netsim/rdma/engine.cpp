// SPDX-License-Identifier: Apache-2.0
#include "netsim/rdma/engine.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "netsim/rdma/atomic.h"

namespace psim::net::rdma {
namespace {

// Envelope::spare of data.
constexpr std::uint16_t kAddressed = 1, kProgramAcknowledges = 2;

/// Stores the destination address in context and tag of the envelope.
void set_address(Envelope& envelope, std::uint64_t address) {
  envelope.context = static_cast<std::uint32_t>(address);
  envelope.tag = std::bit_cast<std::int32_t>(static_cast<std::uint32_t>(address >> 32));
}
std::uint64_t address_of(const Envelope& envelope) {
  return std::uint64_t{std::bit_cast<std::uint32_t>(envelope.tag)} << 32 | envelope.context;
}

/// Returns the bytes of an atomic operation's operands in its control packet.
std::uint64_t operand_bytes(const Operation& operation) {
  if (operation.action == Action::Copy) return 0;
  return operation.action == Action::CompareAndSwap ? 2 * operation.bytes : operation.bytes;
}

}  // namespace

Engine::Engine(Host& host, const RdmaConfig& config, Client& client, std::uint8_t kind)
    : host_(host), config_(config), client_(client), kind_(kind) {}

OperationOrder& Engine::order(std::uint32_t rank) {
  if (orders_.empty()) orders_.resize(host_.ranks());
  auto& order = orders_[rank];
  if (!order) order = std::make_unique<OperationOrder>(config_.outstanding);
  return *order;
}

Envelope Engine::envelope(Kind kind, std::uint32_t from, std::uint32_t to, std::uint32_t initiator,
                          std::uint32_t handle) {
  Envelope envelope;
  envelope.source = RankId{from};
  envelope.destination = RankId{to};
  envelope.rank = initiator;
  envelope.sender = handle;
  envelope.kind = kind_;
  envelope.flags = static_cast<std::uint8_t>(kind);
  return envelope;
}

Handle Engine::start(std::uint32_t rank, const Operation& operation, Order when) {
  count(rank, operation);
  std::vector<Handle> start;
  const Handle handle = order(rank).add(operation, when, start);
  begin(rank, start);
  return handle;
}

void Engine::count(std::uint32_t rank, const Operation& operation) {
  counts_.bytes += operation.bytes;
  if (operation.action == Action::Perform)
    ++counts_.one_sided;
  else if (operation.action != Action::Copy)
    ++counts_.atomics;
  else if (operation.source != rank)
    ++(operation.destination == rank ? counts_.gets : counts_.copies);
  else
    ++(operation.destination == rank ? counts_.own : counts_.puts);
}

void Engine::send_control(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                          std::uint64_t bytes) {
  ++counts_.control_packets;
  counts_.control_bytes += wire_bytes;
  host_.send_control(envelope, wire_bytes, data, bytes);
}

void Engine::send_in_place(const Envelope& envelope, const std::byte* data, std::uint64_t bytes) {
  ++counts_.data_messages;
  counts_.data_bytes += envelope.bytes;
  host_.send_in_place(envelope, envelope.bytes, data, bytes);
}

std::uint32_t Engine::keep(std::vector<std::byte> payload) {
  std::uint32_t number = static_cast<std::uint32_t>(payloads_.size());
  if (free_payloads_.empty()) {
    payloads_.emplace_back();
  } else {
    number = free_payloads_.back();
    free_payloads_.pop_back();
  }
  payloads_[number] = std::move(payload);
  return number;
}

void Engine::drop(std::uint32_t payload) {
  payloads_[payload] = {};
  free_payloads_.push_back(payload);
}

void Engine::send_payload(Envelope message, bool by_control, std::uint32_t payload) {
  const std::vector<std::byte>& bytes = payloads_[payload];
  const std::byte* const data = bytes.empty() ? nullptr : bytes.data();
  if (by_control) {
    send_control(message, config_.control.count, data, bytes.size());
    drop(payload);
  } else {
    message.receiver = payload;
    send_in_place(message, data, bytes.size());
  }
}

Handle Engine::perform(std::uint32_t rank, Operation operation, std::vector<std::byte> payload) {
  operation.action = Action::Perform;
  operation.payload = keep(std::move(payload));
  return start(rank, operation, {});
}

void Engine::begin(std::uint32_t rank, const std::vector<Handle>& handles) {
  counts_.most_under_way = std::max<std::uint64_t>(counts_.most_under_way, order(rank).under_way());
  counts_.most_open = std::max(counts_.most_open, order(rank).open());
  for (const Handle next : handles) begin(rank, next);
}

void Engine::begin(std::uint32_t rank, Handle handle) {
  const Operation& operation = order(rank)[handle];
  const auto low = static_cast<std::uint32_t>(handle);
  if (operation.action == Action::Perform) {
    Envelope message = envelope(Kind::Perform, rank, operation.source, rank, low);
    message.context = operation.context;
    message.bytes = operation.bytes;
    return send_payload(message, operation.by_control, operation.payload);
  }
  if (operation.action == Action::Copy && operation.source == rank) return send_data(rank, low, operation);
  const Envelope request = envelope(Kind::Request, rank, operation.source, rank, low);
  send_control(request, config_.control.count + operand_bytes(operation),
               reinterpret_cast<const std::byte*>(&operation), sizeof operation);
}

void Engine::send_data(std::uint32_t initiator, std::uint32_t handle, const Operation& operation) {
  Envelope data = envelope(Kind::Data, operation.source, operation.destination, initiator, handle);
  data.bytes = operation.bytes;
  set_address(data, operation.to);
  if (operation.addressed) data.spare |= kAddressed;
  if (operation.program_acknowledges) data.spare |= kProgramAcknowledges;
  const std::byte* from =
      operation.addressed ? client_.find(operation.source, operation.from, operation.bytes) : nullptr;
  const bool carry = from != nullptr && operation.bytes > 0 && client_.carries(operation.bytes);
  send_in_place(data, carry ? from : nullptr, carry ? operation.bytes : 0);
}

void Engine::requested(const Envelope& request, const std::byte* data) {
  Operation operation;
  std::memcpy(&operation, data, sizeof operation);
  if (operation.action == Action::Copy) return send_data(request.rank, request.sender, operation);
  std::byte* memory = client_.find(operation.source, operation.from, operation.bytes);
  const std::uint64_t old =
      rdma::perform(operation, host_.memory(RankId{operation.source}, memory, operation.bytes));
  Envelope answer = envelope(Kind::Old, operation.source, request.rank, request.rank, request.sender);
  answer.bytes = operation.bytes;
  set_address(answer, operation.to);
  ++counts_.data_messages;
  counts_.data_bytes += operation.bytes;
  const auto half = static_cast<std::uint32_t>(old);
  const void* const value = operation.bytes == sizeof half ? static_cast<const void*>(&half) : &old;
  host_.send(answer, operation.bytes, static_cast<const std::byte*>(value), operation.bytes);
}

void Engine::data_arrived(const Envelope& envelope_in, const std::byte* data, std::uint64_t bytes) {
  const std::uint32_t here = index(envelope_in.destination), initiator = envelope_in.rank;
  const bool addressed = (envelope_in.spare & kAddressed) != 0;
  if (addressed) {
    std::byte* to = client_.find(here, address_of(envelope_in), envelope_in.bytes);
    if (data != nullptr) std::memcpy(host_.memory(RankId{here}, to, bytes), data, bytes);
  }
  if (initiator == here) return finish(here, envelope_in.sender);
  if ((envelope_in.spare & kProgramAcknowledges) == 0)
    send_control(envelope(Kind::Done, here, initiator, initiator, envelope_in.sender), config_.control.count);
  client_.arrived({index(envelope_in.source), here, envelope_in.bytes, addressed});
}

void Engine::acknowledge(std::uint32_t rank, std::uint32_t source) {
  send_control(envelope(Kind::Acknowledgement, rank, source, source, 0), config_.control.count);
}

void Engine::finish(std::uint32_t rank, std::uint32_t low) {
  OperationOrder& mine = order(rank);
  const Handle handle = mine.whole(low);
  std::vector<Handle> start;
  mine.done(handle, start);
  begin(rank, start);
  client_.completed(rank, handle);
}

/// Releases the engine's payload of the message, if it had one.
void Engine::departed(const Envelope& message) {
  if (message.receiver != 0) drop(message.receiver);
}

void Engine::arrived(const Envelope& message, const std::byte* data, std::uint64_t bytes) {
  const std::uint32_t here = index(message.destination);
  switch (static_cast<Kind>(message.flags)) {
    case Kind::Request:
      return requested(message, data);
    case Kind::Data:
      return data_arrived(message, data, bytes);
    case Kind::Done:
      return finish(here, message.sender);
    case Kind::Old: {
      std::byte* to = client_.find(here, address_of(message), bytes);
      std::memcpy(host_.memory(RankId{here}, to, bytes), data, bytes);
      return finish(here, message.sender);
    }
    case Kind::Perform: {
      Answer answer = client_.perform(message, data, bytes);
      Envelope reply = envelope(Kind::Answer, here, message.rank, message.rank, message.sender);
      reply.context = message.context;
      reply.bytes = answer.bytes;
      return send_payload(reply, answer.bytes == 0, keep(std::move(answer.data)));
    }
    case Kind::Answer: {
      const std::uint32_t token = order(here)[order(here).whole(message.sender)].token;
      finish(here, message.sender);
      return client_.replied(token, message, data, bytes);
    }
    case Kind::Acknowledgement: {
      const std::uint32_t from = index(message.source);
      const Handle put = order(here).find(
          [=](const Operation& o) { return o.program_acknowledges && o.destination == from; });
      if (put != 0) return finish(here, static_cast<std::uint32_t>(put));
      host_.abort_job(1, "rank " + std::to_string(from) + " acknowledges a put of rank " +
                             std::to_string(here) + " that is not under way");
    }
  }
}

}  // namespace psim::net::rdma
