// SPDX-License-Identifier: Apache-2.0
#include "cosim/nic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/console.h"
#include "base/error.h"
#include "cosim/address_spaces.h"
#include "cosim/barrier_signal.h"
#include "cosim/message_trace.h"
#include "isa/memory/guest_memory.h"

namespace psim::cosim {

using sc_core::sc_time;

namespace {

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

std::string NicRanks::name(std::uint32_t rank) const {
  if (of_node == 1) return fmt::format("node {}", rank);
  return fmt::format("node {}, rank {}", rank / of_node, rank);
}

Nic::Context::Context(Nic& interface, std::uint32_t number, std::uint32_t dma_reads)
    : nic(interface),
      local(number),
      rank(nic.ranks_.first() + number),
      queues(*this, nic.ranks_.name(rank), rank, nic.ranks_.all, nic.channel_.packet_bytes, dma_reads) {}

Nic::Nic(sc_core::sc_module_name name, const NicRanks& ranks, const NicConfig& config, NicChannel channel,
         OperationLog& log, Failure& failure, FlagListener listener, EventListener event, PcText pc_text)
    : sc_core::sc_module(name),
      ranks_(ranks),
      setup_(from_ps(static_cast<std::uint64_t>(config.setup.count()))),
      channel_(std::move(channel)),
      log_(log),
      failure_(failure),
      listener_(std::move(listener)),
      event_(std::move(event)),
      pc_text_(std::move(pc_text)) {
  for (std::uint32_t local = 0; local < ranks.of_node; ++local)
    contexts_.push_back(std::make_unique<Context>(*this, local, config.dma_reads));
  in_registers.register_b_transport(this, &Nic::write_register);
  in_packets.register_b_transport(this, &Nic::take_packets);
  SC_HAS_PROCESS(Nic);
  SC_THREAD(sending);
  SC_THREAD(receiving);
  if (ranks.of_node > 1) SC_THREAD(looping);
}

void Nic::attach(MessageTrace& trace) {
  trace_ = &trace;
  for (const auto& context : contexts_) context->queues.attach(trace);
}

void Nic::attach(NodePaths& paths) {
  for (const auto& context : contexts_) context->queues.attach(paths);
}

/// Notes a step of a packet of queues, if its message is traced.
void Nic::note(const Bytes& packet, PacketStep step, std::uint64_t time) const {
  if (trace_ == nullptr) return;
  QueuePacket header;
  std::memcpy(&header, packet.data(), sizeof header);
  trace_->note(header, step, time);
}

void Nic::write_register(int core, tlm::tlm_generic_payload& payload, sc_time& delay) {
  wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  const std::uint64_t offset = payload.get_address() - kNicWindow;
  const bool good =
      payload.is_write() && payload.get_data_length() == 8 && offset % 8 == 0 && offset / 8 < kNicRegisters;
  payload.set_response_status(good ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
  if (!good) return;
  std::uint64_t stored;
  std::memcpy(&stored, payload.get_data_ptr(), sizeof stored);
  const std::uint64_t value = isa::big_endian(stored);
  const auto which = static_cast<NicRegister>(offset);
  Context& context = *contexts_[static_cast<std::uint32_t>(core) / ranks_.cores];
  const auto* const extension = payload.get_extension<PcExtension>();
  const StoreOrigin origin{static_cast<std::uint32_t>(core), extension != nullptr ? extension->pc : 0};
  try {
    if (which == NicRegister::Abort) return failure_.end(static_cast<int>(value & 0xff));
    if (offset / 8 >= context.registers.size()) {
      context.queues.write_register(which, value, origin);
      if (which == NicRegister::BarrierFlag) set_barrier_flag(context, value);
      return;
    }
    context.registers[offset / 8] = value;
    if (which == NicRegister::Doorbell) ring(context, value);
  } catch (const UserError& problem) {
    failure_.set(std::make_exception_ptr(
        UserError(fmt::format("{}; store: {}", problem.what(), context.place(origin)))));
  } catch (...) {
    failure_.set(std::current_exception());
  }
}

void Nic::set_barrier_flag(const Context& context, std::uint64_t group) {
  tlm::tlm_generic_payload payload;
  std::byte none{};
  describe(payload, tlm::TLM_WRITE_COMMAND, context.rank, &none, 1);
  BarrierExtension signal(group);
  payload.set_extension(&signal);
  sc_time delay = sc_core::SC_ZERO_TIME;
  out_packets->b_transport(payload, delay);
  payload.clear_extension(&signal);
  if (payload.get_response_status() == tlm::TLM_OK_RESPONSE) return;
  throw UserError(fmt::format(
      "{}: barrier flag = {:#x}; expected barrier.network = sync-comm, one rank on each node, and 0 for all "
      "nodes or the bits of nodes of its micro-cluster, with its own",
      ranks_.name(context.rank), group));
}

void Nic::ring(Context& context, std::uint64_t kind) {
  const auto check = [&](bool good, const char* what, std::uint64_t got, const std::string& expected) {
    if (!good)
      throw UserError(fmt::format("{}: the interface's {} is {}; expected {}", ranks_.name(context.rank),
                                  what, got, expected));
  };
  const std::uint64_t bytes = context.reg(NicRegister::Bytes), peer = context.reg(NicRegister::Peer);
  check(kind == kPut || kind == kGet, "doorbell", kind, "1 to put or 2 to get");
  check(bytes - 1 < kMostBytes, "number of bytes", bytes, fmt::format("1 to {}", kMostBytes));
  check(peer < ranks_.all && peer != context.rank, "peer", peer,
        fmt::format("another {}, below {}", ranks_.of_node == 1 ? "node" : "rank", ranks_.all));
  const auto to = static_cast<std::uint32_t>(peer);
  const bool put = kind == kPut;
  const std::uint64_t number =
      log_.begin({.put = put, .node = context.rank, .peer = to, .bytes = bytes}, present_ps());
  NicMessage message{.kind = put ? NicMessage::Kind::Put : NicMessage::Kind::Get,
                     .to = to,
                     .source = context.rank,
                     .operation = number,
                     .address = context.reg(put ? NicRegister::Remote : NicRegister::Local),
                     .bytes = bytes,
                     .flag = context.reg(put ? NicRegister::Notify : NicRegister::Remote),
                     .done = context.reg(NicRegister::Done),
                     .value = context.reg(NicRegister::Value)};
  for (const std::uint64_t flag : {message.done, put ? message.flag : 0})
    check(flag % 8 == 0, "flag", flag, "an address that is a multiple of 8, or 0 for none");
  post_message({message, context.local, context.reg(NicRegister::Local)});
}

void Nic::post_message(Outgoing job) {
  post([this, job] { send(job); });
}

void Nic::post(std::function<void()> job) {
  outgoing_.push_back(std::move(job));
  outgoing_more_.notify();
}

template <class Item, class Handle>
void Nic::serve_in_turn(std::deque<Item>& items, sc_core::sc_event& more, Handle handle) {
  for (;;) {
    while (items.empty()) wait(more);
    const Item item = std::move(items.front());
    items.pop_front();
    try {
      handle(item);
    } catch (const UserError&) {
      return failure_.set(std::current_exception());
    }
  }
}

void Nic::sending() {
  serve_in_turn(outgoing_, outgoing_more_, [](const std::function<void()>& job) { job(); });
}

void Nic::receiving() {
  serve_in_turn(incoming_, incoming_more_, [this](const Bytes& arrived) { receive(arrived); });
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
    dma(true, job.local, job.from, bytes.data() + sizeof message, message.bytes);
    done("dma read", present_ps());
  }
  done("setup", present_ps() + to_ps(setup_));
  count(bytes.size());
  if (inside(message.to)) {
    const std::uint64_t channel = ranks_.loopback_channel ? channel_.time(bytes.size()) : 0;
    deliver_inside(std::move(bytes), present_ps() + to_ps(setup_) + channel);
    return wait(setup_);
  }
  if (carries) count_data_(job.local, true, message.bytes);
  tlm::tlm_generic_payload payload;
  describe(payload, tlm::TLM_WRITE_COMMAND, message.to / ranks_.of_node, bytes.data(), bytes.size());
  sc_time delay = setup_;  // announced now to the network, which it enters then
  out_packets->b_transport(payload, delay);
  wait(delay);
}

void Nic::take_packets(tlm::tlm_generic_payload& payload, sc_time& delay) {
  wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  const auto* const data = reinterpret_cast<const std::byte*>(payload.get_data_ptr());
  const Bytes arrived(data, data + payload.get_data_length());
  NicMessage message;
  std::memcpy(&message, data, sizeof message);
  const bool queued = message.kind > NicMessage::Kind::Done;
  count_data_(message.to - ranks_.first(), false,
              queued ? data_bytes(arrived) : arrived.size() - sizeof message);
  arrive(arrived);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

/// Queues a message for the receiving engine.
void Nic::arrive(Bytes arrived) {
  const Bytes& bytes = incoming_.emplace_back(std::move(arrived));
  count(bytes.size());
  NicMessage message;
  std::memcpy(&message, bytes.data(), sizeof message);
  incoming_more_.notify();
  if (message.kind > NicMessage::Kind::Done) return note(bytes, PacketStep::Arrived, present_ps());
  if (counts(message)) log_.crossed(message.operation, prefix_of(message), bytes.size(), present_ps());
}

void Nic::receive(const Bytes& arrived) {
  NicMessage message;
  std::memcpy(&message, arrived.data(), sizeof message);
  const std::uint32_t local = message.to - ranks_.first();
  if (message.kind > NicMessage::Kind::Done) return queues(local).receive(arrived);
  const std::uint64_t operation = message.operation;
  const auto done = [&](const char* what) {
    if (counts(message)) log_.part(operation, prefix_of(message) + what, present_ps());
  };
  done("queue");
  switch (message.kind) {
    case NicMessage::Kind::Put:
    case NicMessage::Kind::Reply: {
      Bytes data(arrived.begin() + sizeof message, arrived.end());
      dma(false, local, message.address, data.data(), data.size());
      const bool put = message.kind == NicMessage::Kind::Put;
      const std::uint64_t flag = put ? message.flag : message.done;
      if (flag != 0) write_flag(local, flag, message.value);
      done("dma write");
      if (!put && flag != 0) log_[operation].completed = present_ps();
      if (flag != 0)
        listener_(local, flag, operation);
      else if (!put || message.done == 0)
        log_.end(operation, "", present_ps());
      if (!put) break;
      // If the peer's program waits for the put, the operation's parts continue there.
      message.kind = NicMessage::Kind::Done;
      message.to = static_cast<std::uint32_t>(message.source);
      post_message({message, local, 0});
      break;
    }
    case NicMessage::Kind::Get: {
      NicMessage reply = message;
      reply.kind = NicMessage::Kind::Reply;
      reply.to = static_cast<std::uint32_t>(message.source);
      post_message({reply, local, message.flag});
      break;
    }
    case NicMessage::Kind::Done:
      if (message.done == 0) break;
      write_flag(local, message.done, message.value);
      log_[operation].completed = present_ps();
      done("dma write");
      if (message.flag == 0) listener_(local, message.done, operation);
      break;
  }
}

void Nic::write_flag(std::uint32_t local, std::uint64_t address, std::uint64_t value) {
  std::uint64_t stored = isa::big_endian(value);
  dma(false, local, address, reinterpret_cast<std::byte*>(&stored), sizeof stored);
  event_(local);
}

/// Begins to access the memory of rank `local`. Returns whether its program has mapped the bytes for this
/// access, and the time that it takes.
std::pair<bool, sc_time> Nic::begin_access(bool read, std::uint32_t local, std::uint64_t address,
                                           std::byte* data, std::uint64_t bytes) {
  sc_time delay = sc_core::SC_ZERO_TIME;
  if (address >= kSpaceBytes) return {false, delay};
  tlm::tlm_generic_payload payload;
  describe(payload, read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, address + local * kAddressSpace,
           data, bytes);
  out_dma->b_transport(payload, delay);
  return {payload.get_response_status() == tlm::TLM_OK_RESPONSE, delay};
}

bool Nic::access(bool read, std::uint32_t local, std::uint64_t address, std::byte* data,
                 std::uint64_t bytes) {
  const auto [mapped, time] = begin_access(read, local, address, data, bytes);
  wait(time);
  return mapped;
}

void Nic::dma(bool read, std::uint32_t local, std::uint64_t address, std::byte* data, std::uint64_t bytes) {
  if (!access(read, local, address, data, bytes))
    throw UserError(
        fmt::format("{}: the interface cannot {} {} bytes at {:#x}: the program has not "
                    "mapped them{}",
                    ranks_.name(ranks_.first() + local), read ? "read" : "write", bytes, address,
                    read ? "" : " to be written"));
}

// ---- for the queues ----

QueueInterface::Reading Nic::Context::begin_read(std::uint64_t address, std::span<std::byte> bytes) {
  const auto [mapped, time] = nic.begin_access(true, local, address, bytes.data(), bytes.size());
  return {mapped, present_ps() + to_ps(time)};
}

void Nic::Context::wait_until(std::uint64_t time) {
  if (time > present_ps()) sc_core::wait(until_ps(time));
}

bool Nic::Context::write(std::uint64_t address, std::span<const std::byte> bytes) {
  return nic.access(false, local, address, const_cast<std::byte*>(bytes.data()), bytes.size());
}

void Nic::transmit(std::uint32_t to, Bytes packet) {
  static_assert(offsetof(QueuePacket, to) == offsetof(NicMessage, to));
  std::memcpy(packet.data() + offsetof(QueuePacket, to), &to, sizeof to);
  const bool in_memory = inside(to) && !ranks_.loopback_channel;
  const std::uint64_t setup = to_ps(setup_), held = kBufferedPackets * channel_.time(channel_.packet_bytes);
  if (!in_memory && channel_free_ > present_ps() + setup + held) wait(until_ps(channel_free_ - setup - held));
  note(packet, PacketStep::Room, present_ps());
  note(packet, PacketStep::Ready, present_ps() + setup);
  if (in_memory) return deliver_inside(std::move(packet), present_ps() + setup);
  channel_free_ = std::max(channel_free_, present_ps() + setup) + channel_.time(packet.size());
  count(packet.size());
  if (inside(to)) return deliver_inside(std::move(packet), channel_free_);
  tlm::tlm_generic_payload payload;
  describe(payload, tlm::TLM_WRITE_COMMAND, to / ranks_.of_node, packet.data(), packet.size());
  sc_time delay = setup_;  // the engine continues meanwhile
  out_packets->b_transport(payload, delay);
}

void Nic::Context::report(std::string_view text) {
  console::log("psim: {}: network interface: {}\n", nic.ranks_.name(rank), text);
}

std::string Nic::Context::place(const StoreOrigin& origin) const {
  return fmt::format("core {}, {}", origin.core, nic.pc_text_(local, origin.pc));
}

// ---- messages between ranks of this node ----

/// Hands a message to the receiving engine at `at`, ps; times never decrease.
void Nic::deliver_inside(Bytes packet, std::uint64_t at) {
  if (!looped_.empty()) at = std::max(at, looped_.back().at);
  looped_.push_back({at, std::move(packet)});
  if (looped_.size() == 1) looped_more_.notify(until_ps(at));
}

void Nic::looping() {
  for (;;) {
    while (looped_.empty()) wait(looped_more_);
    if (looped_.front().at > present_ps()) wait(until_ps(looped_.front().at));
    arrive(std::move(looped_.front().bytes));
    looped_.pop_front();
  }
}

}  // namespace psim::cosim
