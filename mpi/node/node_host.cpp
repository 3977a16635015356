// SPDX-License-Identifier: Apache-2.0
#include "mpi/node/node_host.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace psim::net::mpi::node {

/// The header of a message between the drivers.
struct NodeHost::Header {
  Envelope envelope;
  std::uint64_t total = 0;  ///< bytes that cross the network; they may come in several slots
  /// Of a clear-to-send: where the data of the rendezvous are to be put.
  std::uint64_t place = 0;
  std::uint64_t placed : 1 = 0;    ///< the data have been put there
  std::uint64_t carried : 63 = 0;  ///< bytes of data, the first of `total`
};

namespace {

constexpr std::uint64_t kNever = ~std::uint64_t{0}, kWake = ~std::uint64_t{0};
constexpr int kDeadlock = 2;  ///< exit status

std::int64_t variable(const char* name, std::int64_t otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::atoll(text) : otherwise;
}

/// Returns a copy of the data in memory of `room` >= `bytes` bytes; null if there is no room.
std::byte* copy_of(const std::byte* data, std::uint64_t bytes, std::uint64_t room) {
  if (room == 0) return nullptr;
  auto* const copy = static_cast<std::byte*>(std::malloc(room));
  if (bytes > 0) std::memcpy(copy, data, bytes);
  return copy;
}

}  // namespace

NodeHost::NodeHost(bool sizes_only)
    : sizes_only_(sizes_only),
      rank_(static_cast<std::uint32_t>(variable("PSIM_NODE", 0))),
      ranks_(static_cast<std::uint32_t>(variable("PSIM_NODES", 1))),
      node_ranks_(static_cast<std::uint32_t>(variable("PSIM_NODE_RANKS", 1))) {
  static_assert(sizeof(Header) == queue::kHeaderBytes);
  if (ranks_ == 1) return;
  interface_.open();
  period_ = Interface::period();
}

Picoseconds NodeHost::now() const {
  return Picoseconds{static_cast<std::int64_t>(Interface::cycles()) * period_};
}

std::uint64_t NodeHost::cycles_of(Picoseconds time) const {
  return static_cast<std::uint64_t>((time.count() + period_ - 1) / period_);
}

// ---- sending ----

void NodeHost::send(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                    std::uint64_t bytes) {
  if (data == nullptr) bytes = 0;
  if (local(envelope.destination))
    return own_.push_back({envelope, copy_of(data, bytes, bytes), bytes, false});
  const std::uint64_t total = sizes_only_ ? std::max(bytes, wire_bytes) : bytes;
  std::byte* const copy = copy_of(data, bytes, total);
  send_parts(new Flight{envelope, copy, false}, copy, total, bytes);
}

void NodeHost::send_in_place(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                             std::uint64_t bytes) {
  if (data == nullptr) bytes = 0;
  if (local(envelope.destination))
    return own_.push_back({envelope, copy_of(data, bytes, bytes), bytes, true});
  auto* const flight = new Flight{envelope, nullptr, true};
  const std::uint64_t carried = bytes;
  if (sizes_only_ && wire_bytes > bytes) {
    data = flight->copy = copy_of(data, bytes, wire_bytes);
    bytes = wire_bytes;
  }
  const std::uint64_t place = wanted_ == envelope.sender ? std::exchange(wanted_at_, 0) : 0;
  if (place == 0) return send_parts(flight, data, bytes, carried);
  queue::Descriptor descriptor{};
  descriptor.opcode = static_cast<std::uint32_t>(queue::Opcode::Put);
  descriptor.flags = queue::kNotify;
  descriptor.peer = index(envelope.destination);
  descriptor.local = reinterpret_cast<std::uint64_t>(data);
  descriptor.remote = place;
  descriptor.bytes = bytes;
  descriptor.cookie = reinterpret_cast<std::uint64_t>(flight);
  const Header header{envelope, bytes, 0, 1, carried};
  std::memcpy(descriptor.header, &header, sizeof header);
  interface_.submit(descriptor);
}

