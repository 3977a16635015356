// SPDX-License-Identifier: Apache-2.0
#include "cosim/nic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/console.h"
#include "base/error.h"

namespace psim::cosim {

using sc_core::sc_time;

namespace {

std::uint64_t big_endian_at(const unsigned char* bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value = value << 8 | bytes[i];
  return value;
}

void describe(tlm::tlm_generic_payload& payload, tlm::tlm_command command, std::uint64_t address,
              std::byte* data, std::size_t bytes) {
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(data));
  payload.set_data_length(static_cast<unsigned>(bytes));
  payload.set_streaming_width(static_cast<unsigned>(bytes));
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

/// Packets of queues that the interface holds, beyond the one on the channel.
constexpr std::uint64_t kBufferedPackets = 4;

/// Returns the prefix of the names of its parts.
std::string prefix_of(const NicMessage& message) {
  if (message.kind == NicMessage::Kind::Get) return "request: ";
  return message.kind == NicMessage::Kind::Done ? "answer: " : "";
}

/// Returns true if the message belongs to the operation that its program waits for. The answer to a put that
/// wrote a flag at the peer does not.
bool counts(const NicMessage& message) { return message.kind != NicMessage::Kind::Done || message.flag == 0; }

}  // namespace

Nic::Nic(sc_core::sc_module_name name, std::uint32_t node, std::uint32_t nodes, const NicConfig& config,
         NicChannel channel, OperationLog& log, Failure& failure, FlagListener listener, EventListener event)
    : sc_core::sc_module(name),
      node_(node),
      nodes_(nodes),
      setup_(from_ps(static_cast<std::uint64_t>(config.setup.count()))),
      channel_(std::move(channel)),
      log_(log),
      failure_(failure),
      listener_(std::move(listener)),
      event_(std::move(event)),
      queues_(*this, node, nodes, channel_.packet_bytes, config.dma_reads) {
  in_registers.register_b_transport(this, &Nic::write_register);
  in_packets.register_b_transport(this, &Nic::take_packets);
  SC_HAS_PROCESS(Nic);
  SC_THREAD(sending);
  SC_THREAD(receiving);
}

void Nic::write_register(int, tlm::tlm_generic_payload& payload, sc_time& delay) {
  wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  const std::uint64_t offset = payload.get_address() - kNicWindow;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (!payload.is_write() || payload.get_data_length() != 8 || offset % 8 != 0 ||
      offset / 8 >= kNicRegisters) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  const std::uint64_t value = big_endian_at(payload.get_data_ptr());
  const auto which = static_cast<NicRegister>(offset);
  try {
    if (which == NicRegister::Abort) return failure_.end(static_cast<int>(value & 0xff));
    if (offset / 8 >= registers_.size()) return queues_.write_register(which, value);
    registers_[offset / 8] = value;
    if (which == NicRegister::Doorbell) ring(value);
  } catch (...) {
    failure_.set(std::current_exception());
  }
}

void Nic::ring(std::uint64_t kind) {
  const auto check = [&](bool good, const char* what, std::uint64_t got, const std::string& expected) {
    if (!good)
      throw UserError(
          fmt::format("node {}: the interface's {} is {}; expected {}", node_, what, got, expected));
  };
  const std::uint64_t bytes = reg(NicRegister::Bytes), peer = reg(NicRegister::Peer);
  check(kind == kPut || kind == kGet, "doorbell", kind, "1 to put or 2 to get");
  check(bytes - 1 < kMostBytes, "number of bytes", bytes, fmt::format("1 to {}", kMostBytes));
  check(peer < nodes_ && peer != node_, "peer", peer, fmt::format("another node, below {}", nodes_));
  const auto to = static_cast<std::uint32_t>(peer);
  const bool put = kind == kPut;
  const std::uint64_t number =
      log_.begin({.put = put, .node = node_, .peer = to, .bytes = bytes}, present_ps());
  NicMessage message{.kind = put ? NicMessage::Kind::Put : NicMessage::Kind::Get,
                     .source = node_,
                     .operation = number,
                     .address = put ? reg(NicRegister::Remote) : reg(NicRegister::Local),
                     .bytes = bytes,
                     .flag = put ? reg(NicRegister::Notify) : reg(NicRegister::Remote),
                     .done = reg(NicRegister::Done),
                     .value = reg(NicRegister::Value)};
  for (const std::uint64_t flag : {message.done, put ? message.flag : 0})
    check(flag % 8 == 0, "flag", flag, "an address that is a multiple of 8, or 0 for none");
  post_message({message, to, reg(NicRegister::Local)});
}

void Nic::post_message(Outgoing job) {
  post([this, job] { send(job); });
}

void Nic::post(std::function<void()> job) {
  outgoing_.push_back(std::move(job));
  outgoing_more_.notify();
}

void Nic::sending() {
  for (;;) {
    while (outgoing_.empty()) wait(outgoing_more_);
    const std::function<void()> job = std::move(outgoing_.front());
    outgoing_.pop_front();
    try {
      job();
    } catch (const UserError&) {
      failure_.set(std::current_exception());
      return;
    }
  }
}

void Nic::send(const Outgoing& job) {
  const NicMessage& message = job.message;
  const bool carries = message.kind == NicMessage::Kind::Put || message.kind == NicMessage::Kind::Reply;
  const auto done = [&](const char* what, std::uint64_t time) {
    if (counts(message)) log_.part(message.operation, prefix_of(message) + what, time);
  };
  done("queue", present_ps());
  Bytes bytes(sizeof message + (carries ? message.bytes : 0));
  std::memcpy(bytes.data(), &message, sizeof message);
  if (carries) {
    dma(true, job.from, bytes.data() + sizeof message, message.bytes);
    done("dma read", present_ps());
  }
  tlm::tlm_generic_payload payload;
  describe(payload, tlm::TLM_WRITE_COMMAND, job.to, bytes.data(), bytes.size());
  sc_time delay = setup_;  // announced now to the network, which it enters then
  done("setup", present_ps() + to_ps(setup_));
  out_packets->b_transport(payload, delay);
  wait(delay);
}

void Nic::take_packets(tlm::tlm_generic_payload& payload, sc_time& delay) {
  wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  const auto* const data = reinterpret_cast<const std::byte*>(payload.get_data_ptr());
  Bytes& bytes = incoming_.emplace_back(data, data + payload.get_data_length());
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  NicMessage message;
  std::memcpy(&message, bytes.data(), sizeof message);
  incoming_more_.notify();
  if (message.kind > NicMessage::Kind::Done) return;
  if (counts(message)) log_.crossed(message.operation, prefix_of(message), bytes.size(), present_ps());
}

void Nic::receiving() {
  for (;;) {
    while (incoming_.empty()) wait(incoming_more_);
    const Bytes arrived = std::move(incoming_.front());
    incoming_.pop_front();
    try {
      receive(arrived);
    } catch (const UserError&) {
      failure_.set(std::current_exception());
      return;
    }
  }
}

void Nic::receive(const Bytes& arrived) {
  NicMessage message;
  std::memcpy(&message, arrived.data(), sizeof message);
  if (message.kind > NicMessage::Kind::Done) return queues_.receive(arrived);
  const std::uint64_t operation = message.operation;
  const auto done = [&](const char* what) {
    if (counts(message)) log_.part(operation, prefix_of(message) + what, present_ps());
  };
  done("queue");
  switch (message.kind) {
    case NicMessage::Kind::Put:
    case NicMessage::Kind::Reply: {
      Bytes data(arrived.begin() + sizeof message, arrived.end());
      dma(false, message.address, data.data(), data.size());
      const bool put = message.kind == NicMessage::Kind::Put;
      const std::uint64_t flag = put ? message.flag : message.done;
      if (flag != 0) write_flag(flag, message.value);
      done("dma write");
      if (!put && flag != 0) log_[operation].completed = present_ps();
      if (flag != 0)
        listener_(flag, operation);
      else if (!put || message.done == 0)
        log_.end(operation, "", present_ps());
      if (!put) break;
      // If the peer's program waits for the put, the operation's parts continue there.
      message.kind = NicMessage::Kind::Done;
      post_message({message, static_cast<std::uint32_t>(message.source), 0});
      break;
    }
    case NicMessage::Kind::Get: {
      NicMessage reply = message;
      reply.kind = NicMessage::Kind::Reply;
      post_message({reply, static_cast<std::uint32_t>(message.source), message.flag});
      break;
    }
    case NicMessage::Kind::Done:
      if (message.done == 0) break;
      write_flag(message.done, message.value);
      log_[operation].completed = present_ps();
      done("dma write");
      if (message.flag == 0) listener_(message.done, operation);
      break;
  }
}

void Nic::write_flag(std::uint64_t address, std::uint64_t value) {
  std::byte bytes[8];
  for (int i = 0; i < 8; ++i) bytes[i] = static_cast<std::byte>(value >> (56 - 8 * i));
  dma(false, address, bytes, sizeof bytes);
  event_();
}

bool Nic::access(bool read, std::uint64_t address, std::byte* data, std::uint64_t bytes) {
  tlm::tlm_generic_payload payload;
  describe(payload, read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, address, data, bytes);
  sc_time delay = sc_core::SC_ZERO_TIME;
  out_dma->b_transport(payload, delay);
  wait(delay);
  return payload.get_response_status() == tlm::TLM_OK_RESPONSE;
}

void Nic::dma(bool read, std::uint64_t address, std::byte* data, std::uint64_t bytes) {
  if (!access(read, address, data, bytes))
    throw UserError(
        fmt::format("node {}: the interface cannot {} {} bytes at {:#x}: the program has not "
                    "mapped them{}",
                    node_, read ? "read" : "write", bytes, address, read ? "" : " to be written"));
}

// ---- for the queues ----

QueueInterface::Reading Nic::begin_read(std::uint64_t address, std::span<std::byte> bytes) {
  tlm::tlm_generic_payload payload;
  describe(payload, tlm::TLM_READ_COMMAND, address, bytes.data(), bytes.size());
  sc_time delay = sc_core::SC_ZERO_TIME;
  out_dma->b_transport(payload, delay);
  return {payload.get_response_status() == tlm::TLM_OK_RESPONSE, present_ps() + to_ps(delay)};
}

void Nic::wait_until(std::uint64_t time) {
  if (time > present_ps()) wait(until_ps(time));
}

bool Nic::write(std::uint64_t address, std::span<const std::byte> bytes) {
  return access(false, address, const_cast<std::byte*>(bytes.data()), bytes.size());
}

void Nic::transmit(std::uint32_t to, Bytes packet) {
  const std::uint64_t held = kBufferedPackets * channel_.time(channel_.packet_bytes);
  const std::uint64_t setup = to_ps(setup_);
  if (channel_free_ > present_ps() + setup + held) wait(until_ps(channel_free_ - setup - held));
  channel_free_ = std::max(channel_free_, present_ps() + setup) + channel_.time(packet.size());
  tlm::tlm_generic_payload payload;
  describe(payload, tlm::TLM_WRITE_COMMAND, to, packet.data(), packet.size());
  sc_time delay = setup_;  // the engine continues meanwhile
  out_packets->b_transport(payload, delay);
}

void Nic::report(std::string_view text) {
  console::log("psim: node {}: network interface: {}\n", node_, text);
}

}  // namespace psim::cosim
