// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests.h"

#include <cstdlib>
#include <utility>

#include "mpi/collective_events.h"
#include "mpi/communicators.h"
#include "mpi/datatype/registry.h"
#include "mpi/library.h"
#include "mpi/object/failure.h"
#include "mpi/observe.h"
#include "mpi/persistent.h"

namespace psim::net::mpi {

std::uint32_t new_request(Rank& owner, RequestKind kind) {
  const std::uint32_t index = library->requests.take();
  if (is_done(index)) [[unlikely]]
    library->host.abort_job(MPI_ERR_NO_MEM, "more than 2^26 requests are under way in one process");
  Request& r = library->requests[index];
  r.owner = owner.id;
  r.kind = kind;
  r.active = true;
  return index;
}

void set_type(Request& request, Datatype& type) {
  request.type = &type;
  if (!type.predefined) ++type.refs;
}

void free_owned(const Request& r) {
  std::free(r.packed);
  if (r.kind == RequestKind::Generalized) delete r.generalized;
  if (r.kind == RequestKind::Collective) delete r.note;
}

void release(std::uint32_t index) {
  const Request& r = library->requests[index];
  if (r.type != nullptr && !r.type->predefined) release_datatype(*r.type);
  if (r.restarts) [[unlikely]]
    forget_restart(index);
  free_owned(r);
  library->requests.give(index);
}

void complete(std::uint32_t index) {
  Request& r = library->requests[index];
  Rank& rank = library->ranks[r.owner];
  r.complete = true;
  if (r.buffered != 0) {
    give_buffer(rank, *r.room, std::exchange(r.buffered, 0));
  }
  if (r.internal) {
    Collective* waiting = r.notify;
    const int error = r.error;
    const Picoseconds cost = r.charged ? cost_of_message(r) : Picoseconds{0};
    note_message(*waiting, r);
    release(index);
    message_done(*waiting, error, cost);
  } else if (r.detached) {
    release(index);
  } else {
    if (r.kind == RequestKind::Receive) r.completed_at = library->host.now().count();
    if (r.waited) {
      r.waited = false;
      if (rank.waiting > 0 && --rank.waiting == 0) wake(rank);
    }
  }
}

void empty_status(MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = MPI_ANY_SOURCE;
  status->MPI_TAG = MPI_ANY_TAG;
  status->psim_cancelled = 0;
  status->psim_bytes = 0;
}

namespace {
std::string last_note;
}  // namespace

const char* finished_note() { return last_note.empty() ? nullptr : last_note.c_str(); }

namespace {

/// Calls a generalized request's own query function, which fills `status`; returns its error.
int finish_generalized(const GeneralizedRequest& request, MPI_Status* status) {
  MPI_Status local{};
  empty_status(&local);
  if (status != MPI_STATUS_IGNORE) local.MPI_ERROR = status->MPI_ERROR;
  const int result = request.query(request.extra, &local);
  if (status != MPI_STATUS_IGNORE) *status = local;
  const int freed = request.free != nullptr ? request.free(request.extra) : MPI_SUCCESS;
  return result != MPI_SUCCESS ? result : freed;
}

}  // namespace

bool has_message(const Request& r) {
  return r.kind == RequestKind::Receive && r.peer != MPI_PROC_NULL && !r.cancelled;
}

Picoseconds cost_of_message(const Request& r) {
  if (r.context == kPutContext) return library->config.rdma.completion;
  return r.offloaded ? library->config.offload_overhead : library->config.recv_overhead;
}

int finish(MPI_Request& handle, MPI_Status* status, MPI_Comm& failed) {
  const std::uint32_t index = handle_index(handle);
  const bool received = !is_done(index) && has_message(library->requests[index]);
  const Picoseconds cost = received ? cost_of_message(library->requests[index]) : Picoseconds{0};
  const int result = finish_free_of_charge(handle, status, failed);
  if (received) library->host.receive_overhead(cost);
  return result;
}

int finish_free_of_charge(MPI_Request& handle, MPI_Status* status, MPI_Comm& failed) {
  const std::uint32_t index = handle_index(handle);
  if (is_done(index)) {
    empty_status(status);
    handle = MPI_REQUEST_NULL;
    if (Rank& me = self(); me.done_handles != 0) --me.done_handles;
    return MPI_SUCCESS;
  }
  Request& r = library->requests[index];
  const bool put = has_message(r) && r.context == kPutContext;
  if (status != MPI_STATUS_IGNORE) {
    empty_status(status);
    status->psim_cancelled = r.cancelled ? 1 : 0;
    if (r.kind == RequestKind::Collective)
      status->psim_bytes = static_cast<long long>(r.got_bytes);  // read for files only
    if (r.kind == RequestKind::Receive) {
      status->MPI_SOURCE =
          put ? communicator(r.comm).peers().rank_of(static_cast<std::uint32_t>(r.got_source)) : r.got_source;
      status->MPI_TAG = r.got_tag;
      status->psim_bytes = static_cast<long long>(r.got_bytes);
    }
  }
  int result = r.kind == RequestKind::Generalized ? finish_generalized(*r.generalized, status) : r.error;
  // A message that ends within an element ends no job: other libraries accept it.
  if (result == MPI_ERR_TYPE && has_message(r) && communicator(r.comm).errhandler == MPI_ERRORS_ARE_FATAL)
    result = MPI_SUCCESS;
  if (result != MPI_SUCCESS) [[unlikely]] {
    const bool more = r.kind == RequestKind::Collective && r.note != nullptr;
    last_note = more ? *r.note : std::string();
    failed = r.comm;
  }
  if (noting) [[unlikely]]
    note_finish(r);
  if (r.persistent) {
    if (r.kind == RequestKind::Collective) delete std::exchange(r.note, nullptr);
    r.active = false;
    r.cancelled = false;
    r.error = MPI_SUCCESS;
  } else {
    release(index);
    handle = MPI_REQUEST_NULL;
  }
  return result;
}

}  // namespace psim::net::mpi