/// Sends data in messages that each fit into a slot. Only the last has `flight` as its cookie.
void NodeHost::send_parts(Flight* flight, const std::byte* data, std::uint64_t bytes, std::uint64_t carried) {
  Header header{flight->envelope, bytes, 0, 0, carried};
  if (expected_) {
    header.place = place_;
    expected_ = false;
  }
  std::uint64_t sent = 0;
  do {
    const std::uint64_t part = std::min(bytes - sent, kSlotData);
    queue::Descriptor descriptor{};
    descriptor.opcode = static_cast<std::uint32_t>(queue::Opcode::Send);
    descriptor.peer = index(flight->envelope.destination);
    descriptor.local = reinterpret_cast<std::uint64_t>(data + sent);
    descriptor.bytes = part;
    sent += part;
    descriptor.cookie = sent == bytes ? reinterpret_cast<std::uint64_t>(flight) : 0;
    std::memcpy(descriptor.header, &header, sizeof header);
    interface_.submit(descriptor);
  } while (sent < bytes);
}

void NodeHost::send_out_of_band(const Envelope& envelope, const std::byte* data, std::uint64_t bytes,
                                Picoseconds) {
  send(envelope, bytes, data, bytes);
}

void NodeHost::expect(const Envelope& clear_to_send, std::byte* place, std::uint64_t bytes) {
  if (local(clear_to_send.destination) || bytes == 0) return;
  if (place == nullptr || sizes_only_) {
    place = static_cast<std::byte*>(std::malloc(bytes));
    unplaced_[clear_to_send.receiver] = place;
  }
  expected_ = true;
  place_ = reinterpret_cast<std::uint64_t>(place);
}

// ---- receiving ----

void NodeHost::departed(Flight* flight) {
  if (flight == nullptr) return;
  if (flight->in_place) library_->departed(flight->envelope);
  std::free(flight->copy);
  delete flight;
}

void NodeHost::deliver(const std::byte* slot, std::uint64_t bytes) {
  Header header;
  std::memcpy(&header, slot, sizeof header);
  const std::byte* const data = slot + sizeof header;
  const Envelope& envelope = header.envelope;
  if (header.placed != 0) {
    const auto held = unplaced_.find(envelope.receiver);
    if (held == unplaced_.end()) return library_->arrived(envelope, nullptr, header.carried);
    library_->arrived(envelope, header.carried > 0 ? held->second : nullptr, header.carried);
    std::free(held->second);
    unplaced_.erase(held);
    return;
  }
  wanted_ = envelope.sender, wanted_at_ = header.place;
  if (header.total == bytes) {
    library_->arrived(envelope, header.carried > 0 ? data : nullptr, header.carried);
    wanted_at_ = 0;
    return;
  }
  Parts& parts = parts_[index(envelope.source)];
  if (parts.data == nullptr) parts.data = static_cast<std::byte*>(std::malloc(header.total));
  if (parts.got < header.carried)
    std::memcpy(parts.data + parts.got, data, std::min(bytes, header.carried - parts.got));
  parts.got += bytes;
  if (parts.got < header.total) return;
  const Parts whole = std::exchange(parts, Parts{});
  library_->arrived(envelope, header.carried > 0 ? whole.data : nullptr, header.carried);
  std::free(whole.data);
}

bool NodeHost::serve_own() {
  if (own_.empty()) return false;
  const Own message = own_.front();
  own_.pop_front();
  if (message.in_place) library_->departed(message.envelope);
  library_->arrived(message.envelope, message.data, message.bytes);
  std::free(message.data);
  return true;
}

