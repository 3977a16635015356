// SPDX-License-Identifier: Apache-2.0
#include "mpi/file/access.h"

#include <algorithm>

#include "mpi/collective/buffers.h"
#include "mpi/collective/collective.h"
#include "mpi/communicators.h"
#include "mpi/datatype/registry.h"
#include "mpi/request.h"
#include "mpi/requests.h"

namespace psim::net::mpi {
namespace {

/// Suspends a collective for a time.
struct Elapse {
  Collective& collective;
  Picoseconds time;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> caller) const noexcept {
    collective.waiting = caller;
    library->host.after(RankId{collective.rank->id}, std::max(time, Picoseconds{1}),
                        reinterpret_cast<std::uint64_t>(&collective));
  }
  void await_resume() const noexcept {}
};

Task wait(Collective& c, Picoseconds time) { co_await Elapse{c, time}; }

/// Transfers packed bytes to or from the pieces of the file, until a piece is cut short. Returns the bytes.
std::uint64_t each_piece(const File& f, std::uint64_t at, std::uint64_t bytes, std::byte* packed,
                         Direction direction) {
  std::uint64_t done = 0;
  while (done < bytes) {
    const View::Piece piece = f.view->piece(at + done, bytes - done);
    std::uint64_t moved = piece.length;
    if (direction == Direction::Write)
      f.host->write(piece.offset, packed + done, piece.length);
    else
      moved = f.host->read(piece.offset, packed + done, piece.length);
    done += moved;
    if (moved < piece.length || moved == 0) break;
  }
  return done;
}

}  // namespace

std::uint64_t checked_bytes(const File& f, const Moved& m) {
  check_count(m.count);
  if (m.direction == Direction::Read)
    require((f.amode & MPI_MODE_WRONLY) == 0, MPI_ERR_ACCESS);
  else
    require((f.amode & MPI_MODE_RDONLY) == 0, MPI_ERR_READ_ONLY);
  const Datatype& type = committed(m.type, static_cast<std::uint64_t>(m.count));
  check_buffer(m.buffer, static_cast<std::uint64_t>(m.count), type);
  const std::uint64_t bytes =
      times(static_cast<std::uint64_t>(m.count), f.view->representation().size_of(type));
  require(bytes % f.etype_size() == 0, MPI_ERR_IO);
  return bytes;
}

Transferred move(const File& f, const Moved& m, std::uint64_t at) {
  Datatype& type = committed(m.type, static_cast<std::uint64_t>(m.count));
  const Representation& representation = f.view->representation();
  const auto count = static_cast<std::uint64_t>(m.count);
  const std::uint64_t bytes = count * representation.size_of(type);
  if (bytes == 0 || size_only()) return {bytes, count * type.size};
  auto* user = static_cast<std::byte*>(m.buffer);
  if (type.contiguous && representation.as_in_memory()) {
    const std::uint64_t done = each_piece(f, at, bytes, user, m.direction);
    return {done, done};
  }
  const Scratch packed(bytes);
  if (m.direction == Direction::Write) {
    representation.write(type, count, user, packed.data());
    return {each_piece(f, at, bytes, packed.data(), m.direction), count * type.size};
  }
  const std::uint64_t done = each_piece(f, at, bytes, packed.data(), m.direction);
  return {done, representation.read(type, count, user, packed.data(), done)};
}

Picoseconds access_time(Transferred data) {
  const double seconds =
      static_cast<double>(data.in_file) / static_cast<double>(library->config.io_bandwidth.count);
  return library->config.io_latency + Picoseconds{static_cast<std::int64_t>(seconds * 1e12)};
}

MPI_Request timed_request(Rank& me, const File& f, Transferred data) {
  Communicator& comm = communicator(f.comm);
  Collective* c = new_collective(me, comm);
  uncount(*c, comm);  // not a call of all ranks
  library->requests[c->request].comm = f.comm;
  c->got = data.in_memory;
  c->task = wait(*c, access_time(data));
  return start(*c);
}

void fill_status(MPI_Status* status, Transferred data) {
  if (status == MPI_STATUS_IGNORE) return;
  empty_status(status);
  status->psim_bytes = static_cast<long long>(data.in_memory);
}

}  // namespace psim::net::mpi
