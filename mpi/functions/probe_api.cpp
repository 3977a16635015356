// SPDX-License-Identifier: Apache-2.0
// Probes, matched probes and cancelling (MPI-3.1 section 3.8).
#include <cstdlib>

#include "mpi/api.h"
#include "mpi/communicators.h"
#include "mpi/matching.h"
#include "mpi/point_to_point.h"
#include "mpi/poll_call.h"
#include "mpi/protocol.h"
#include "mpi/requests.h"

using namespace psim::net::mpi;
using psim::net::Envelope;
using psim::net::PollCall;

namespace {

void fill_status(MPI_Status* status, const Envelope& envelope) {
  if (status == MPI_STATUS_IGNORE) return;
  empty_status(status);
  status->MPI_SOURCE = static_cast<int>(envelope.rank);
  status->MPI_TAG = envelope.tag;
  status->psim_bytes = static_cast<long long>(envelope.bytes);
}

void no_process(MPI_Status* status) {
  empty_status(status);
  if (status != MPI_STATUS_IGNORE) status->MPI_SOURCE = MPI_PROC_NULL;
}

Rank& enter(const char* function, int source, int tag, MPI_Comm comm) {
  check_source(communicator(comm), source);
  check_recv_tag(tag);
  Rank& me = self(function);
  me.pending.source = source;
  me.pending.tag = tag;
  me.pending.comm = comm;
  if (!me.deferred.empty()) progress(me);
  return me;
}

/// Returns the index of the first message that fits. Waits for it, or returns 0 if `polling` and there is
/// none.
std::uint32_t find(Rank& me, int source, int tag, MPI_Comm comm, bool take, bool polling) {
  const std::uint32_t context = communicator(comm).shared->context;
  for (;;) {
    if (const std::uint32_t found = find_unexpected(me, context, source, tag, take)) return found;
    if (polling) return 0;
    me.probing = true;
    me.waiting = 1;
    block(me, [&] { return find_unexpected(me, context, source, tag, false) != 0; });
    me.probing = false;
  }
}

std::uint32_t message_of(MPI_Message handle) {
  require(is_handle(handle, HandleKind::Message) && handle_index(handle) > 1 &&
              library->unexpected.holds(handle_index(handle) - 1),
          MPI_ERR_REQUEST, "no message has this handle");
  return handle_index(handle) - 1;  // 1 is MPI_MESSAGE_NO_PROC
}

/// Probes for a message. If `polling` is not null, does not wait and sets `flag`. `takes` requires `message`,
/// which gets the handle of the message found.
int probe(const char* function, int source, int tag, MPI_Comm comm, const PollCall* polling, int* flag,
          bool takes, MPI_Message* message, MPI_Status* status) {
  return guarded(function, comm, [&] {
    if (polling != nullptr) out(flag);
    if (takes) out(message);
    Rank& me = enter(function, source, tag, comm);
    if (flag != nullptr) *flag = 1;
    if (source == MPI_PROC_NULL) {
      if (message != nullptr) *message = MPI_MESSAGE_NO_PROC;
      return no_process(status);
    }
    const std::uint32_t found = find(me, source, tag, comm, message != nullptr, polling != nullptr);
    if (flag != nullptr) *flag = found != 0;
    if (found == 0) return found_nothing(*polling, flag);
    fill_status(status, library->unexpected[found].envelope);
    if (message != nullptr) *message = make_handle(HandleKind::Message, found + 1);
  });
}

/// Starts a receive of a matched message.
std::uint32_t receive_matched(const char* function, void* buffer, MPI_Count count, MPI_Datatype type,
                              MPI_Message* handle) {
  Rank& me = self(function);
  const bool no_process = out(handle) == MPI_MESSAGE_NO_PROC;
  const std::uint32_t message = no_process ? 0 : message_of(*handle);
  const int source = no_process ? MPI_PROC_NULL : MPI_ANY_SOURCE;
  const Transfer transfer = check_receive({buffer, count, type, source, 0, MPI_COMM_WORLD});
  const std::uint32_t index = prepare(me, transfer, RequestKind::Receive, SendMode::Standard);
  Request& r = library->requests[index];
  *handle = MPI_MESSAGE_NULL;
  if (no_process) {
    r.got_source = MPI_PROC_NULL;
    r.got_tag = MPI_ANY_TAG;
    r.complete = true;
  } else {
    take_unexpected(index, message);
  }
  return index;
}

}  // namespace

