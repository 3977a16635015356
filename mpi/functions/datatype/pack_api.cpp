// SPDX-License-Identifier: Apache-2.0
// Packing (MPI-3.1 sections 4.2, 4.3).
#include <climits>
#include <string_view>

#include "mpi/api.h"
#include "mpi/communicators.h"
#include "mpi/datatype/external32.h"
#include "mpi/datatype/registry.h"

using namespace psim::net::mpi;

namespace {

void require_external32(const char* name) {
  require(std::string_view(&out(name)) == "external32", MPI_ERR_ARG, "datarep is not \"external32\"");
}

/// Checks that `bytes` from the position on lie within the packed buffer.
template <class Position, class Size>
void check_room(const void* packed, Size room, const Position* position, std::uint64_t bytes,
                const char* argument) {
  require(position != nullptr, MPI_ERR_ARG, "position is a null pointer");
  require(*position >= 0 && room >= 0, MPI_ERR_ARG, "position or size is negative");
  require(bytes <= static_cast<std::uint64_t>(room) && *position <= room - static_cast<std::int64_t>(bytes),
          MPI_ERR_TRUNCATE, "the packed buffer ends before the data");
  check_buffer(packed, bytes, datatype(MPI_BYTE), argument);
}

template <class Position, class Size>
void pack_to(const void* in, MPI_Count count, MPI_Datatype type, void* out, Size room, Position* position,
             bool external) {
  check_count(count);
  const auto n = static_cast<std::uint64_t>(count);
  const Datatype& t = committed(type, n);
  const std::uint64_t bytes = times(n, external ? external32_size(t) : t.size);
  check_buffer(in, n, t, "inbuf");
  check_room(out, room, position, bytes, "outbuf");
  std::byte* to = static_cast<std::byte*>(out) + *position;
  const auto* from = static_cast<const std::byte*>(in);
  if (external && !size_only()) pack_external32(t, n, from, to);
  if (!external && !size_only()) pack(t, n, from, to, 0, bytes);
  *position += static_cast<Position>(bytes);
}

template <class Position, class Size>
void unpack_from(const void* in, Size room, Position* position, void* out, MPI_Count count, MPI_Datatype type,
                 bool external) {
  check_count(count);
  const auto n = static_cast<std::uint64_t>(count);
  const Datatype& t = committed(type, n);
  const std::uint64_t bytes = times(n, external ? external32_size(t) : t.size);
  check_buffer(out, n, t, "outbuf");
  check_room(in, room, position, bytes, "inbuf");
  const std::byte* from = static_cast<const std::byte*>(in) + *position;
  *position += static_cast<Position>(bytes);
  if (size_only()) return;
  auto* const to = static_cast<std::byte*>(out);
  if (external)
    unpack_external32(t, n, to, from, bytes);
  else
    unpack(t, n, to, from, 0, bytes);
}

}  // namespace

PSIM_MPI_COUNTED_CALL(Pack,
                      (const void* in, Number count, MPI_Datatype type, void* out, Number room,
                       Number* position, MPI_Comm comm),
                      guarded, comm, [&] {
                        communicator(comm);
                        pack_to(in, count, type, out, room, position, false);
                      })
PSIM_MPI_COUNTED_CALL(Unpack,
                      (const void* in, Number room, Number* position, void* out, Number count,
                       MPI_Datatype type, MPI_Comm comm),
                      guarded, comm, [&] {
                        communicator(comm);
                        unpack_from(in, room, position, out, count, type, false);
                      })
PSIM_MPI_COUNTS(int, Pack_size, (Number count, MPI_Datatype type, MPI_Comm comm, Number* size), {
  return guarded(function, comm, [&] {
    communicator(comm);
    check_count(count);
    const std::uint64_t bytes = times(static_cast<std::uint64_t>(count), datatype(type).size);
    out(size) = !kLarge && bytes > INT_MAX ? MPI_UNDEFINED : static_cast<Number>(bytes);
  });
})
PSIM_MPI_COUNTED_CALL(Pack_external,
                      (const char* name, const void* in, Number count, MPI_Datatype type, void* out,
                       Reach room, Reach* position),
                      guarded, [&] {
                        require_external32(name);
                        pack_to(in, count, type, out, room, position, true);
                      })
PSIM_MPI_COUNTED_CALL(Unpack_external,
                      (const char* name, const void* in, Reach room, Reach* position, void* out, Number count,
                       MPI_Datatype type),
                      guarded, [&] {
                        require_external32(name);
                        unpack_from(in, room, position, out, count, type, true);
                      })
PSIM_MPI_COUNTS(int, Pack_external_size, (const char* name, Number count, MPI_Datatype type, Reach* size), {
  return guarded(function, [&] {
    require_external32(name);
    check_count(count);
    out(size) = static_cast<Reach>(times(static_cast<std::uint64_t>(count), external32_size(datatype(type))));
  });
})
