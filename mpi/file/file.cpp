// SPDX-License-Identifier: Apache-2.0
#include "mpi/file/file.h"
#include "mpi/object/run_state.h"

#include <map>
#include <utility>

namespace psim::net::mpi {
namespace {

using Files = Pool<File, 6>;
Files& files() {
  static Files pool;
  return pool;
}

}  // namespace

File& file(MPI_File handle) {
  const MPI_Fint number = file_number(handle);
  const std::uint32_t index = handle_index(number);
  require(is_handle(number, HandleKind::File) && files().holds(index) && files()[index].comm != MPI_COMM_NULL,
          MPI_ERR_FILE);
  return files()[index];
}

MPI_File publish_file(File f) {
  const std::uint32_t index = files().take();
  files()[index] = std::move(f);
  return handle_of_file(make_handle(HandleKind::File, index));
}

void forget_file(MPI_File handle) { files().give(handle_index(file_number(handle))); }

MPI_Errhandler& default_file_errhandler() {
  static RunState<std::map<std::uint32_t, MPI_Errhandler>> all;  // by rank
  return all.value.try_emplace(self().id, MPI_ERRORS_RETURN).first->second;
}

long long advance_shared_pointer(const File& f, long long etypes) {
  long long before = 0;
  PMPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, f.pointer_window);
  PMPI_Fetch_and_op(&etypes, &before, MPI_LONG_LONG, 0, 0, MPI_SUM, f.pointer_window);
  PMPI_Win_unlock(0, f.pointer_window);
  return before;
}

void set_shared_pointer(const File& f, long long etypes) {
  PMPI_Barrier(f.comm);  // no rank moves it after this
  if (f.shared_pointer) *f.shared_pointer = etypes;
  PMPI_Barrier(f.comm);
}

}  // namespace psim::net::mpi
