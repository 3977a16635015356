// SPDX-License-Identifier: Apache-2.0
#include "mpi/protocol.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "mpi/collective_events.h"
#include "mpi/matching.h"
#include "mpi/requests.h"

namespace psim::net::mpi {

namespace {

Envelope envelope_of(std::uint32_t source, const Route& route, MessageKind kind, std::uint64_t bytes) {
  Envelope envelope;
  envelope.source = RankId{source};
  envelope.destination = RankId{route.destination};
  envelope.context = route.context;
  envelope.tag = route.tag;
  envelope.bytes = bytes;
  envelope.receiver = route.alike;
  envelope.rank = route.rank;
  envelope.kind = static_cast<std::uint8_t>(kind);
  return envelope;
}

/// Returns the envelope of a control message between two requests that have each other's index.
Envelope control(std::uint32_t from, std::uint32_t to, MessageKind kind, std::uint32_t sender,
                 std::uint32_t receiver, std::uint8_t flags = 0) {
  Envelope envelope = envelope_of(from, {.destination = to}, kind, 0);
  envelope.sender = sender;
  envelope.receiver = receiver;
  envelope.flags = flags;
  return envelope;
}

void send_control(std::uint32_t from, std::uint32_t to, MessageKind kind, std::uint32_t sender,
                  std::uint32_t receiver, std::uint8_t flags = 0) {
  library->host.send(control(from, to, kind, sender, receiver, flags), 0, nullptr, 0);
}

}  // namespace

void receive_into(Request& receive, std::uint64_t sent, const std::byte* data, std::uint64_t bytes) {
  receive.got_bytes = std::min(sent, receive.bytes);
  if (sent != receive.bytes) [[unlikely]] {
    if (receive.internal)
      other_length(receive, sent);
    else if (sent > receive.bytes)
      receive.error = MPI_ERR_TRUNCATE;
    else if (!size_only() && receive.type != nullptr && cuts_element(*receive.type, sent))
      receive.error = MPI_ERR_TYPE;
  }
  if (data == nullptr) return;  // size-only; the library's own data are always there
  const std::uint64_t room = std::min(bytes, receive.bytes);
  if (room == 0) return;
  if (receive.type == nullptr || receive.type->contiguous) {
    std::memcpy(library->memory(receive.owner, receive.buffer, room), data, room);
  } else if (receive.buffer == nullptr) {
    library->host.enter(RankId{receive.owner});  // absolute addresses may point into the rank's globals
    unpack(*receive.type, receive.count, nullptr, data, 0, room);
  } else {
    unpack(*receive.type, receive.count,
           library->memory(receive.owner, receive.buffer, *receive.type, receive.count), data, 0, room);
  }
}

namespace {

// Flags of CancelSend and CancelReply, and of ClearToSend.
constexpr std::uint8_t kTaken = 1, kEager = 2, kByInterface = 4;

/// Handles CancelSend: the sender requests back request-to-send `sender` or eager message number `receiver`.
void handle_cancel(const Envelope& envelope) {
  Rank& rank = library->ranks[index(envelope.destination)];
  const std::uint32_t source = index(envelope.source);
  const bool eager = (envelope.flags & kEager) != 0;
  const std::uint32_t found = eager ? take_eager(rank, source, envelope.receiver)
                                    : take_request_to_send(rank, source, envelope.sender);
  if (found != 0) {
    std::free(library->unexpected[found].data);
    library->unexpected.give(found);
  }
  send_control(rank.id, source, MessageKind::CancelReply, envelope.sender, envelope.receiver,
               static_cast<std::uint8_t>(envelope.flags | (found != 0 ? kTaken : 0)));
}

void given_back(const Envelope& envelope) {
  const bool taken = (envelope.flags & kTaken) != 0, eager = (envelope.flags & kEager) != 0;
  if (!eager && envelope.receiver != 0) {
    library->requests[envelope.receiver].cancelled = taken;
    complete(envelope.receiver);
  }
  // Too late to cancel a rendezvous: it continues, and its request may have completed and been freed.
  if (!taken && !eager) return;
  library->requests[envelope.sender].cancelled = taken;
  complete(envelope.sender);
}

}  // namespace

void send_eager(const Rank& source, const Route& route, const std::byte* data, std::uint64_t bytes) {
  Envelope envelope = envelope_of(source.id, route, MessageKind::Eager, bytes);
  envelope.sender = route.serial;
  const bool carry = bytes > 0 && data != nullptr && carries(bytes);
  library->host.send(envelope, bytes, carry ? library->memory(source.id, data, bytes) : nullptr,
                     carry ? bytes : 0);
}

void send_own(const Rank& source, const Route& route, const std::byte* data, std::uint64_t bytes,
              std::uint64_t wire_bytes) {
  const Envelope envelope = envelope_of(source.id, route, MessageKind::Eager, bytes);
  const bool carry = bytes > 0 && data != nullptr;
  library->host.send(envelope, wire_bytes, carry ? library->memory(source.id, data, bytes) : nullptr,
                     carry ? bytes : 0);
}

void send_out_of_band(const Rank& source, const Route& route, const std::byte* data, std::uint64_t bytes,
                      Picoseconds delay) {
  const Envelope envelope = envelope_of(source.id, route, MessageKind::Eager, bytes);
  const bool carry = bytes > 0 && data != nullptr && carries(bytes);
  library->host.send_out_of_band(envelope, carry ? library->memory(source.id, data, bytes) : nullptr,
                                 carry ? bytes : 0, delay);
}

void send_request_to_send(const Rank& source, const Route& route, std::uint32_t request) {
  Request& send = library->requests[request];
  send.world = route.destination;
  Envelope envelope = envelope_of(source.id, route, MessageKind::RequestToSend, send.bytes);
  envelope.sender = request;
  library->host.send(envelope, 0, nullptr, 0);
}

void start_receive(Rank& me, std::uint32_t request) {
  const Request& r = library->requests[request];
  const std::uint32_t message = find_unexpected(me, r.context, r.peer, r.tag, true);
  if (message == 0)
    post(me, request);
  else
    take_unexpected(request, message);
}

void take_unexpected(std::uint32_t request, std::uint32_t message) {
  Unexpected entry = library->unexpected[message];
  library->unexpected.give(message);
  library->requests[request].offloaded = false;
  take_message(request, entry.envelope, entry.data, entry.bytes);
  std::free(entry.data);
}

void take_message(std::uint32_t request, const Envelope& envelope, const std::byte* data,
                  std::uint64_t bytes) {
  Request& r = library->requests[request];
  r.world = index(envelope.source);
  r.got_source = static_cast<std::int32_t>(envelope.rank);
  r.got_tag = envelope.tag;
  r.context = envelope.context;
  if (r.internal) check_arguments(r, envelope);
  if (envelope.kind == static_cast<std::uint8_t>(MessageKind::Eager)) {
    r.serial = envelope.sender;
    receive_into(r, envelope.bytes, data, bytes);
    complete(request);
    return;
  }
  r.remote = envelope.sender;
  r.got_bytes = envelope.bytes;
  Rank& rank = library->ranks[r.owner];
  if (r.offloaded || may_advance(rank))
    clear_to_send(request);
  else
    rank.deferred.push_back({Deferred::ClearToSend, request, nullptr});
}

void clear_to_send(std::uint32_t receive) {
  const Request& r = library->requests[receive];
  const Envelope message = control(r.owner, r.world, MessageKind::ClearToSend, r.remote, receive,
                                   r.offloaded ? kByInterface : std::uint8_t{0});
  const std::uint64_t sent = r.got_bytes;
  const bool whole = sent <= r.bytes && (r.type == nullptr || r.type->contiguous);
  library->host.expect(message, whole ? static_cast<std::byte*>(r.buffer) : nullptr, sent);
  library->host.send(message, 0, nullptr, 0);
}

void send_data(std::uint32_t send) {
  const Request& s = library->requests[send];
  Envelope envelope =
      envelope_of(s.owner, {.context = s.context, .rank = s.serial, .destination = s.world, .tag = s.tag},
                  MessageKind::Data, s.bytes);
  envelope.sender = send;
  envelope.receiver = s.remote;
  // Within the host process the library copies between the buffers itself; see fill().
  const bool carry = s.bytes > 0 && carries(s.bytes) && !library->host.local(RankId{s.world});
  const std::byte* data = s.packed != nullptr ? s.packed : s.buffer;
  library->host.send_in_place(envelope, s.bytes, carry ? data : nullptr, carry ? s.bytes : 0);
}

namespace {

/// Copies the data of a rendezvous within the host process, once, when they have left the sender's buffer,
/// which may be reused then. The receiver reads them only later, when they have arrived.
void fill(std::uint32_t send, std::uint32_t receive) {
  const Request& s = library->requests[send];
  Request& r = library->requests[receive];
  r.filled = true;
  const bool carry = s.bytes > 0 && carries(s.bytes);
  const std::byte* data = !carry                ? nullptr
                          : s.packed != nullptr ? s.packed
                                                : library->memory(s.owner, s.buffer, s.bytes);
  receive_into(r, s.bytes, data, carry ? s.bytes : 0);
}

}  // namespace

void cancel_rendezvous(std::uint32_t request, std::uint32_t also) {
  const Request& s = library->requests[request];
  send_control(s.owner, s.world, MessageKind::CancelSend, request, also);
}

void cancel_eager(std::uint32_t request, std::uint32_t destination, std::uint32_t serial) {
  send_control(library->requests[request].owner, destination, MessageKind::CancelSend, request, serial,
               kEager);
}

void match(const Envelope& envelope, const std::byte* data, std::uint64_t bytes) {
  Rank& rank = library->ranks[index(envelope.destination)];
  const std::uint32_t receive = take_posted(rank, envelope);
  if (receive != 0) return take_message(receive, envelope, data, bytes);
  if (rank.failed && (envelope.context & 1) != 0 && discard_if_failed(rank, envelope)) return;
  keep_unexpected(rank, envelope, data, bytes);
  if ((envelope.context & 1) != 0) check_unexpected(rank, envelope);
  if (!rank.probing) return;
  rank.waiting = 0;
  wake(rank);
}

void Mpi::arrived(const Envelope& envelope, const std::byte* data, std::uint64_t bytes) {
  const Callback callback(*this);
  Rank& rank = ranks[index(envelope.destination)];
  switch (static_cast<MessageKind>(envelope.kind)) {
    case MessageKind::Eager:
    case MessageKind::RequestToSend:
      match(envelope, data, bytes);
      break;
    case MessageKind::ClearToSend: {
      requests[envelope.sender].remote = envelope.receiver;
      if ((envelope.flags & kByInterface) != 0 || may_advance(rank))
        send_data(envelope.sender);
      else
        rank.deferred.push_back({Deferred::SendData, envelope.sender, nullptr});
      break;
    }
    case MessageKind::Data: {
      Request& receive = requests[envelope.receiver];
      if (!host.local(envelope.source))
        receive_into(receive, envelope.bytes, data, bytes);
      else if (!receive.filled)
        fill(envelope.sender, envelope.receiver);
      receive.filled = false;
      receive.serial = envelope.rank;
      complete(envelope.receiver);
      break;
    }
    case MessageKind::CancelSend:
      handle_cancel(envelope);
      break;
    case MessageKind::CancelReply:
      given_back(envelope);
      break;
    case MessageKind::Window:
    case MessageKind::Rdma:
      one_sided_arrived(envelope, data, bytes);
      break;
  }
}

void Mpi::departed(const Envelope& envelope) {
  const Callback callback(*this);
  if (envelope.kind == static_cast<std::uint8_t>(MessageKind::Rdma)) return one_sided_departed(envelope);
  if (envelope.kind != static_cast<std::uint8_t>(MessageKind::Data)) return;
  if (host.local(envelope.destination)) {
    // With no network between the two, the data may have arrived first, and the receive may be complete and
    // freed.
    const Request& r = requests[envelope.receiver];
    const bool waits = r.kind == RequestKind::Receive && r.remote == envelope.sender &&
                       r.world == index(envelope.source) && !r.complete;
    if (waits && !r.filled) fill(envelope.sender, envelope.receiver);
  }
  complete(envelope.sender);
}

void progress(Rank& me) {
  for (std::size_t i = 0; i < me.deferred.size(); ++i) {
    const Deferred work = me.deferred[i];
    switch (work.kind) {
      case Deferred::ClearToSend:
        clear_to_send(work.request);
        break;
      case Deferred::SendData:
        send_data(work.request);
        break;
      case Deferred::Resume:
        resume(*work.collective);
        break;
    }
  }
  me.deferred.clear();
}

}  // namespace psim::net::mpi
