// SPDX-License-Identifier: Apache-2.0
#include "mpi/collective/collective.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <new>

#include "mpi/collective_events.h"
#include "mpi/library.h"
#include "mpi/object/failure.h"
#include "mpi/observe.h"
#include "mpi/persistent.h"
#include "mpi/protocol.h"
#include "mpi/requests.h"

namespace psim::net::mpi {
namespace {

constexpr std::size_t kClass = 64, kClasses = 32;  // frames up to 2 KiB are kept
struct Frames {
  std::array<void*, kClasses + 1> first{};
  ~Frames() {
    for (void* frame : first)
      while (frame != nullptr) {
        void* next = *static_cast<void**>(frame);
        ::operator delete(frame);
        frame = next;
      }
  }
};
Frames frames;

std::unique_ptr<Processor> make_processor() {
  const MpiConfig& config = library->config;
  if (config.send_overhead.count() == 0 && config.recv_overhead.count() == 0 &&
      (config.matching == Matching::Host || config.offload_overhead.count() == 0))
    return nullptr;
  return std::make_unique<Processor>();
}

/// Returns true while the processor has work for messages, or a timer of this instant is pending, which must
/// find the collective alive.
bool busy(const Collective& c) {
  const Processor* at = c.processor.get();
  return at != nullptr && (at->timer || !at->outgoing.empty() || at->busy_until > library->host.now());
}

/// Occupies the processor for `time`, after all its earlier work. Returns the end.
Picoseconds occupy(Processor& at, Picoseconds time) {
  return at.busy_until = std::max(at.busy_until, library->host.now()) + time;
}

/// Makes sure that overhead_paid() is called for the next message to leave or, if there is none, at the end
/// of the processor's work. Times ascend, so a pending timer is early enough.
void set_timer(Collective& c) {
  Processor& at = *c.processor;
  if (at.timer) return;
  at.timer = true;
  const Picoseconds time = at.outgoing.empty() ? at.busy_until : at.outgoing.front().leaves;
  library->host.after(RankId{c.rank->id}, time - library->host.now(), reinterpret_cast<std::uint64_t>(&c));
}

void go_on(Collective& c) {
  if (busy(c))
    set_timer(c);
  else if (c.offloaded || may_advance(*c.rank))
    resume(c);
  else
    c.rank->deferred.push_back({Deferred::Resume, 0, &c});
}

void end(Collective& c) {
  const std::uint32_t request = c.request;
  Request& r = library->requests[request];
  r.error = c.error;
  r.peer = c.root;
  r.bytes = c.given;
  r.got_bytes = c.got;
  r.note = c.note.release();
  delete &c;
  complete(request);
}

}  // namespace

void* take_frame(std::size_t size) {
  const std::size_t kind = (size + kClass - 1) / kClass;
  if (kind > kClasses) return ::operator new(size);
  void*& first = frames.first[kind];
  if (first == nullptr) return ::operator new(kind* kClass);
  void* frame = first;
  first = *static_cast<void**>(frame);
  return frame;
}

void give_frame(void* frame, std::size_t size) {
  const std::size_t kind = (size + kClass - 1) / kClass;
  if (kind > kClasses) return ::operator delete(frame);
  *static_cast<void**>(frame) = frames.first[kind];
  frames.first[kind] = frame;
}

Processor::~Processor() {
  for (const Outgoing& message : outgoing) std::free(message.packed);
}

bool AllDone::await_ready() const noexcept { return collective.pending == 0 && !busy(collective); }

void AllDone::await_suspend(std::coroutine_handle<> caller) const noexcept {
  collective.waiting = caller;
  if (collective.pending == 0) set_timer(collective);
}

namespace {

Route route_to(const Channel& c, int to) {
  return {.context = c.context,
          .rank = static_cast<std::uint32_t>(c.me) + c.peers->base,
          .destination = c.peers->world(static_cast<std::uint32_t>(to)),
          .tag = c.tag,
          .alike = c.collective->alike};
}

/// The source in the messages of a rank of the channel.
std::int32_t source_of(const Channel& c, int rank) { return rank + static_cast<std::int32_t>(c.peers->base); }

std::uint32_t internal_request(const Channel& c, RequestKind kind, const void* data, std::uint64_t bytes) {
  const std::uint32_t index = new_request(*c.collective->rank, kind);
  Request& r = library->requests[index];
  r.internal = true;
  r.notify = c.collective;
  r.context = c.context;
  r.tag = c.tag;
  r.buffer = static_cast<std::byte*>(const_cast<void*>(data));
  r.bytes = bytes;
  ++c.collective->pending;
  return index;
}

}  // namespace

namespace {

/// Sends the message, or its request-to-send, after the processor's overhead.
void transmit(const Outgoing& message) {
  const Channel& c = message.channel;
  const Rank& from = *c.collective->rank;
  const Route route = route_to(c, message.to);
  const std::byte* data = message.packed != nullptr ? message.packed : message.data;
  if (message.own) {
    send_own(from, route, data, message.bytes, message.wire_bytes);
  } else if (message.bytes <= eager_limit(from.id, route.destination)) {
    send_eager(from, route, data, message.bytes);
  } else if (c.collective->alike == kFailed) [[unlikely]] {
    send_eager(from, route, nullptr, 0);  // the destination may have no receive for more
  } else {
    const std::uint32_t index = internal_request(c, RequestKind::Send, message.data, message.bytes);
    library->requests[index].packed = message.packed;
    return send_request_to_send(from, route, index);
  }
  std::free(message.packed);
}

void send_after_overhead(const Outgoing& message) {
  Collective& c = *message.channel.collective;
  if (c.processor == nullptr) return transmit(message);
  Processor& at = *c.processor;
  const Picoseconds leaves = occupy(at, library->config.send_overhead);
  if (leaves <= library->host.now()) return transmit(message);
  at.outgoing.push_back(message);
  at.outgoing.back().leaves = leaves;
  set_timer(c);
}

}  // namespace

void Channel::send(int to, const void* data, std::uint64_t bytes) const {
  send_after_overhead(
      {.channel = *this, .to = to, .data = static_cast<const std::byte*>(data), .bytes = bytes});
}

void Channel::send_packed(int to, std::byte* packed, std::uint64_t bytes) const {
  send_after_overhead({.channel = *this, .to = to, .bytes = bytes, .packed = packed});
}

void Channel::send_as(int to, const void* data, std::uint64_t bytes, std::uint64_t wire_bytes) const {
  Outgoing message{.channel = *this,
                   .to = to,
                   .own = true,
                   .data = static_cast<const std::byte*>(data),
                   .bytes = bytes,
                   .wire_bytes = wire_bytes};
  if (collective->processor != nullptr && bytes > 0) {  // the algorithm may change the data before the
                                                        // message leaves
    message.packed = memory_for(bytes);
    std::memcpy(message.packed, library->memory(collective->rank->id, data, bytes), bytes);
  }
  send_after_overhead(message);
}

void Channel::recv(int from, void* data, std::uint64_t bytes) const {
  if (collective->alike == kFailed) [[unlikely]]
    return;
  const std::uint32_t index = internal_request(*this, RequestKind::Receive, data, bytes);
  library->requests[index].peer = source_of(*this, from);
  library->requests[index].charged = true;
  start_receive(*collective->rank, index);
}

void Channel::send_out_of_band(int to, const void* data, std::uint64_t bytes, Picoseconds delay) const {
  mpi::send_out_of_band(*collective->rank, route_to(*this, to), static_cast<const std::byte*>(data), bytes,
                        delay);
}

void Channel::post_recv(int from, void* data, std::uint64_t bytes) const {
  if (collective->alike == kFailed) [[unlikely]]
    return;
  const std::uint32_t index = internal_request(*this, RequestKind::Receive, data, bytes);
  library->requests[index].peer = source_of(*this, from);
  start_receive(*collective->rank, index);
}

void Channel::recv_typed(int from, void* data, std::uint64_t count, Datatype& type) const {
  if (collective->alike == kFailed) [[unlikely]]
    return;
  const std::uint32_t index = internal_request(*this, RequestKind::Receive, data, count * type.size);
  Request& r = library->requests[index];
  r.peer = source_of(*this, from);
  r.charged = true;
  r.count = count;
  set_type(r, type);
  start_receive(*collective->rank, index);
}

void note_message(const Collective& c, const Request& message) {
  if (c.on_message != nullptr) [[unlikely]]
    c.on_message(*message.notify, message);
}

void message_done(Collective& c, int error, Picoseconds cost) {
  if (error != MPI_SUCCESS && c.error == MPI_SUCCESS) c.error = error;
  if (cost.count() != 0 && c.processor != nullptr) occupy(*c.processor, cost);
  --c.pending;
  try_resume(c);
}

void try_resume(Collective& c) {
  if (c.pending == 0 && c.waiting) go_on(c);
}

void overhead_paid(Collective& c) {
  if (Processor* at = c.processor.get()) {
    at->timer = false;
    while (!at->outgoing.empty() && at->outgoing.front().leaves <= library->host.now()) {
      const Outgoing message = at->outgoing.front();
      at->outgoing.pop_front();
      transmit(message);
    }
    if (!at->outgoing.empty()) set_timer(c);
  }
  try_resume(c);  // it may also wait for a time only, as file accesses do
}

void resume(Collective& c) {
  std::exchange(c.waiting, nullptr).resume();
  if (c.task.done()) end(c);
}

namespace {
/// Removes the failed collectives with the channel's number, which is in use again.
void remove_failed(Rank& rank, const Channel& channel) {
  std::erase(*rank.failed, FailedCollective{channel.context, channel.tag});
}
}  // namespace

Collective* new_collective(Rank& me, Communicator& comm, Function function, Restarting* again) {
  auto* c = new Collective;
  c->rank = &me;
  c->shared = comm.shared;
  c->inter = comm.shared->inter();
  c->function = function;
  const auto index = static_cast<std::size_t>(function);
  const bool restart = again != nullptr && !again->check;
  std::int32_t tag;
  if (restart) {
    tag = again->tag;
    c->counted = false;
  } else {  // persistent collectives have functions of their own in their tags
    const std::size_t number = index + (again != nullptr ? kFunctions : 0);
    tag = static_cast<std::int32_t>(number << kCountBits | comm.calls[index]++);
    if (again != nullptr) again->tag = tag;
  }
  const std::uint32_t local = c->inter ? comm.shared->local_context + comm.side * 2 : comm.shared->context;
  c->local = {c, &comm.group(), local | 1, tag, comm.rank, comm.size()};
  if (c->inter) {
    const Group& peers = comm.peers();
    c->remote = {c, &peers, comm.shared->context | 1, tag, comm.rank, static_cast<int>(peers.size())};
  }
  if (me.failed) [[unlikely]] {
    remove_failed(me, c->local);
    if (c->inter) remove_failed(me, c->remote);
  }
  c->request = restart ? again->request : new_request(me, RequestKind::Collective);
  c->processor = make_processor();
  return c;
}

void uncount(Collective& c, Communicator& comm) {
  if (std::exchange(c.counted, false)) --comm.calls[static_cast<std::size_t>(c.function)];
}

void abandon(Collective* c, Communicator& comm) {
  uncount(*c, comm);
  if (!library->requests[c->request].restarts) release(c->request);
  delete c;
}

MPI_Request start(Collective& c) {
  const std::uint32_t request = c.request;
  c.task.start();
  if (c.task.done()) end(c);
  return make_handle(HandleKind::Request, request);
}

void run(Rank& me, Collective& c) {
  MPI_Request handle = start(c);
  Request& r = library->requests[handle_index(handle)];
  if (!r.complete) {
    r.waited = true;
    me.waiting = 1;
    block(me, [&r] { return r.complete; });
  }
  if (observer != nullptr) [[unlikely]]
    note_blocking_end(r);
  const int error = r.error;
  if (error != MPI_SUCCESS) [[unlikely]] {
    const std::unique_ptr<std::string> note(std::exchange(r.note, nullptr));
    release(handle_index(handle));
    fail_about(error, "%s", note ? note->c_str() : "another rank's arguments differ");
  }
  release(handle_index(handle));
}

}  // namespace psim::net::mpi
