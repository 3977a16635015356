// SPDX-License-Identifier: Apache-2.0
// Opening, closing and querying files; their hints and error handlers (MPI-3.1 sections 13.2, 13.6, 13.7,
// 8.3).
#include <algorithm>
#include <string>

#include "mpi/collective/call.h"
#include "mpi/communicators.h"
#include "mpi/datatype/registry.h"
#include "mpi/errhandler.h"
#include "mpi/file/file.h"
#include "mpi/library.h"
#include "mpi/object/group_handle.h"
#include "mpi/object/info_handle.h"

using namespace psim::net::mpi;

namespace {

/// Broadcasts rank 0's answer along a binomial tree.
Task broadcast_answer(Channel c, int* answer) {
  int bit = 1;
  while (bit < c.size && (c.me & bit) == 0) bit *= 2;
  if (c.me != 0) {
    c.recv(c.me - bit, answer, sizeof *answer);
    co_await c.done();
  }
  for (bit /= 2; bit > 0; bit /= 2)
    if (c.me + bit < c.size) c.send_always(c.me + bit, answer, sizeof *answer);
  co_await c.done();
}
int answer_of_first(const char* function, MPI_Comm comm, int answer) {
  collective_call(function, comm, nullptr,
                  [&](Collective& c, Communicator&) { return broadcast_answer(c.local, &answer); });
  return answer;
}

template <class Body>
int outcome(Body&& body) {
  try {
    body();
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return failure.code;
  }
}

void check_amode(int amode) {
  const int ways =
      ((amode & MPI_MODE_RDONLY) != 0) + ((amode & MPI_MODE_WRONLY) != 0) + ((amode & MPI_MODE_RDWR) != 0);
  require(ways == 1, MPI_ERR_AMODE);
  if ((amode & MPI_MODE_RDONLY) != 0)
    require((amode & (MPI_MODE_CREATE | MPI_MODE_EXCL)) == 0, MPI_ERR_AMODE);
  if ((amode & MPI_MODE_RDWR) != 0) require((amode & MPI_MODE_SEQUENTIAL) == 0, MPI_ERR_AMODE);
}

/// Returns the name without the prefix of a file system ("ufs:/data/x") that ROMIO allows.
std::string host_name(const char* name) {
  std::string text(name);
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos && colon >= 2 &&
      std::all_of(text.begin(), text.begin() + static_cast<long>(colon),
                  [](char c) { return c >= 'a' && c <= 'z'; }))
    text.erase(0, colon + 1);
  return text;
}

/// Does the collective part of opening; fails on all ranks or on none.
void open(File& f, MPI_Comm comm, const std::string& name, MPI_Info hints) {
  if (PMPI_Comm_dup(comm, &f.comm) != MPI_SUCCESS) fail(MPI_ERR_COMM);
  Communicator& own = communicator(f.comm);
  own.attributes.reset();
  const std::uint32_t context = own.shared->context;
  PMPI_Barrier(f.comm);  // rank 0 must see changes of the file that other ranks made before
  const auto open_here = [&] { f.host = open_together(context, name, f.amode, own.rank == 0); };
  int code = own.rank == 0 ? outcome(open_here) : MPI_SUCCESS;
  code = answer_of_first("MPI_File_open", f.comm, code);
  if (code == MPI_SUCCESS && own.rank != 0 && outcome(open_here) != MPI_SUCCESS)
    library->host.abort_job(MPI_ERR_NO_SUCH_FILE,
                            "MPI_File_open: file = " + name +
                                ": rank 0 of the communicator has opened it, but rank " +
                                std::to_string(own.rank) + " cannot; expected a file that all nodes share");
  if (code != MPI_SUCCESS) {
    PMPI_Comm_free(&f.comm);
    fail(code);
  }
  if (own.rank == 0) f.shared_pointer = std::make_unique<long long>(0);
  PMPI_Win_create(f.shared_pointer.get(), own.rank == 0 ? sizeof(long long) : 0, sizeof(long long),
                  MPI_INFO_NULL, f.comm, &f.pointer_window);
  f.view = std::make_unique<View>();
  f.errhandler = get_errhandler(default_file_errhandler());
  merge_info(f.info, hints);
  if ((f.amode & MPI_MODE_APPEND) != 0) {
    f.pointer = static_cast<std::uint64_t>(f.host->size());
    set_shared_pointer(f, static_cast<long long>(f.pointer));
  }
}

}  // namespace