bool NodeHost::serve_timers() {
  if (timers_.empty()) return false;
  const std::uint64_t now = Interface::cycles();
  const auto due = std::ranges::min_element(timers_, {}, &Timer::time);
  if (due->time > now) return false;
  const Timer timer = *due;
  timers_.erase(due);
  if (timer.token == kWake)
    woken_ = true;
  else
    library_->timer(RankId{rank_}, timer.token);
  return true;
}

std::uint64_t NodeHost::next_timer() const {
  std::uint64_t first = kNever;
  for (const Timer& timer : timers_) first = std::min(first, timer.time);
  return first;
}

bool NodeHost::serve() {
  bool any = false;
  while (const volatile queue::Completion* entry = interface_.next()) {
    any = true;
    const auto event = static_cast<queue::Event>(entry->event);
    const auto status = entry->status;
    const std::uint64_t value = entry->value, bytes = entry->bytes;
    interface_.read(event == queue::Event::Done);
    if (event == queue::Event::Stuck) report_stuck();
    if (event == queue::Event::Barrier) {
      cleared_ = Picoseconds{static_cast<std::int64_t>(value)};
      continue;
    }
    if (status != 0)
      abort_job(1, "the network interface completed an operation with status " + std::to_string(status));
    if (event == queue::Event::Done) {
      departed(reinterpret_cast<Flight*>(value));
    } else {
      deliver(interface_.slot(value), bytes);
      interface_.release_slot();
    }
  }
  while (serve_own() || serve_timers()) any = true;
  return any;
}

// ---- waiting ----

void NodeHost::block() {
  for (;;) {
    const bool any = serve();
    if (std::exchange(woken_, false)) return;
    if (any) continue;
    if (ranks_ == 1 && timers_.empty()) report_stuck();
    interface_.wait(next_timer());
  }
}

Picoseconds NodeHost::await_clear() {
  const ThreadCondition cleared{[](void* flag) { return static_cast<NodeHost*>(flag)->cleared_.has_value(); },
                                this};
  while (threads_ && !cleared_) threads_->run_others(true, cleared);
  for (;;) {
    const bool any = serve();
    if (cleared_) return *std::exchange(cleared_, std::nullopt);
    if (!any) interface_.wait(next_timer());
  }
}

std::uint64_t NodeHost::poll(Picoseconds, const PollCall&) {
  serve();
  if (threads_) threads_->yield_thread_in_call();
  return 1;
}

void NodeHost::grant_multiple() {
  if (threads_) return;
  threads_.emplace(*this);
  library_->threads(RankId{rank_});
}

void NodeHost::sleep(Picoseconds time) {
  if (time.count() == 0) return;
  const std::uint64_t end = Interface::cycles() + cycles_of(time);
  for (std::uint64_t now = Interface::cycles(); now < end; now = Interface::cycles())
    Interface::pause(end - now);
}

void NodeHost::wake(RankId rank, Picoseconds delay) {
  if (delay.count() == 0)
    woken_ = true;
  else
    add_timer(cycles_of(delay), kWake);
  static_cast<void>(rank);
}

void NodeHost::after(RankId, Picoseconds delay, std::uint64_t token) { add_timer(cycles_of(delay), token); }

void NodeHost::add_timer(std::uint64_t cycles, std::uint64_t token) {
  timers_.push_back({Interface::cycles() + cycles, token});
  if (threads_) threads_->look_at_timers();
}

void NodeHost::report_stuck() {
  char call[256] = "";
  library_->describe(RankId{rank_}, false, call, sizeof call);
  std::fflush(stdout);
  std::fprintf(stderr, "psim: deadlock: rank %u waits in %s, and nothing can wake it\n", rank_, call);
  ::_exit(kDeadlock);
}

void NodeHost::abort_job(int status, std::string_view why) {
  std::fflush(stdout);
  std::fprintf(stderr, "psim: %.*s\n", static_cast<int>(why.size()), why.data());
  if (ranks_ > 1) interface_.abort(status);
  ::_exit(status != 0 ? status : 1);
}

}  // namespace psim::net::mpi::node
