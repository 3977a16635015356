// SPDX-License-Identifier: Apache-2.0
// Completion of one or several requests (MPI-3.1 sections 3.7.3, 3.7.5). Inactive and null requests are
// complete with an empty status.
#include <algorithm>
#include <utility>
#include <vector>

#include "mpi/api.h"
#include "mpi/point_to_point.h"
#include "mpi/poll_call.h"
#include "mpi/requests.h"

using namespace psim::net::mpi;
using psim::Picoseconds;
using psim::net::PollCall;

namespace {

enum class State { Idle, Pending, Complete };

/// Returns Idle for a request that is null or persistent and not started.
State state_of(MPI_Request handle) {
  if (handle == MPI_REQUEST_NULL) return State::Idle;
  const std::uint32_t index = handle_index(handle);
  if (is_done(index) && is_handle(handle, HandleKind::Request)) return State::Complete;
  require(is_handle(handle, HandleKind::Request) && library->requests.holds(index) &&
              library->requests[index].kind != RequestKind::None,
          MPI_ERR_REQUEST, "no request has this handle");
  const Request& r = library->requests[index];
  if (!r.active) return State::Idle;
  return r.complete ? State::Complete : State::Pending;
}

Rank& enter(const char* function) {
  Rank& me = self(function);
  me.pending.source = MPI_UNDEFINED;
  me.pending.comm = MPI_COMM_NULL;
  if (!me.deferred.empty()) progress(me);
  return me;
}

void note(Rank& me, MPI_Request handle) {
  const Request& r = library->requests[handle_index(handle)];
  me.pending.comm = r.comm;
  if (r.kind == RequestKind::Send || r.kind == RequestKind::Receive) {
    me.pending.source = r.peer;
    me.pending.tag = r.tag;
  }
}

/// Reports to the host that these requests are still pending, for the calls that test.
void poll(Rank& me, int count, const MPI_Request* handles, const PollCall& from, const int* result,
          const int* second = nullptr) {
  const auto pending =
      std::find_if(handles, handles + count, [](MPI_Request r) { return state_of(r) == State::Pending; });
  if (pending != handles + count) note(me, *pending);
  found_nothing(from, result, second);
}

/// Blocks until `needed` of the pending requests are complete.
void wait_some(Rank& me, int count, const MPI_Request* handles, std::uint32_t needed) {
  for (int i = 0; i < count; ++i)
    if (state_of(handles[i]) == State::Pending) {
      library->requests[handle_index(handles[i])].waited = true;
      note(me, handles[i]);
    }
  me.waiting = needed;
  const auto pending = [=] {
    return std::count_if(handles, handles + count,
                         [](MPI_Request r) { return state_of(r) == State::Pending; });
  };
  block(me, [&, most = me.threaded ? pending() - needed : 0] { return pending() <= most; });
  for (int i = 0; i < count; ++i)
    if (state_of(handles[i]) == State::Pending) library->requests[handle_index(handles[i])].waited = false;
}

/// Sets the status of a request that is null or not started (MPI-3.1 section 3.7.3), including its error.
void idle_status(MPI_Status* status) {
  empty_status(status);
  if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = MPI_SUCCESS;
}

MPI_Status* status_at(MPI_Status* statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

/// Sets the status of a request that is not pending, without finishing it.
void look(MPI_Request handle, MPI_Status* status) {
  if (state_of(handle) == State::Idle) return idle_status(status);
  empty_status(status);
  if (is_done(handle_index(handle)) || status == MPI_STATUS_IGNORE) return;
  const Request& r = library->requests[handle_index(handle)];
  status->psim_cancelled = r.cancelled;
  if (r.kind == RequestKind::Generalized) r.generalized->query(r.generalized->extra, status);
  if (r.kind != RequestKind::Receive) return;
  status->MPI_SOURCE = r.got_source;
  status->MPI_TAG = r.got_tag;
  status->psim_bytes = static_cast<long long>(r.got_bytes);
}

/// The processor time for the messages of complete requests, for which the processor has waited since
/// `begin`. It handles each message on arrival or after the one before, and does nothing else meanwhile.
class MessageCosts {
 public:
  MessageCosts(Picoseconds begin, int count, const MPI_Request* handles) : end_(begin) {
    for (int i = 0; i < count; ++i) {
      if (state_of(handles[i]) != State::Complete || is_done(handle_index(handles[i]))) continue;
      const Request& request = library->requests[handle_index(handles[i])];
      if (!has_message(request)) continue;
      any_ = true;
      if (const Picoseconds cost = cost_of_message(request); cost.count() != 0)
        messages_.emplace_back(request.completed_at, cost);
    }
    std::sort(messages_.begin(), messages_.end());
    for (const auto& [completed_at, cost] : messages_)
      end_ = std::max(end_, Picoseconds{completed_at}) + cost;
  }
  void pass() const {
    if (any_) library->host.receive_overhead(messages_.empty() ? Picoseconds{0} : end_ - library->host.now());
  }

 private:
  std::vector<std::pair<std::int64_t, Picoseconds>> messages_;
  Picoseconds end_;
  bool any_ = false;
};

/// The error of the requests that a call completes, and the communicator of the first that failed.
struct Outcome {
  int error = MPI_SUCCESS;
  MPI_Comm comm = MPI_COMM_NULL;

  /// Finishes the one request of a call.
  void finish(MPI_Request& handle, MPI_Status* status) {
    error = psim::net::mpi::finish(handle, status, comm);
  }
  /// Notes the error of a request of `of`. Calls with arrays of statuses then fail with MPI_ERR_IN_STATUS.
  void add(int request_error, MPI_Comm of) {
    if (request_error == MPI_SUCCESS || error != MPI_SUCCESS) return;
    error = MPI_ERR_IN_STATUS;
    comm = of;
  }
};

/// Runs `body`, which completes requests. Its Outcome goes to the error handler of the communicator on which
/// the first request that failed was started (docs/decisions/0113); other errors concern no object.
template <class Body>
int completing(const char* function, Body&& body) {
  const ThreadHold hold;
  Outcome outcome;
  const int result = guarded(function, [&] { body(outcome); });
  if (result != MPI_SUCCESS || outcome.error == MPI_SUCCESS) return result;
  return raise(function, outcome.comm, outcome.error, finished_note());
}

/// Finishes all complete requests among `count`. The call fails with MPI_ERR_IN_STATUS if one failed.
void finish_all(int count, MPI_Request* handles, MPI_Status* statuses, Picoseconds begin, Outcome& outcome) {
  const MessageCosts costs(begin, count, handles);
  MPI_Comm comm = MPI_COMM_NULL;
  for (int i = 0; i < count; ++i) {
    MPI_Status* status = status_at(statuses, i);
    int error = MPI_SUCCESS;
    if (state_of(handles[i]) == State::Idle)
      empty_status(status);
    else
      error = finish_free_of_charge(handles[i], status, comm);
    outcome.add(error, comm);
    if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = error;
  }
  costs.pass();
}

void check_requests(int count, const MPI_Request* handles) {
  check_count(count);
  check_array(handles, count, "array_of_requests");
}

struct Counts {
  std::uint32_t pending = 0, complete = 0;
};
Counts count_states(int count, const MPI_Request* handles) {
  Counts counts;
  for (int i = 0; i < count; ++i) {
    const State s = state_of(handles[i]);
    counts.pending += s == State::Pending;
    counts.complete += s == State::Complete;
  }
  return counts;
}

int first_complete(int count, const MPI_Request* handles) {
  for (int i = 0; i < count; ++i)
    if (state_of(handles[i]) == State::Complete) return i;
  return MPI_UNDEFINED;
}

void some(int count, MPI_Request* handles, int* done, int* indices, MPI_Status* statuses, Outcome& outcome) {
  MPI_Comm comm = MPI_COMM_NULL;
  *done = 0;
  for (int i = 0; i < count; ++i) {
    if (state_of(handles[i]) != State::Complete) continue;
    MPI_Status* status = status_at(statuses, *done);
    const int error = finish(handles[i], status, comm);
    outcome.add(error, comm);
    if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = error;
    indices[(*done)++] = i;
  }
}

}  // namespace

PSIM_MPI_CALL(Wait, (MPI_Request * handle, MPI_Status* status), completing, [&](Outcome& outcome) {
  Rank& me = enter("MPI_Wait");
  const State s = state_of(out(handle));
  if (s == State::Idle) return idle_status(status);
  if (s == State::Pending) {
    note(me, *handle);
    wait_for(me, handle_index(*handle));
  }
  outcome.finish(*handle, status);
})

PSIM_MPI_POLL(Test, (MPI_Request * handle, int* flag, MPI_Status* status)) {
  const PollCall from = poll_call(PMPI_Test);
  return completing("MPI_Test", [&](Outcome& outcome) {
    Rank& me = enter("MPI_Test");
    const State s = state_of(out(handle));
    out(flag) = s != State::Pending;
    if (s == State::Idle) return idle_status(status);
    if (s == State::Pending) return poll(me, 1, handle, from, flag);
    outcome.finish(*handle, status);
  });
}

PSIM_MPI(int, Waitall, (int count, MPI_Request* handles, MPI_Status* statuses)) {
  return completing("MPI_Waitall", [&](Outcome& outcome) {
    Rank& me = enter("MPI_Waitall");
    check_requests(count, handles);
    const Picoseconds begin = library->host.now();
    const Counts counts = count_states(count, handles);
    if (counts.pending > 0) wait_some(me, count, handles, counts.pending);
    finish_all(count, handles, statuses, begin, outcome);
  });
}

PSIM_MPI_POLL(Testall, (int count, MPI_Request* handles, int* flag, MPI_Status* statuses)) {
  const PollCall from = poll_call(PMPI_Testall);
  return completing("MPI_Testall", [&](Outcome& outcome) {
    Rank& me = enter("MPI_Testall");
    check_requests(count, handles);
    out(flag) = count_states(count, handles).pending == 0;
    if (!*flag) return poll(me, count, handles, from, flag);
    finish_all(count, handles, statuses, library->host.now(), outcome);
  });
}

PSIM_MPI(int, Waitany, (int count, MPI_Request* handles, int* which, MPI_Status* status)) {
  return completing("MPI_Waitany", [&](Outcome& outcome) {
    Rank& me = enter("MPI_Waitany");
    check_requests(count, handles);
    const Counts counts = count_states(count, handles);
    out(which) = MPI_UNDEFINED;
    if (counts.pending + counts.complete == 0) return idle_status(status);
    if (counts.complete == 0) wait_some(me, count, handles, 1);
    out(which) = first_complete(count, handles);
    outcome.finish(handles[*which], status);
  });
}

PSIM_MPI_POLL(Testany, (int count, MPI_Request* handles, int* which, int* flag, MPI_Status* status)) {
  const PollCall from = poll_call(PMPI_Testany);
  return completing("MPI_Testany", [&](Outcome& outcome) {
    Rank& me = enter("MPI_Testany");
    check_requests(count, handles);
    const Counts counts = count_states(count, handles);
    out(which) = first_complete(count, handles);
    out(flag) = *which != MPI_UNDEFINED || counts.pending == 0;
    if (!*flag) return poll(me, count, handles, from, flag, which);
    if (*which == MPI_UNDEFINED) return idle_status(status);
    outcome.finish(handles[*which], status);
  });
}

PSIM_MPI(int, Waitsome, (int count, MPI_Request* handles, int* done, int* indices, MPI_Status* statuses)) {
  return completing("MPI_Waitsome", [&](Outcome& outcome) {
    Rank& me = enter("MPI_Waitsome");
    check_requests(count, handles);
    const Counts counts = count_states(count, handles);
    out(done) = MPI_UNDEFINED;
    check_array(indices, count, "array_of_indices");
    if (counts.pending + counts.complete == 0) return;
    if (counts.complete == 0) wait_some(me, count, handles, 1);
    some(count, handles, done, indices, statuses, outcome);
  });
}

PSIM_MPI_POLL(Testsome, (int count, MPI_Request* handles, int* done, int* indices, MPI_Status* statuses)) {
  const PollCall from = poll_call(PMPI_Testsome);
  return completing("MPI_Testsome", [&](Outcome& outcome) {
    Rank& me = enter("MPI_Testsome");
    check_requests(count, handles);
    const Counts counts = count_states(count, handles);
    out(done) = MPI_UNDEFINED;
    check_array(indices, count, "array_of_indices");
    if (counts.pending + counts.complete == 0) return;
    some(count, handles, done, indices, statuses, outcome);
    if (*done == 0) poll(me, count, handles, from, done);
  });
}

PSIM_MPI_POLL(Request_get_status, (MPI_Request handle, int* flag, MPI_Status* status)) {
  const PollCall from = poll_call(PMPI_Request_get_status);
  return guarded("MPI_Request_get_status", [&] {
    Rank& me = enter("MPI_Request_get_status");
    out(flag) = state_of(handle) != State::Pending;
    if (!*flag) return poll(me, 1, &handle, from, flag);
    look(handle, status);
  });
}
PSIM_MPI_POLL(Request_get_status_all,
              (int count, const MPI_Request* handles, int* flag, MPI_Status* statuses)) {
  const PollCall from = poll_call(PMPI_Request_get_status_all);
  return guarded("MPI_Request_get_status_all", [&] {
    Rank& me = enter("MPI_Request_get_status_all");
    check_requests(count, handles);
    out(flag) = count_states(count, handles).pending == 0;
    if (!*flag) return poll(me, count, handles, from, flag);
    for (int i = 0; i < count; ++i) look(handles[i], status_at(statuses, i));
  });
}
PSIM_MPI_POLL(Request_get_status_any,
              (int count, const MPI_Request* handles, int* which, int* flag, MPI_Status* status)) {
  const PollCall from = poll_call(PMPI_Request_get_status_any);
  return guarded("MPI_Request_get_status_any", [&] {
    Rank& me = enter("MPI_Request_get_status_any");
    check_requests(count, handles);
    const Counts counts = count_states(count, handles);
    out(which) = first_complete(count, handles);
    out(flag) = *which != MPI_UNDEFINED || counts.pending == 0;
    if (!*flag) return poll(me, count, handles, from, flag, which);
    look(*which == MPI_UNDEFINED ? MPI_REQUEST_NULL : handles[*which], status);
  });
}
PSIM_MPI_POLL(Request_get_status_some,
              (int count, const MPI_Request* handles, int* done, int* indices, MPI_Status* statuses)) {
  const PollCall from = poll_call(PMPI_Request_get_status_some);
  return guarded("MPI_Request_get_status_some", [&] {
    Rank& me = enter("MPI_Request_get_status_some");
    check_requests(count, handles);
    const Counts counts = count_states(count, handles);
    out(done) = MPI_UNDEFINED;
    check_array(indices, count, "array_of_indices");
    if (counts.pending + counts.complete == 0) return;
    *done = 0;
    for (int i = 0; i < count; ++i) {
      if (state_of(handles[i]) != State::Complete) continue;
      look(handles[i], status_at(statuses, *done));
      indices[(*done)++] = i;
    }
    if (*done == 0) poll(me, count, handles, from, done);
  });
}

PSIM_MPI_CALL(Request_free, (MPI_Request * handle), guarded, [&] {
  enter("MPI_Request_free");
  require(out(handle) != MPI_REQUEST_NULL, MPI_ERR_REQUEST, "MPI_REQUEST_NULL");
  const State s = state_of(*handle);
  const std::uint32_t index = handle_index(*handle);
  *handle = MPI_REQUEST_NULL;
  if (is_done(index)) {
    if (Rank& me = self(); me.done_handles != 0) --me.done_handles;
    return;
  }
  Request& r = library->requests[index];
  if (s == State::Pending) {
    r.detached = true;
  } else {
    if (r.kind == RequestKind::Generalized && r.generalized->free != nullptr)
      r.generalized->free(r.generalized->extra);
    release(index);
  }
})
