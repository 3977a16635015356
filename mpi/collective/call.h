// SPDX-License-Identifier: Apache-2.0
// Start of a collective by MPI functions: one body for the blocking and the non-blocking form.
#pragma once

#include "mpi/api.h"
#include "mpi/collective/buffers.h"
#include "mpi/collective/collective.h"
#include "mpi/communicators.h"
#include "mpi/persistent.h"
#include "mpi/point_to_point.h"

namespace psim::net::mpi {

/// Fails with MPI_ERR_BUFFER if send and receive buffer are the same and hold data.
inline void require_apart(const Collective& c, const void* send, const void* recv, std::uint64_t amount) {
  require(c.inter || send != recv || send == nullptr || amount == 0 || size_only(), MPI_ERR_BUFFER,
          "sendbuf and recvbuf are the same buffer; expected MPI_IN_PLACE");
}

/// Checks buffers for calls where MPI_IN_PLACE would be correct. Many older programs pass one buffer twice,
/// and other libraries accept that: only programs with an error handler of their own get an error.
inline void require_distinct(const Collective& c, const void* send, const void* recv, std::uint64_t amount) {
  if (communicator(library->requests[c.request].comm).errhandler != MPI_ERRORS_ARE_FATAL)
    require_apart(c, send, recv, amount);
}

/// Puts the variables and the stack of the collective's rank at their addresses. A collective that uses
/// variables of its caller by itself calls this after each co_await.
inline void enter(const Collective& c) {
  if (library->in_callback) library->host.enter(RankId{c.rank->id});
}

/// Starts the collective that `make(c, comm)` returns after checking the arguments; it may fail. A null
/// `request` blocks.
template <class Make>
int collective_call(const char* function, Function kind, MPI_Comm handle, MPI_Request* request, Make&& make) {
  return guarded(function, handle, [&] {
    Communicator& comm = communicator(handle);
    check_nonnull(request);
    Restarting* const again = std::exchange(restarting, nullptr);
    Rank& me = self(function);
    me.pending.source = MPI_UNDEFINED;
    me.pending.comm = handle;
    if (!me.deferred.empty()) progress(me);
    Collective* c = new_collective(me, comm, kind, again);
    library->requests[c->request].comm = handle;
    try {
      c->task = make(*c, comm);
    } catch (...) {
      abandon(c, comm);
      throw;
    }
    if (again != nullptr && again->check) [[unlikely]] {  // the tag stays taken
      c->counted = false;
      return abandon(c, comm);
    }
    count_bytes(me, function, c->given);
    if (observer != nullptr) [[unlikely]]
      note_collective(me, comm, library->requests[c->request], request == nullptr);
    if (request != nullptr)
      *request = start(*c);
    else
      run(me, *c);
  });
}
/// Starts a collective of the library's own.
template <class Make>
int collective_call(const char* function, MPI_Comm handle, MPI_Request* request, Make&& make) {
  return collective_call(function, Function::Library, handle, request, std::forward<Make>(make));
}

/// Sets the root. Fails with MPI_ERR_ROOT.
inline void check_root(Collective& c, int root) {
  c.root = root;
  const int size = c.inter ? c.remote.size : c.local.size;
  if (c.inter && (root == MPI_ROOT || root == MPI_PROC_NULL)) return;
  if (root < 0 || root >= size) [[unlikely]]
    fail_about(MPI_ERR_ROOT, "root is %d; the ranks are 0 to %d", root, size - 1);
}

}  // namespace psim::net::mpi
