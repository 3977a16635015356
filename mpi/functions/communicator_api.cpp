// SPDX-License-Identifier: Apache-2.0
// Queries of communicators (MPI-3.1 sections 6.4.1, 6.6.1, 6.8), and their end (6.4.3).
#include <cstring>

#include "mpi/api.h"
#include "mpi/attached_buffer.h"
#include "mpi/communicators.h"
#include "mpi/matching.h"
#include "mpi/object/keyval.h"

using namespace psim::net::mpi;

PSIM_MPI_CALL(Comm_size, (MPI_Comm comm, int* size), guarded, comm,
              [&] { out(size) = communicator(comm).size(); })
PSIM_MPI_CALL(Comm_rank, (MPI_Comm comm, int* rank), guarded, comm,
              [&] { out(rank) = communicator(comm).rank; })
PSIM_MPI_CALL(Comm_remote_size, (MPI_Comm comm, int* size), guarded, comm, [&] {
  require(communicator(comm).shared->inter(), MPI_ERR_COMM);
  out(size) = static_cast<int>(communicator(comm).peers().size());
})
PSIM_MPI_CALL(Comm_test_inter, (MPI_Comm comm, int* flag), guarded, comm,
              [&] { out(flag) = communicator(comm).shared->inter(); })
PSIM_MPI_CALL(Comm_compare, (MPI_Comm first, MPI_Comm second, int* result), guarded, first, [&] {
  const Communicator &a = communicator(first), &b = communicator(second);
  const auto compare = [](const Group& x, const Group& y) {
    return x.same_order(y) ? MPI_CONGRUENT : x.same_members(y) ? MPI_SIMILAR : MPI_UNEQUAL;
  };
  if (first == second) {
    out(result) = MPI_IDENT;
  } else if (a.shared->inter() != b.shared->inter()) {
    out(result) = MPI_UNEQUAL;
  } else {
    const int own = compare(a.group(), b.group());
    const int peers = a.shared->inter() ? compare(a.peers(), b.peers()) : own;
    out(result) = own > peers ? own : peers;
  }
})
PSIM_MPI_CALL(Comm_set_name, (MPI_Comm comm, const char* name), guarded, comm, [&] {
  communicator(comm).name =
      std::make_unique<std::string>(std::string(&out(name)).substr(0, MPI_MAX_OBJECT_NAME - 1));
})
/// The null handles have names, too (MPI-4.1 section 7.8).
PSIM_MPI_CALL(Comm_get_name, (MPI_Comm comm, char* name, int* length), guarded, comm, [&] {
  if (comm == MPI_COMM_NULL) {
    std::strcpy(&out(name), "MPI_COMM_NULL");
    out(length) = static_cast<int>(std::strlen(name));
    return;
  }
  const Communicator& c = communicator(comm);
  const char* text = c.name                   ? c.name->c_str()
                     : comm == MPI_COMM_WORLD ? "MPI_COMM_WORLD"
                     : comm == MPI_COMM_SELF  ? "MPI_COMM_SELF"
                                              : "";
  std::strcpy(&out(name), text);
  out(length) = static_cast<int>(std::strlen(text));
})
PSIM_MPI_CALL(Comm_free, (MPI_Comm * handle), guarded, handle != nullptr ? *handle : MPI_COMM_NULL, [&] {
  Communicator& comm = communicator(out(handle));
  require(*handle != MPI_COMM_WORLD && *handle != MPI_COMM_SELF, MPI_ERR_COMM,
          "MPI_COMM_WORLD and MPI_COMM_SELF cannot be freed");
  Rank& me = self("MPI_Comm_free");
  // No receive could take them any more. Other libraries lose them silently.
  require(comm.errhandler == MPI_ERRORS_ARE_FATAL ||
              find_unexpected(me, comm.shared->context, MPI_ANY_SOURCE, MPI_ANY_TAG, false) == 0,
          MPI_ERR_OTHER, "the communicator has messages that were not received");
  if (comm.attributes) delete_attributes(*handle, *comm.attributes);
  drop_errhandler(comm.errhandler);
  forget_buffer(me, *handle);
  set_session(me, *comm.shared, MPI_SESSION_NULL);
  library->communicators.give(handle_index(*handle) - 2);
  *handle = MPI_COMM_NULL;
})
PSIM_MPI(int, Comm_disconnect, (MPI_Comm * handle)) {
  const CountedCall whole("MPI_Comm_disconnect");
  if (const int error = PMPI_Barrier(handle != nullptr ? *handle : MPI_COMM_NULL)) return error;
  return PMPI_Comm_free(handle);
}
