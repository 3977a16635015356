// SPDX-License-Identifier: Apache-2.0
// Taking sends back (MPI-3.1 section 3.8.4). An eager send is over before its call returns, but its message
// may still wait at the destination: there it is looked for, by the number it has among the sends of its
// rank.
#include <bit>

#include "mpi/point_to_point.h"
#include "mpi/protocol.h"

namespace psim::net::mpi {
namespace {

/// Bits of a handle for the serial, below those for any rank of the world.
unsigned serial_bits() { return 26 - static_cast<unsigned>(std::bit_width(library->host.ranks() - 1)); }

/// A buffered send that still asks its destination, by its number among the sends of the rank.
std::uint32_t find_buffered(const Rank& me, std::uint32_t serial) {
  for (std::uint32_t i = 1; i <= library->requests.highest(); ++i) {
    const Request& r = library->requests[i];
    if (r.kind == RequestKind::Send && r.owner == me.id && r.detached && r.serial == serial) return i;
  }
  return 0;
}

/// The send behind a handle of a send that was over when it started.
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
    library->requests[request].world = destination;  // of whom a second MPI_Cancel asks
    cancel_eager(request, destination, serial);
  }
  handle = make_handle(HandleKind::Request, request);
  if (me.done_handles != 0) --me.done_handles;
}

}  // namespace

MPI_Request done_handle(Rank& me, const Transfer& t) {
  ++me.done_handles;
  std::uint32_t index = kDoneIndex;
  // A rank that has sent more than the bits can tell apart cannot cancel: what it sent is simply complete.
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
  // A persistent send that was over when it started waits for the answer now.
  if (const std::uint32_t buffered = find_buffered(me, r.remote)) {
    r.complete = false;
    cancel_rendezvous(buffered, index);
  } else if (r.bytes <= library->config.eager.count && r.mode != SendMode::Synchronous) {
    r.complete = false;
    cancel_eager(index, r.world, r.remote);
  }
}

}  // namespace psim::net::mpi
