// SPDX-License-Identifier: Apache-2.0
// Sends in all modes and receives, with their non-blocking and persistent forms (MPI-3.1 sections 3.2 to
// 3.10).
#include <cstdlib>
#include <memory>

#include "mpi/api.h"
#include "mpi/collective/collective.h"
#include "mpi/collective_events.h"
#include "mpi/datatype/registry.h"
#include "mpi/persistent.h"
#include "mpi/point_to_point.h"
#include "mpi/protocol.h"

using namespace psim::net::mpi;

namespace {

void note(Rank& me, int peer, int tag, MPI_Comm comm) {
  me.pending.source = peer;
  me.pending.tag = tag;
  me.pending.comm = comm;
}

int send(const char* function, const Arguments& t, SendMode mode) {
  return guarded(function, t.comm, [&] {
    Rank& me = self(function);
    note(me, t.peer, t.tag, t.comm);
    if (const std::uint32_t request = start_send(me, check_send(t), mode))
      wait_and_finish(me, request, MPI_STATUS_IGNORE);
  });
}

int isend(const char* function, const Arguments& t, SendMode mode, MPI_Request* handle) {
  return guarded(function, t.comm, [&] {
    Rank& me = self(function);
    MPI_Request& result = out(handle);
    const Transfer transfer = check_send(t);
    const std::uint32_t request = start_send(me, transfer, mode);
    result = request != 0 ? make_handle(HandleKind::Request, request) : done_handle(me, transfer);
  });
}

using Copy = std::unique_ptr<std::byte, decltype(&std::free)>;

/// Returns a packed copy of the data to send, or null if the run does not carry them.
Copy copy_of(const Transfer& t) {
  const std::uint64_t bytes = t.peer == MPI_PROC_NULL ? 0 : t.bytes();
  const bool carry = carries(bytes);
  Copy copy(carry ? static_cast<std::byte*>(std::malloc(bytes + 1)) : nullptr, &std::free);
  require(copy != nullptr || !carry, MPI_ERR_NO_MEM, "no memory for the copy to send");
  if (copy != nullptr) pack(t.type, t.count, static_cast<const std::byte*>(t.buffer), copy.get(), 0, bytes);
  return copy;
}
Transfer packed_in(const Copy& copy, const Transfer& t) {
  const std::uint64_t bytes = t.peer == MPI_PROC_NULL ? 0 : t.bytes();
  return {copy.get(), bytes, datatype(MPI_BYTE), t.peer, t.tag, t.handle, t.comm};
}

/// Completes with the messages of MPI_Isendrecv.
Task both(Collective& c) { co_await c.local.done(); }

/// Passes the status of the received message on to the request of the user's.
void note_received(Collective& c, const Request& message) {
  if (message.kind != RequestKind::Receive) return;
  Request& r = library->requests[c.request];
  r.got_source = message.got_source;
  r.got_tag = message.got_tag;
  c.got = message.got_bytes;
}

/// Starts a receive and a send with one request, which is a receive that completes when both are done. A
/// rendezvous takes over `copy`, the packed data to send.
MPI_Request start_both(Rank& me, const Transfer& sent, const Transfer& received, Copy* copy = nullptr) {
  Collective* c = new_collective(me, received.comm);
  uncount(*c, received.comm);
  c->processor
      .reset();  // MPI_Isendrecv itself charges for the send, and the end of its request for the receive
  c->on_message = note_received;
  c->task = both(*c);
  c->root = received.peer;
  c->given = received.bytes();
  Request& r = library->requests[c->request];
  r.kind = RequestKind::Receive;
  r.comm = received.handle;
  r.peer = received.peer;
  r.tag = received.tag;
  r.got_source = MPI_PROC_NULL;
  r.got_tag = MPI_ANY_TAG;
  const auto add = [&](std::uint32_t index) {
    Request& message = library->requests[index];
    message.internal = true;
    message.notify = c;
    ++c->pending;
  };
  if (!me.deferred.empty()) progress(me);
  if (received.peer != MPI_PROC_NULL) {
    const std::uint32_t receive = prepare(me, received, RequestKind::Receive, SendMode::Standard);
    add(receive);
    start_prepared(me, receive);
  }
  if (const std::uint32_t send = start_send(me, sent, SendMode::Standard)) {
    add(send);
    if (copy != nullptr) library->requests[send].packed = copy->release();
  }
  return start(*c);
}

int init(const char* function, const Arguments& t, RequestKind kind, SendMode mode, MPI_Request* handle) {
  return guarded(function, t.comm, [&] {
    MPI_Request& result = out(handle);
    Rank& me = self(function);
    const Transfer transfer = kind == RequestKind::Send ? check_send(t) : check_receive(t);
    const std::uint32_t request = prepare(me, transfer, kind, mode);
    library->requests[request].persistent = true;
    library->requests[request].active = false;
    result = make_handle(HandleKind::Request, request);
  });
}

}  // namespace

