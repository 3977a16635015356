// SPDX-License-Identifier: Apache-2.0
// Buffers of buffered sends (MPI-4.1 section 3.6): of the process, or of one communicator.
#include <climits>
#include <map>
#include <memory>
#include <utility>

#include "mpi/api.h"
#include "mpi/attached_buffer.h"
#include "mpi/communicators.h"
#include "mpi/object/run_state.h"
#include "mpi/requests.h"

using namespace psim::net::mpi;

namespace {

using Buffer = std::unique_ptr<AttachedBuffer>;

/// Buffers of communicators, by rank and handle.
std::map<std::pair<std::uint32_t, int>, Buffer>& buffers_of_communicators() {
  static RunState<std::map<std::pair<std::uint32_t, int>, Buffer>> all;
  return all.value;
}

/// Returns the buffer of a communicator, or that of the process for MPI_COMM_NULL.
Buffer& slot(Rank& me, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return me.buffer;
  communicator(comm);
  return buffers_of_communicators()[{me.id, comm}];
}

AttachedBuffer& attached(Rank& me, MPI_Comm comm) {
  Buffer& buffer = slot(me, comm);
  require(buffer != nullptr, MPI_ERR_BUFFER, "no buffer is attached");
  return *buffer;
}

/// Waits until all messages have left the buffer.
void drain(Rank& me, AttachedBuffer& buffer) {
  if (buffer.used == 0) return;
  buffer.draining = true;
  me.waiting = 1;
  block(me, [&] { return buffer.used == 0; });
  buffer.draining = false;
}

/// Functions with a communicator call its error handler, the others that of MPI_COMM_WORLD.
template <class Body>
int with_buffer(const char* function, MPI_Comm comm, bool of_process, Body&& body) {
  return guarded(function, of_process ? MPI_COMM_WORLD : comm, [&] {
    if (!of_process) communicator(comm);
    Rank& me = self(function);
    me.pending.source = MPI_UNDEFINED;
    if (!me.deferred.empty()) progress(me);
    body(me, of_process ? MPI_COMM_NULL : comm);
  });
}

int attach(const char* function, MPI_Comm comm, bool of_process, void* address, MPI_Count size) {
  return with_buffer(function, comm, of_process, [&](Rank& me, MPI_Comm owner) {
    Buffer& buffer = slot(me, owner);
    require(!buffer, MPI_ERR_BUFFER, "a buffer is attached already");
    require(size >= 0, MPI_ERR_ARG, "size is negative");
    require(address != nullptr || size == 0, MPI_ERR_BUFFER, "buffer is a null pointer");
    buffer = std::make_unique<AttachedBuffer>();
    buffer->address = address;
    buffer->automatic = address == MPI_BUFFER_AUTOMATIC;
    buffer->size = buffer->automatic ? 0 : static_cast<std::uint64_t>(size);
  });
}

template <class Size>
int detach(const char* function, MPI_Comm comm, bool of_process, void* address, Size* size) {
  return with_buffer(function, comm, of_process, [&](Rank& me, MPI_Comm owner) {
    AttachedBuffer& buffer = attached(me, owner);
    require(address != nullptr, MPI_ERR_ARG, "buffer is a null pointer");
    out(size);
    drain(me, buffer);
    *static_cast<void**>(address) = buffer.address;
    *size = sizeof(Size) == 4 && buffer.size > INT_MAX ? MPI_UNDEFINED : static_cast<Size>(buffer.size);
    slot(me, owner).reset();
  });
}

int flush(const char* function, MPI_Comm comm, bool of_process) {
  return with_buffer(function, comm, of_process, [&](Rank& me, MPI_Comm owner) {
    if (const Buffer& buffer = slot(me, owner)) drain(me, *buffer);
  });
}

int iflush(const char* function, MPI_Comm comm, bool of_process, MPI_Request* request) {
  return with_buffer(function, comm, of_process, [&](Rank& me, MPI_Comm owner) {
    MPI_Request& result = out(request);
    const std::uint32_t index = new_request(me, RequestKind::Window);  // a request without a status
    library->requests[index].comm = of_process ? MPI_COMM_WORLD : comm;
    const Buffer& buffer = slot(me, owner);
    if (buffer && buffer->used > 0)
      buffer->flushes.push_back(index);
    else
      library->requests[index].complete = true;
    result = make_handle(HandleKind::Request, index);
  });
}

}  // namespace

namespace psim::net::mpi {

AttachedBuffer& buffer_for(Rank& me, MPI_Comm comm) {
  const auto& all = buffers_of_communicators();
  if (!all.empty())
    if (const auto own = all.find({me.id, comm}); own != all.end() && own->second) return *own->second;
  require(me.buffer != nullptr, MPI_ERR_BUFFER, "no buffer is attached");
  return *me.buffer;
}

void give_buffer(Rank& rank, AttachedBuffer& buffer, std::uint64_t bytes) {
  buffer.used -= bytes;
  if (buffer.used > 0) return;
  for (const std::uint32_t request : std::exchange(buffer.flushes, {})) complete(request);
  if (buffer.draining) {
    rank.waiting = 0;
    wake(rank);
  }
}

void forget_buffer(Rank& me, int handle) {
  auto& all = buffers_of_communicators();
  const auto at = all.find({me.id, handle});
  if (at == all.end()) return;
  if (at->second) drain(me, *at->second);
  all.erase(at);
}

}  // namespace psim::net::mpi

PSIM_MPI(int, Buffer_attach, (void* buffer, int size)) {
  return attach("MPI_Buffer_attach", MPI_COMM_NULL, true, buffer, size);
}
PSIM_MPI(int, Buffer_detach, (void* buffer, int* size)) {
  return detach("MPI_Buffer_detach", MPI_COMM_NULL, true, buffer, size);
}
PSIM_MPI(int, Buffer_flush, (void)) { return flush("MPI_Buffer_flush", MPI_COMM_NULL, true); }
PSIM_MPI(int, Buffer_iflush, (MPI_Request * request)) {
  return iflush("MPI_Buffer_iflush", MPI_COMM_NULL, true, request);
}
PSIM_MPI(int, Comm_attach_buffer, (MPI_Comm comm, void* buffer, int size)) {
  return attach("MPI_Comm_attach_buffer", comm, false, buffer, size);
}
PSIM_MPI(int, Comm_detach_buffer, (MPI_Comm comm, void* buffer, int* size)) {
  return detach("MPI_Comm_detach_buffer", comm, false, buffer, size);
}
PSIM_MPI(int, Comm_flush_buffer, (MPI_Comm comm)) { return flush("MPI_Comm_flush_buffer", comm, false); }
PSIM_MPI(int, Comm_iflush_buffer, (MPI_Comm comm, MPI_Request* request)) {
  return iflush("MPI_Comm_iflush_buffer", comm, false, request);
}
