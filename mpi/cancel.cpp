// SPDX-License-Identifier: Apache-2.0
// Cancelling sends (MPI-3.1 section 3.8.4). An eager send completes before its call returns, but its message
// may still wait unmatched at the destination. The destination finds it by its number among the sends of its
// rank.
#include <bit>

#include "mpi/point_to_point.h"
#include "mpi/protocol.h"
#include "mpi/requests.h"

namespace psim::net::mpi {
namespace {

/// Returns the number of handle bits left for the serial, below the bits for a rank of the world.
unsigned serial_bits() { return 26 - static_cast<unsigned>(std::bit_width(library->host.ranks() - 1)); }

/// Returns the buffered send with this serial that still waits for its destination, or 0.
std::uint32_t find_buffered(const Rank& me, std::uint32_t serial) {
  for (std::uint32_t i = 1; i <= library->requests.highest(); ++i) {
    const Request& r = library->requests[i];
    if (r.kind == RequestKind::Send && r.owner == me.id && r.detached && r.serial == serial) return i;
  }
  return 0;
}

/// Cancels a send that had completed when it started.
void cancel_done(Rank& me, MPI_Request& handle) {
  const std::uint32_t index = handle_index(handle);
  if (index == kDoneIndex) return;
  const std::uint32_t serial = index & ((1u << serial_bits()) - 1);
  const std::uint32_t destination = (index & (kDoneBit - 1)) >> serial_bits();
  std::uint32_t request = find_buffered(me, serial);
  if (request != 0) {
    library->requests[request].detached = false;  // the user waits for it now
    cancel_rendezvous(request);
  } else {
    request = new_request(me, RequestKind::Send);
    library->requests[request].comm = MPI_COMM_WORLD;
    library->requests[request].peer = MPI_PROC_NULL;
    library->requests[request].world = destination;  // the destination of a second MPI_Cancel
    cancel_eager(request, destination, serial);
  }
  handle = make_handle(HandleKind::Request, request);
  if (me.done_handles != 0) --me.done_handles;
}

}  // namespace

MPI_Request done_handle(Rank& me, const Transfer& t) {
  ++me.done_handles;
  std::uint32_t index = kDoneIndex;
  // A rank that has sent more messages than the bits can number cannot cancel; its sends are just complete.
  if (t.peer != MPI_PROC_NULL && me.sends < (1u << serial_bits()) - 1) {
    index = kDoneBit | t.comm.peers().world(static_cast<std::uint32_t>(t.peer)) << serial_bits() | me.sends;
  }
  return make_handle(HandleKind::Request, index);
}

void cancel_send(Rank& me, MPI_Request& handle) {
  const std::uint32_t index = handle_index(handle);
  if (is_done(index)) return cancel_done(me, handle);
  Request& r = library->requests[index];
  if (!r.complete) return cancel_rendezvous(index);
  if (!r.persistent || !r.active || r.cancelled || r.remote == 0 || r.peer == MPI_PROC_NULL) return;
  // A persistent send that had completed when it started now waits for the reply.
  if (const std::uint32_t buffered = find_buffered(me, r.remote)) {
    r.complete = false;
    cancel_rendezvous(buffered, index);
  } else if (r.bytes <= eager_limit(r.owner, r.world) && r.mode != SendMode::Synchronous) {
    r.complete = false;
    cancel_eager(index, r.world, r.remote);
  }
}

}  // namespace psim::net::mpi