/// Defines the blocking, the non-blocking and the persistent send of a mode.
#define PSIM_SEND(name, immediate, initialisation, mode)                                                     \
  PSIM_MPI_COUNTS(int, name,                                                                                 \
                  (const void* buffer, Number count, MPI_Datatype type, int dest, int tag, MPI_Comm comm), { \
                    return send(function, {buffer, count, type, dest, tag, comm}, mode);                     \
                  })                                                                                         \
  PSIM_MPI_COUNTS(int, immediate,                                                                            \
                  (const void* buffer, Number count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,    \
                   MPI_Request* request),                                                                    \
                  {                                                                                          \
                    return isend(function, {buffer, count, type, dest, tag, comm}, mode, request);           \
                  })                                                                                         \
  PSIM_MPI_COUNTS(                                                                                           \
      int, initialisation,                                                                                   \
      (const void* buffer, Number count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,                \
       MPI_Request* request),                                                                                \
      {                                                                                                      \
        return init(function, {buffer, count, type, dest, tag, comm}, RequestKind::Send, mode, request);     \
      })
PSIM_SEND(Send, Isend, Send_init, SendMode::Standard)
PSIM_SEND(Ssend, Issend, Ssend_init, SendMode::Synchronous)
PSIM_SEND(Bsend, Ibsend, Bsend_init, SendMode::Buffered)
PSIM_SEND(Rsend, Irsend, Rsend_init, SendMode::Ready)

PSIM_MPI_COUNTS(
    int, Recv,
    (void* buffer, Number count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* status), {
      return guarded(function, comm, [&] {
        Rank& me = self(function);
        note(me, source, tag, comm);
        wait_and_finish(me, start_recv(me, check_receive({buffer, count, type, source, tag, comm})), status);
      });
    })
PSIM_MPI_COUNTED_CALL(Irecv,
                      (void* buffer, Number count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                       MPI_Request* request),
                      guarded, comm, [&] {
                        MPI_Request& result = out(request);
                        Rank& me = self(function);
                        result = make_handle(
                            HandleKind::Request,
                            start_recv(me, check_receive({buffer, count, type, source, tag, comm})));
                      })

PSIM_MPI_COUNTED_CALL(Recv_init,
                      (void* buffer, Number count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                       MPI_Request* request),
                      init, {buffer, count, type, source, tag, comm}, RequestKind::Receive,
                      SendMode::Standard, request)