PSIM_MPI(int, File_open, (MPI_Comm comm, const char* name, int amode, MPI_Info hints, MPI_File* result)) {
  const CountedCall whole("MPI_File_open");
  const int code = outcome([&] {
    out(result) = MPI_FILE_NULL;
    require(!communicator(comm).shared->inter(), MPI_ERR_COMM);
    require(name != nullptr && *name != '\0', MPI_ERR_BAD_FILE);
    check_amode(amode);
    check_info(hints);
    File f;
    f.amode = amode;
    open(f, comm, host_name(name), hints);
    library->host.sleep(library->config.io_latency);
    *result = publish_file(std::move(f));
  });
  return code == MPI_SUCCESS ? code : raise_file("MPI_File_open", MPI_FILE_NULL, code);
}

PSIM_MPI(int, File_close, (MPI_File * handle)) {
  const CountedCall whole("MPI_File_close");
  return file_call("MPI_File_close", handle != nullptr ? *handle : MPI_FILE_NULL, [&](File& f, Rank&) {
    require(!f.split, MPI_ERR_OTHER);
    PMPI_Barrier(f.comm);
    const Communicator& comm = communicator(f.comm);
    const bool removes = comm.rank == 0 && (f.amode & MPI_MODE_DELETE_ON_CLOSE) != 0;
    const int removed = removes ? outcome([&] { HostFile::remove(f.host->name()); }) : MPI_SUCCESS;
    close_together(comm.shared->context, f.host);
    PMPI_Win_free(&f.pointer_window);
    PMPI_Comm_free(&f.comm);
    drop_errhandler(f.errhandler);
    forget_file(*handle);
    *handle = MPI_FILE_NULL;
    require(removed == MPI_SUCCESS, removed);  // the file is closed in any case, because the other ranks wait
                                               // for that
  });
}
PSIM_MPI(int, File_delete, (const char* name, MPI_Info hints)) {
  const int code = outcome([&] {
    require(name != nullptr && *name != '\0', MPI_ERR_BAD_FILE);
    check_info(hints);
    HostFile::remove(host_name(name));
  });
  return code == MPI_SUCCESS ? code : raise_file("MPI_File_delete", MPI_FILE_NULL, code);
}

PSIM_MPI(int, File_set_size, (MPI_File handle, MPI_Offset size)) {
  const CountedCall whole("MPI_File_set_size");
  return file_call("MPI_File_set_size", handle, [&](File& f, Rank&) {
    require(size >= 0, MPI_ERR_ARG);
    require((f.amode & MPI_MODE_RDONLY) == 0, MPI_ERR_READ_ONLY);
    PMPI_Barrier(f.comm);
    if (communicator(f.comm).rank == 0) f.host->resize(size);
    PMPI_Barrier(f.comm);
  });
}
PSIM_MPI(int, File_preallocate, (MPI_File handle, MPI_Offset size)) {
  const CountedCall whole("MPI_File_preallocate");
  return file_call("MPI_File_preallocate", handle, [&](File& f, Rank&) {
    require(size >= 0, MPI_ERR_ARG);
    require((f.amode & MPI_MODE_RDONLY) == 0, MPI_ERR_READ_ONLY);
    PMPI_Barrier(f.comm);
    if (communicator(f.comm).rank == 0 && f.host->size() < size) f.host->resize(size);
    PMPI_Barrier(f.comm);
  });
}
PSIM_MPI_CALL(File_get_size, (MPI_File handle, MPI_Offset* size), file_call, handle,
              [&](File& f, Rank&) { out(size) = f.host->size(); })
