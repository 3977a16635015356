// SPDX-License-Identifier: Apache-2.0
// An open file as one rank sees it (MPI-3.1 chapter 13). The data are in a file of the host; only the time is
// simulated. Each access costs mpi.io_latency, and its bytes at mpi.io_bandwidth, independently for each
// rank.
#pragma once

#include <cstdint>
#include <memory>

#include "mpi/api.h"
#include "mpi/file/host_file.h"
#include "mpi/file/view.h"
#include "mpi/object/info.h"

namespace psim::net::mpi {

/// Data that a call has transferred. Their sizes differ if the file has its own representation.
struct Transferred {
  std::uint64_t in_file = 0, in_memory = 0;  ///< bytes
};

/// One rank's view of an open file.
struct File {
  MPI_Comm comm = MPI_COMM_NULL;  ///< a communicator of its own
  MPI_Win pointer_window = MPI_WIN_NULL;
  std::unique_ptr<long long> shared_pointer;  ///< kept by rank 0, in etypes
  Ref<HostFile> host;
  int amode = 0;
  bool atomic = false;
  std::unique_ptr<View> view;
  std::uint64_t pointer = 0;  ///< of this rank, in bytes of the view's stream
  MPI_Errhandler errhandler = MPI_ERRORS_RETURN;
  std::unique_ptr<InfoList> info;
  bool split = false;  ///< a split collective has begun
  Transferred split_data;

  std::uint64_t etype_size() const { return view->etype_size(); }
};

/// Returns the number of a file's handle, as in Fortran, and the handle.
inline MPI_Fint file_number(MPI_File handle) {
  return static_cast<MPI_Fint>(reinterpret_cast<std::uintptr_t>(handle));
}
inline MPI_File handle_of_file(MPI_Fint number) {
  const std::uintptr_t half = static_cast<std::uint32_t>(number);
  return reinterpret_cast<MPI_File>(half << 32 | half);
}

/// Returns the file of a handle. Fails with MPI_ERR_FILE.
File& file(MPI_File handle);
MPI_File publish_file(File f);
void forget_file(MPI_File handle);
/// Returns the error handler that files opened by the running rank get.
MPI_Errhandler& default_file_errhandler();

/// Adds `etypes` ≥ 0 to the shared pointer and returns its value before. Returns 0 in size-only runs.
long long advance_shared_pointer(const File& f, long long etypes);
/// Sets the shared pointer; collective.
void set_shared_pointer(const File& f, long long etypes);

/// Calls body(file, rank) and passes its failure to the error handler of the file.
template <class Body>
int file_call(const char* function, MPI_File handle, Body&& body) {
  Failure caught{};
  try {
    File& f = file(handle);
    Rank& me = self(function);
    me.pending.source = MPI_UNDEFINED;
    me.pending.comm = f.comm;
    if (!me.deferred.empty()) progress(me);
    body(f, me);
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    caught = failure;
  }
  return raise_file(function, handle, caught.code, caught.note);
}

}  // namespace psim::net::mpi
