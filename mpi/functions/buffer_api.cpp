// SPDX-License-Identifier: Apache-2.0
// Buffers of buffered sends (MPI-4.1 section 3.6): of the process, or of one communicator or session.
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

/// Buffers of communicators and sessions, by rank and handle.
std::map<std::pair<std::uint32_t, int>, Buffer>& other_buffers() {
  static RunState<std::map<std::pair<std::uint32_t, int>, Buffer>> all;
  return all.value;
}

/// Sessions of communicators, by rank and context.
std::map<std::pair<std::uint32_t, std::uint32_t>, MPI_Session>& sessions_of_communicators() {
  static RunState<std::map<std::pair<std::uint32_t, std::uint32_t>, MPI_Session>> all;
  return all.value;
}

Buffer& slot(Rank& me, int owner) {
  return owner == kProcessBuffer ? me.buffer : other_buffers()[{me.id, owner}];
}

AttachedBuffer& attached(Rank& me, int owner) {
  Buffer& buffer = slot(me, owner);
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

/// Functions with a communicator call its error handler, the others that of MPI_COMM_SELF.
template <class Body>
int with_buffer(const char* function, int owner, Body&& body) {
  return guarded(function, owner == kProcessBuffer ? MPI_COMM_NULL : owner, [&] {
    if (owner != kProcessBuffer) communicator(owner);
    body(enter_buffer_call(function));
  });
}

}  // namespace

namespace psim::net::mpi {

void attach_buffer(Rank& me, int owner, void* address, MPI_Count size) {
  Buffer& buffer = slot(me, owner);
  require(!buffer, MPI_ERR_BUFFER, "a buffer is attached already");
  require(size >= 0, MPI_ERR_ARG, "size is negative");
  require(address != nullptr || size == 0, MPI_ERR_BUFFER, "buffer is a null pointer");
  buffer = std::make_unique<AttachedBuffer>();
  buffer->address = address;
  buffer->automatic = address == MPI_BUFFER_AUTOMATIC;
  buffer->size = buffer->automatic ? 0 : static_cast<std::uint64_t>(size);
}

MPI_Count detach_buffer(Rank& me, int owner, void* address) {
  AttachedBuffer& buffer = attached(me, owner);
  require(address != nullptr, MPI_ERR_ARG, "buffer is a null pointer");
  drain(me, buffer);
  *static_cast<void**>(address) = buffer.address;
  const auto size = static_cast<MPI_Count>(buffer.size);
  slot(me, owner).reset();
  return size;
}

void flush_buffer(Rank& me, int owner) {
  if (const Buffer& buffer = slot(me, owner)) drain(me, *buffer);
}

MPI_Request iflush_buffer(Rank& me, int owner, MPI_Comm comm) {
  const std::uint32_t index = new_request(me, RequestKind::Window);  // a request without a status
  library->requests[index].comm = comm;
  const Buffer& buffer = slot(me, owner);
  if (buffer && buffer->used > 0)
    buffer->flushes.push_back(index);
  else
    library->requests[index].complete = true;
  return make_handle(HandleKind::Request, index);
}

Rank& enter_buffer_call(const char* function) {
  Rank& me = self(function);
  me.pending.source = MPI_UNDEFINED;
  if (!me.deferred.empty()) progress(me);
  return me;
}

MPI_Session session_of(const Rank& me, const Shared& comm) {
  const auto& all = sessions_of_communicators();
  if (all.empty()) return MPI_SESSION_NULL;
  const auto found = all.find({me.id, comm.context});
  return found != all.end() ? found->second : MPI_SESSION_NULL;
}

void set_session(const Rank& me, const Shared& comm, MPI_Session session) {
  auto& all = sessions_of_communicators();
  if (session != MPI_SESSION_NULL)
    all[{me.id, comm.context}] = session;
  else if (!all.empty())
    all.erase({me.id, comm.context});
}

AttachedBuffer& buffer_for(Rank& me, MPI_Comm comm) {
  const auto& all = other_buffers();
  if (!all.empty())
    for (const int owner : {comm, session_of(me, *communicator(comm).shared)})
      if (const auto own = all.find({me.id, owner}); own != all.end() && own->second) return *own->second;
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
  auto& all = other_buffers();
  const auto at = all.find({me.id, handle});
  if (at == all.end()) return;
  if (at->second) drain(me, *at->second);
  all.erase(at);
}

}  // namespace psim::net::mpi

PSIM_MPI_COUNTED_CALL(Buffer_attach, (void* buffer, Number size), with_buffer, kProcessBuffer,
                      [&](Rank& me) { attach_buffer(me, kProcessBuffer, buffer, size); })
PSIM_MPI_COUNTED_CALL(Buffer_detach, (void* buffer, Number* size), with_buffer, kProcessBuffer,
                      [&](Rank& me) { set_size(out(size), detach_buffer(me, kProcessBuffer, buffer)); })
PSIM_MPI_CALL(Buffer_flush, (void), with_buffer, kProcessBuffer,
              [](Rank& me) { flush_buffer(me, kProcessBuffer); })
PSIM_MPI_CALL(Buffer_iflush, (MPI_Request * request), with_buffer, kProcessBuffer,
              [&](Rank& me) { out(request) = iflush_buffer(me, kProcessBuffer, MPI_COMM_WORLD); })
PSIM_MPI_COUNTED_CALL(Comm_attach_buffer, (MPI_Comm comm, void* buffer, Number size), with_buffer, comm,
                      [&](Rank& me) { attach_buffer(me, comm, buffer, size); })
PSIM_MPI_COUNTED_CALL(Comm_detach_buffer, (MPI_Comm comm, void* buffer, Number* size), with_buffer, comm,
                      [&](Rank& me) { set_size(out(size), detach_buffer(me, comm, buffer)); })
PSIM_MPI_CALL(Comm_flush_buffer, (MPI_Comm comm), with_buffer, comm,
              [&](Rank& me) { flush_buffer(me, comm); })
PSIM_MPI_CALL(Comm_iflush_buffer, (MPI_Comm comm, MPI_Request* request), with_buffer, comm,
              [&](Rank& me) { out(request) = iflush_buffer(me, comm, comm); })