PSIM_MPI(int, Start, (MPI_Request * handle)) {
  int error = MPI_SUCCESS;
  const int result = guarded("MPI_Start", [&] {
    require(is_handle(out(handle), HandleKind::Request) && library->requests.holds(handle_index(*handle)),
            MPI_ERR_REQUEST, "no request has this handle");
    const std::uint32_t index = handle_index(*handle);
    Request& r = library->requests[index];
    require(r.persistent, MPI_ERR_REQUEST, "the request is not persistent");
    require(!r.active, MPI_ERR_REQUEST, "the request is started already");
    Rank& me = self("MPI_Start");
    if (!r.restarts) return start_prepared(me, index);
    r.complete = false;
    r.active = true;
    r.error = MPI_SUCCESS;
    error = restart_of(index).start(index);
    if (error != MPI_SUCCESS) library->requests[index].active = false;
  });
  return result != MPI_SUCCESS ? result : error;
}
PSIM_MPI(int, Startall, (int count, MPI_Request* handles)) {
  if (const int error = guarded("MPI_Startall", [&] {
        check_count(count);
        check_array(handles, count, "array_of_requests");
      }))
    return error;
  for (int i = 0; i < count; ++i)
    if (const int error = PMPI_Start(&handles[i])) return error;
  return MPI_SUCCESS;
}

PSIM_MPI_COUNTS(
    int, Sendrecv,
    (const void* send_buffer, Number send_count, MPI_Datatype send_type, int dest, int send_tag,
     void* recv_buffer, Number recv_count, MPI_Datatype recv_type, int source, int recv_tag, MPI_Comm comm,
     MPI_Status* status),
    {
      return guarded(function, comm, [&] {
        Rank& me = self(function);
        note(me, source, recv_tag, comm);
        const Transfer sent = check_send({send_buffer, send_count, send_type, dest, send_tag, comm});
        const Transfer received = check_receive({recv_buffer, recv_count, recv_type, source, recv_tag, comm});
        const std::uint32_t receive = start_recv(me, received);
        const std::uint32_t sending = start_send(me, sent, SendMode::Standard);
        wait_for(me, receive);
        if (sending != 0) wait_and_finish(me, sending, MPI_STATUS_IGNORE);
        wait_and_finish(me, receive, status);
      });
    })

PSIM_MPI_COUNTS(
    int, Isendrecv,
    (const void* send_buffer, Number send_count, MPI_Datatype send_type, int dest, int send_tag,
     void* recv_buffer, Number recv_count, MPI_Datatype recv_type, int source, int recv_tag, MPI_Comm comm,
     MPI_Request* request),
    {
      return guarded(function, comm, [&] {
        MPI_Request& result = out(request);
        Rank& me = self(function);
        const Transfer sent = check_send({send_buffer, send_count, send_type, dest, send_tag, comm});
        const Transfer received = check_receive({recv_buffer, recv_count, recv_type, source, recv_tag, comm});
        result = start_both(me, sent, received);
      });
    })

PSIM_MPI_COUNTED_CALL(
    Sendrecv_replace,
    (void* buffer, Number count, MPI_Datatype type, int dest, int send_tag, int source, int recv_tag,
     MPI_Comm comm, MPI_Status* status),
    guarded, comm, [&] {
      Rank& me = self(function);
      note(me, source, recv_tag, comm);
      const Transfer sent = check_send({buffer, count, type, dest, send_tag, comm});
      const Transfer received = check_receive({buffer, count, type, source, recv_tag, comm});
      const Copy copy = copy_of(sent);
      const std::uint32_t receive = start_recv(me, received);
      const Transfer packed = packed_in(copy, sent);
      const std::uint32_t sending = start_send(me, packed, SendMode::Standard);
      wait_for(me, receive);
      if (sending != 0) wait_and_finish(me, sending, MPI_STATUS_IGNORE);
      wait_and_finish(me, receive, status);
    })

PSIM_MPI_COUNTED_CALL(
    Isendrecv_replace,
    (void* buffer, Number count, MPI_Datatype type, int dest, int send_tag, int source, int recv_tag,
     MPI_Comm comm, MPI_Request* request),
    guarded, comm, [&] {
      MPI_Request& result = out(request);
      Rank& me = self(function);
      const Transfer sent = check_send({buffer, count, type, dest, send_tag, comm});
      const Transfer received = check_receive({buffer, count, type, source, recv_tag, comm});
      Copy copy = copy_of(sent);
      const Transfer packed = packed_in(copy, sent);
      result = start_both(me, packed, received, &copy);
    })
