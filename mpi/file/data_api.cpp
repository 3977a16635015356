// SPDX-License-Identifier: Apache-2.0
// Data access (MPI-3.1 section 13.4): at explicit offsets, by the rank's own pointer, and by the shared
// pointer; independent or collective; blocking, non-blocking and split. Collective calls synchronise the
// ranks first.
#include "mpi/communicators.h"
#include "mpi/file/access.h"

using namespace psim::net::mpi;

namespace {

Moved to_memory(void* buffer, MPI_Count count, MPI_Datatype type) {
  return {Direction::Read, buffer, count, type};
}
Moved to_file(const void* buffer, MPI_Count count, MPI_Datatype type) {
  return {Direction::Write, const_cast<void*>(buffer), count, type};
}

void not_sequential(const File& f) {
  require((f.amode & MPI_MODE_SEQUENTIAL) == 0, MPI_ERR_UNSUPPORTED_OPERATION);
}

/// Start of an access in bytes of the view's stream. These functions advance the pointer by the bytes
/// requested.
auto at_offset(MPI_Offset offset) {
  return [offset](File& f, std::uint64_t) {
    not_sequential(f);
    require(offset >= 0, MPI_ERR_ARG);
    return static_cast<std::uint64_t>(offset) * f.etype_size();
  };
}
auto at_pointer() {
  return [](File& f, std::uint64_t bytes) {
    not_sequential(f);
    const std::uint64_t at = f.pointer;
    f.pointer += bytes;
    return at;
  };
}
auto at_shared() {
  return [](File& f, std::uint64_t bytes) {
    const std::uint64_t size = f.etype_size();
    return static_cast<std::uint64_t>(advance_shared_pointer(f, static_cast<long long>(bytes / size))) * size;
  };
}
/// Starts at the shared pointer, in the order of ranks.
auto in_order() {
  return [](File& f, std::uint64_t bytes) {
    const std::uint64_t size = f.etype_size();
    long long mine = static_cast<long long>(bytes / size), before = 0, all = 0, start = 0;
    PMPI_Exscan(&mine, &before, 1, MPI_LONG_LONG, MPI_SUM, f.comm);
    PMPI_Allreduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, f.comm);
    const bool first = communicator(f.comm).rank == 0;
    if (first) {
      before = 0;
      start = advance_shared_pointer(f, all);
    }
    PMPI_Bcast(&start, 1, MPI_LONG_LONG, 0, f.comm);
    return static_cast<std::uint64_t>(start + before) * size;
  };
}

/// Transfers data. `pointer`: a read that ends early sets the rank's own pointer back to the end of the data.
template <class Position>
Transferred transfer(File& f, const Moved& m, Position position) {
  const std::uint64_t bytes = checked_bytes(f, m);
  const std::uint64_t pointer = f.pointer, at = position(f, bytes);
  const Transferred done = move(f, m, at);
  if (f.pointer != pointer) f.pointer = at + done.in_file;
  return done;
}

template <class Position>
int blocking(const char* function, MPI_File handle, bool together, const Moved& m, Position position,
             MPI_Status* status) {
  const CountedCall whole(function);
  return file_call(function, handle, [&](File& f, Rank&) {
    if (together) PMPI_Barrier(f.comm);
    const Transferred done = transfer(f, m, position);
    library->host.sleep(access_time(done));
    fill_status(status, done);
  });
}
template <class Position>
int started(const char* function, MPI_File handle, const Moved& m, Position position, MPI_Request* request) {
  return file_call(function, handle, [&](File& f, Rank& me) {
    MPI_Request& result = out(request);
    const Transferred done = transfer(f, m, position);
    result = timed_request(me, f, done);
  });
}
template <class Position>
int begin(const char* function, MPI_File handle, const Moved& m, Position position) {
  const CountedCall whole(function);
  return file_call(function, handle, [&](File& f, Rank&) {
    require(!f.split, MPI_ERR_OTHER);
    PMPI_Barrier(f.comm);
    f.split_data = transfer(f, m, position);
    f.split = true;
  });
}
int end(const char* function, MPI_File handle, MPI_Status* status) {
  return file_call(function, handle, [&](File& f, Rank&) {
    require(f.split, MPI_ERR_OTHER);
    f.split = false;
    library->host.sleep(access_time(f.split_data));
    fill_status(status, f.split_data);
  });
}

}  // namespace