PSIM_MPI_CALL(File_get_group, (MPI_File handle, MPI_Group* result), file_call, handle,
              [&](File& f, Rank&) { out(result) = publish_group(communicator(f.comm).shared->local[0]); })
PSIM_MPI_CALL(File_get_amode, (MPI_File handle, int* amode), file_call, handle,
              [&](File& f, Rank&) { out(amode) = f.amode; })
PSIM_MPI_CALL(File_set_info, (MPI_File handle, MPI_Info hints), file_call, handle,
              [&](File& f, Rank&) { merge_info(f.info, hints); })
PSIM_MPI_CALL(File_get_info, (MPI_File handle, MPI_Info* result), file_call, handle,
              [&](File& f, Rank&) { out(result) = publish_info(f.info ? *f.info : InfoList{}); })
PSIM_MPI_COUNTED_CALL(File_get_type_extent, (MPI_File handle, MPI_Datatype type, Reach* extent), file_call,
                      handle, [&](File& f, Rank&) {
                        const auto in_file = f.view->representation().layout(datatype(type));
                        out(extent) = (in_file ? *in_file : datatype(type)).extent();
                      })
PSIM_MPI(int, File_set_atomicity, (MPI_File handle, int flag)) {
  const CountedCall whole("MPI_File_set_atomicity");
  return file_call("MPI_File_set_atomicity", handle, [&](File& f, Rank&) {
    PMPI_Barrier(f.comm);
    f.atomic = flag != 0;
  });
}
PSIM_MPI_CALL(File_get_atomicity, (MPI_File handle, int* flag), file_call, handle,
              [&](File& f, Rank&) { out(flag) = f.atomic; })
/// Synchronises the ranks, as most libraries do. Writes are visible to other ranks at once.
PSIM_MPI(int, File_sync, (MPI_File handle)) {
  const CountedCall whole("MPI_File_sync");
  return file_call("MPI_File_sync", handle, [&](File& f, Rank&) {
    library->host.sleep(library->config.io_latency);
    PMPI_Barrier(f.comm);
  });
}

PSIM_MPI_CALL(File_create_errhandler, (MPI_File_errhandler_function * function, MPI_Errhandler* result),
              unobserved, [&] {
                auto* const called = reinterpret_cast<MPI_Comm_errhandler_function*>(&out(function));
                out(result) = new_errhandler(called);
              })
PSIM_MPI(int, File_set_errhandler, (MPI_File handle, MPI_Errhandler handler)) {
  const CountedCall whole("MPI_File_set_errhandler");
  if (handle == MPI_FILE_NULL)
    return guarded("MPI_File_set_errhandler", [&] { set_errhandler(default_file_errhandler(), handler); });
  return file_call("MPI_File_set_errhandler", handle,
                   [&](File& f, Rank&) { set_errhandler(f.errhandler, handler); });
}
PSIM_MPI(int, File_get_errhandler, (MPI_File handle, MPI_Errhandler* handler)) {
  if (handle == MPI_FILE_NULL) {
    return unobserved("MPI_File_get_errhandler",
                      [&] { out(handler) = get_errhandler(default_file_errhandler()); });
  }
  return file_call("MPI_File_get_errhandler", handle,
                   [&](File& f, Rank&) { out(handler) = get_errhandler(f.errhandler); });
}
PSIM_MPI(int, File_call_errhandler, (MPI_File handle, int code)) {
  if (const int error = attempt("MPI_File_call_errhandler", MPI_COMM_NULL, [&] {
        if (handle != MPI_FILE_NULL) file(handle);
      }))
    return error;
  raise_file("MPI_File_call_errhandler", handle, code);
  return MPI_SUCCESS;
}
PSIM_MPI(MPI_Fint, File_c2f, (MPI_File handle)) { return file_number(handle); }
PSIM_MPI(MPI_File, File_f2c, (MPI_Fint handle)) { return handle_of_file(handle); }
