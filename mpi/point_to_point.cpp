// SPDX-License-Identifier: Apache-2.0
#include "mpi/point_to_point.h"

#include <cstdlib>

#include "mpi/api.h"
#include "mpi/communicators.h"
#include "mpi/datatype/registry.h"
#include "mpi/include/mgen_rdma.h"
#include "mpi/protocol.h"
#include "mpi/requests.h"

namespace psim::net::mpi {
namespace {

Route route_of(const Communicator& comm, int peer, int tag) {
  return {.context = comm.shared->context,
          .rank = static_cast<std::uint32_t>(comm.rank),
          .destination = comm.peers().world(static_cast<std::uint32_t>(peer)),
          .tag = tag};
}

/// Numbers a send and reports it to the observer.
Route start_route(Rank& me, const Transfer& t) {
  Route route = route_of(t.comm, t.peer, t.tag);
  route.serial = ++me.sends;
  count_bytes(me, me.pending.function, t.bytes());
  if (noting) [[unlikely]]
    note_send(me, t.comm, t.peer, t.tag, t.bytes());
  return route;
}

/// Makes `r` a receive of a put, from any rank in any communicator.
void expect_put(Request& r, const Communicator& comm) {
  r.context = kPutContext;
  if (r.peer >= 0) r.peer = static_cast<std::int32_t>(comm.peers().world(static_cast<std::uint32_t>(r.peer)));
}

/// The common part of sends and receives, once peer and tag are right.
Transfer checked(const Arguments& a, Communicator& comm) {
  check_count(a.count);
  const auto count = static_cast<std::uint64_t>(a.count);
  Datatype& type = committed(a.type, count);
  if (a.peer != MPI_PROC_NULL)
    check_buffer(a.buffer, count, type);
  else
    check_amount(count, type);
  return {a.buffer, count, type, a.peer, a.tag, a.comm, comm};
}

/// Returns the attached buffer for a message. Fails if there is none, or not enough room.
AttachedBuffer& check_room(Rank& me, MPI_Comm comm, std::uint64_t bytes) {
  AttachedBuffer& buffer = buffer_for(me, comm);
  require(buffer.automatic || buffer.used + bytes <= buffer.size, MPI_ERR_BUFFER,
          "the attached buffer has not enough room");
  return buffer;
}

std::byte* packed_copy(const Datatype& type, std::uint64_t count, const void* user, std::uint64_t bytes) {
  auto* packed = memory_for(bytes);
  pack(type, count, static_cast<const std::byte*>(user), packed, 0, bytes);
  return packed;
}

bool eager(const Rank& me, SendMode mode, const Transfer& t) {
  if (mode == SendMode::Synchronous) return false;
  const MpiConfig& config = library->config;
  return t.bytes() <= (config.eager_node.count == 0
                           ? config.eager.count
                           : eager_limit(me.id, t.comm.peers().world(static_cast<std::uint32_t>(t.peer))));
}

void send_now(Rank& me, const Route& route, const Transfer& t) {
  library->host.send_overhead(library->config.send_overhead);
  const std::uint64_t bytes = t.bytes();
  if (t.type.contiguous || bytes == 0 || !carries(bytes)) {
    send_eager(me, route, static_cast<const std::byte*>(t.buffer), bytes);
    return;
  }
  std::byte* packed = packed_copy(t.type, t.count, t.buffer, bytes);
  send_eager(me, route, packed, bytes);
  std::free(packed);
}

/// Starts a rendezvous. Data of types with holes, and of buffered sends, are packed first.
void start_rendezvous(Rank& me, const Route& route, std::uint32_t request, const Datatype& type) {
  library->host.send_overhead(library->config.send_overhead);
  Request& r = library->requests[request];
  if ((!type.contiguous || r.mode == SendMode::Buffered) && r.bytes > 0 && carries(r.bytes))
    r.packed = packed_copy(type, r.count, r.buffer, r.bytes);
  send_request_to_send(me, route, request);
}

}  // namespace

Transfer check_send(const Arguments& a) {
  Communicator& comm = communicator(a.comm);
  check_destination(comm, a.peer);
  check_send_tag(a.tag);
  return checked(a, comm);
}

Transfer check_receive(const Arguments& a) {
  Communicator& comm = communicator(a.comm);
  check_source(comm, a.peer);
  if (a.tag != ACP_PUT_TAG) check_recv_tag(a.tag);
  return checked(a, comm);
}

std::uint32_t prepare(Rank& me, const Transfer& t, RequestKind kind, SendMode mode) {
  const std::uint32_t index = new_request(me, kind);
  Request& r = library->requests[index];
  r.mode = mode;
  r.comm = t.handle;
  r.context = t.comm.shared->context;
  r.peer = t.peer;
  r.tag = t.tag;
  if (t.tag == ACP_PUT_TAG) expect_put(r, t.comm);
  r.buffer = static_cast<std::byte*>(const_cast<void*>(t.buffer));
  r.count = t.count;
  r.bytes = t.bytes();
  set_type(r, t.type);
  return index;
}

std::uint32_t start_send(Rank& me, const Transfer& t, SendMode mode) {
  if (t.peer == MPI_PROC_NULL) return 0;
  const std::uint64_t bytes = t.bytes();
  if (eager(me, mode, t)) {
    if (mode == SendMode::Buffered) check_room(me, t.handle, bytes);
    send_now(me, start_route(me, t), t);
    return 0;
  }
  AttachedBuffer* room = mode == SendMode::Buffered ? &check_room(me, t.handle, bytes) : nullptr;
  const std::uint32_t index = prepare(me, t, RequestKind::Send, mode);
  Request& r = library->requests[index];
  if (room != nullptr) {
    r.room = room;
    r.buffered = bytes + MPI_BSEND_OVERHEAD;
    room->used += r.buffered;
  }
  r.detached = mode == SendMode::Buffered;
  const Route route = start_route(me, t);
  r.serial = route.serial;
  start_rendezvous(me, route, index, t.type);
  return mode == SendMode::Buffered ? 0 : index;
}

std::uint32_t start_recv(Rank& me, const Transfer& t) {
  const std::uint32_t index = prepare(me, t, RequestKind::Receive, SendMode::Standard);
  start_prepared(me, index);
  return index;
}

void start_prepared(Rank& me, std::uint32_t index) {
  Request& r = library->requests[index];
  r.complete = false;
  r.active = true;
  r.got_source = MPI_PROC_NULL;
  r.got_tag = MPI_ANY_TAG;
  r.got_bytes = 0;
  if (r.peer == MPI_PROC_NULL) {
    r.complete = true;
  } else if (r.kind == RequestKind::Receive) {
    if (!me.deferred.empty()) progress(me);
    if (observer != nullptr) [[unlikely]]
      note_post(me, communicator(r.comm), r);
    start_receive(me, index);
  } else {
    const Transfer t{r.buffer, r.count, *r.type, r.peer, r.tag, r.comm, communicator(r.comm)};
    std::free(r.packed);
    r.packed = nullptr;
    r.serial = 0;
    if (eager(me, r.mode, t)) {
      if (r.mode == SendMode::Buffered) check_room(me, r.comm, r.bytes);
      const Route route = start_route(me, t);
      r.complete = true;
      r.world = route.destination;
      r.remote = route.serial;  // for cancel_send()
      send_now(me, route, t);
    } else if (r.mode == SendMode::Buffered) {
      start_send(me, t, SendMode::Buffered);
      r.complete = true;
      r.remote = me.sends;
    } else {
      const Route route = start_route(me, t);
      r.serial = route.serial;
      start_rendezvous(me, route, index, t.type);
    }
  }
}

void wait_for(Rank& me, std::uint32_t index) {
  Request& r = library->requests[index];
  if (!r.complete) {
    r.waited = true;
    me.waiting = 1;
    block(me, [&r] { return r.complete; });
  }
}

void wait_and_finish(Rank& me, std::uint32_t index, MPI_Status* status) {
  wait_for(me, index);
  MPI_Request handle = make_handle(HandleKind::Request, index);
  MPI_Comm comm = MPI_COMM_NULL;
  const int error = finish(handle, status, comm);
  if (error != MPI_SUCCESS) fail(error);
}

}  // namespace psim::net::mpi