PSIM_MPI_CALL(Probe, (int source, int tag, MPI_Comm comm, MPI_Status* status), probe, source, tag, comm,
              nullptr, nullptr, false, nullptr, status)
PSIM_MPI_POLL(Iprobe, (int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status)) {
  const PollCall from = poll_call(PMPI_Iprobe);
  return probe("MPI_Iprobe", source, tag, comm, &from, flag, false, nullptr, status);
}
PSIM_MPI_CALL(Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status), probe,
              source, tag, comm, nullptr, nullptr, true, message, status)
PSIM_MPI_POLL(Improbe,
              (int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status)) {
  const PollCall from = poll_call(PMPI_Improbe);
  return probe("MPI_Improbe", source, tag, comm, &from, flag, true, message, status);
}
PSIM_MPI_COUNTS(int, Mrecv,
                (void* buffer, Number count, MPI_Datatype type, MPI_Message* message, MPI_Status* status), {
                  return guarded(function, [&] {
                    const std::uint32_t request = receive_matched(function, buffer, count, type, message);
                    wait_and_finish(self(), request, status);
                  });
                })
PSIM_MPI_COUNTED_CALL(
    Imrecv, (void* buffer, Number count, MPI_Datatype type, MPI_Message* message, MPI_Request* request),
    guarded, [&] {
      MPI_Request& result = out(request);
      result = make_handle(HandleKind::Request, receive_matched(function, buffer, count, type, message));
    })

/// Cancels a receive that is not matched, or a send that the other side has not matched.
PSIM_MPI_CALL(Cancel, (MPI_Request * handle), guarded, [&] {
  Rank& me = self("MPI_Cancel");
  const std::uint32_t index = handle_index(out(handle));
  require(is_handle(*handle, HandleKind::Request) && index != 0, MPI_ERR_REQUEST,
          "the request is null or not active");
  if (is_done(index)) return cancel_send(me, *handle);
  require(library->requests.holds(index), MPI_ERR_REQUEST, "no request has this handle");
  Request& r = library->requests[index];
  if (r.kind == RequestKind::Generalized) {
    if (r.generalized->cancel != nullptr) r.generalized->cancel(r.generalized->extra, r.complete);
  } else if (r.kind == RequestKind::Receive && unpost(me, index)) {
    r.cancelled = true;
    complete(index);
  } else if (r.kind == RequestKind::Send) {
    cancel_send(me, *handle);
  } else {
    require(r.kind != RequestKind::Collective, MPI_ERR_REQUEST, "a collective cannot be cancelled");
  }
})

PSIM_MPI(int, Grequest_start,
         (MPI_Grequest_query_function * query, MPI_Grequest_free_function* free,
          MPI_Grequest_cancel_function* cancel, void* extra, MPI_Request* request)) {
  return guarded("MPI_Grequest_start", [&] {
    MPI_Request& result = out(request);
    require(query != nullptr, MPI_ERR_ARG, "query_fn is a null pointer");
    const std::uint32_t index = new_request(self("MPI_Grequest_start"), RequestKind::Generalized);
    library->requests[index].comm = MPI_COMM_WORLD;
    library->requests[index].generalized = new GeneralizedRequest{query, free, cancel, extra};
    result = make_handle(HandleKind::Request, index);
  });
}
PSIM_MPI_CALL(Grequest_complete, (MPI_Request request), guarded, [&] {
  const std::uint32_t index = handle_index(request);
  require(is_handle(request, HandleKind::Request) && library->requests.holds(index) &&
              library->requests[index].kind == RequestKind::Generalized,
          MPI_ERR_REQUEST);
  complete(index);
})