#define PSIM_AT(name, constness, moved)                                                                     \
  PSIM_MPI_COUNTS(int, File_##name##_at,                                                                    \
                  (MPI_File f, MPI_Offset at, constness void* b, Number n, MPI_Datatype t, MPI_Status* s),  \
                  { return blocking(function, f, false, moved(b, n, t), at_offset(at), s); })               \
  PSIM_MPI_COUNTS(int, File_##name##_at_all,                                                                \
                  (MPI_File f, MPI_Offset at, constness void* b, Number n, MPI_Datatype t, MPI_Status* s),  \
                  { return blocking(function, f, true, moved(b, n, t), at_offset(at), s); })                \
  PSIM_MPI_COUNTS(int, File_i##name##_at,                                                                   \
                  (MPI_File f, MPI_Offset at, constness void* b, Number n, MPI_Datatype t, MPI_Request* r), \
                  { return started(function, f, moved(b, n, t), at_offset(at), r); })                       \
  PSIM_MPI_COUNTS(int, File_i##name##_at_all,                                                               \
                  (MPI_File f, MPI_Offset at, constness void* b, Number n, MPI_Datatype t, MPI_Request* r), \
                  { return started(function, f, moved(b, n, t), at_offset(at), r); })                       \
  PSIM_MPI_COUNTS(int, File_##name##_at_all_begin,                                                          \
                  (MPI_File f, MPI_Offset at, constness void* b, Number n, MPI_Datatype t),                 \
                  { return begin(function, f, moved(b, n, t), at_offset(at)); })                            \
  PSIM_MPI(int, File_##name##_at_all_end, (MPI_File f, constness void*, MPI_Status* s)) {                   \
    return end("MPI_File_" #name "_at_all_end", f, s);                                                      \
  }

#define PSIM_POINTER(name, constness, moved)                                                               \
  PSIM_MPI_COUNTS(int, File_##name,                                                                        \
                  (MPI_File f, constness void* b, Number n, MPI_Datatype t, MPI_Status* s),                \
                  { return blocking(function, f, false, moved(b, n, t), at_pointer(), s); })               \
  PSIM_MPI_COUNTS(int, File_##name##_all,                                                                  \
                  (MPI_File f, constness void* b, Number n, MPI_Datatype t, MPI_Status* s),                \
                  { return blocking(function, f, true, moved(b, n, t), at_pointer(), s); })                \
  PSIM_MPI_COUNTS(int, File_i##name,                                                                       \
                  (MPI_File f, constness void* b, Number n, MPI_Datatype t, MPI_Request* r),               \
                  { return started(function, f, moved(b, n, t), at_pointer(), r); })                       \
  PSIM_MPI_COUNTS(int, File_i##name##_all,                                                                 \
                  (MPI_File f, constness void* b, Number n, MPI_Datatype t, MPI_Request* r),               \
                  { return started(function, f, moved(b, n, t), at_pointer(), r); })                       \
  PSIM_MPI_COUNTS(int, File_##name##_all_begin, (MPI_File f, constness void* b, Number n, MPI_Datatype t), \
                  { return begin(function, f, moved(b, n, t), at_pointer()); })                            \
  PSIM_MPI(int, File_##name##_all_end, (MPI_File f, constness void*, MPI_Status* s)) {                     \
    return end("MPI_File_" #name "_all_end", f, s);                                                        \
  }

#define PSIM_SHARED(name, constness, moved)                                                  \
  PSIM_MPI_COUNTS(int, File_##name##_shared,                                                 \
                  (MPI_File f, constness void* b, Number n, MPI_Datatype t, MPI_Status* s),  \
                  { return blocking(function, f, false, moved(b, n, t), at_shared(), s); })  \
  PSIM_MPI_COUNTS(int, File_i##name##_shared,                                                \
                  (MPI_File f, constness void* b, Number n, MPI_Datatype t, MPI_Request* r), \
                  { return started(function, f, moved(b, n, t), at_shared(), r); })          \
  PSIM_MPI_COUNTS(int, File_##name##_ordered,                                                \
                  (MPI_File f, constness void* b, Number n, MPI_Datatype t, MPI_Status* s),  \
                  { return blocking(function, f, true, moved(b, n, t), in_order(), s); })    \
  PSIM_MPI_COUNTS(int, File_##name##_ordered_begin,                                          \
                  (MPI_File f, constness void* b, Number n, MPI_Datatype t),                 \
                  { return begin(function, f, moved(b, n, t), in_order()); })                \
  PSIM_MPI(int, File_##name##_ordered_end, (MPI_File f, constness void*, MPI_Status* s)) {   \
    return end("MPI_File_" #name "_ordered_end", f, s);                                      \
  }

#define PSIM_NOTHING
PSIM_AT(read, PSIM_NOTHING, to_memory)
PSIM_AT(write, const, to_file)
PSIM_POINTER(read, PSIM_NOTHING, to_memory)
PSIM_POINTER(write, const, to_file)
PSIM_SHARED(read, PSIM_NOTHING, to_memory)
PSIM_SHARED(write, const, to_file)
