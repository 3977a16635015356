// SPDX-License-Identifier: Apache-2.0
// How the functions of MPI start a collective: one body for the blocking and the non-blocking form.
#pragma once

#include "netsim/mpi/api.h"
#include "netsim/mpi/collective/buffers.h"
#include "netsim/mpi/collective/collective.h"
#include "netsim/mpi/point_to_point.h"

namespace psim::net::mpi {

/// Buffers of the user that must differ are one, though data are in it: fails with MPI_ERR_BUFFER.
inline void require_distinct(const Collective& c, const void* send, const void* recv, std::uint64_t amount) {
  require(c.inter || send != recv || send == nullptr || amount == 0 || size_only(), MPI_ERR_BUFFER);
}

/// `make(c, comm)` checks the arguments (it may fail) and returns the task. `request` null: blocking.
template <class Make>
int collective_call(const char* function, MPI_Comm handle, MPI_Request* request, Make&& make) {
  return guarded(function, handle, [&] {
    Communicator& comm = communicator(handle);
    Rank& me = self(function);
    me.pending.source = MPI_UNDEFINED;
    me.pending.comm = handle;
    if (!me.deferred.empty()) progress(me);
    Collective* c = new_collective(me, comm);
    library->requests[c->request].comm = handle;
    try {
      c->task = make(*c, comm);
    } catch (...) {
      abandon(c);
      throw;
    }
    if (observer != nullptr) [[unlikely]]
      note_collective(me, comm, library->requests[c->request], request == nullptr);
    if (request != nullptr)
      *request = start(*c);
    else
      run(me, *c);
  });
}

}  // namespace psim::net::mpi
