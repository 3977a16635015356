// SPDX-License-Identifier: Apache-2.0
// Messages between ranks about windows.
#pragma once

#include <cstdint>

#include "mpi/datatype/datatype.h"
#include "mpi/library.h"
#include "mpi/rdma/rdma.h"
#include "mpi/window/window.h"
#include "netsim/message/envelope.h"

namespace psim::net::mpi {

/// Envelope::flags of MessageKind::Window.
enum class WindowMessage : std::uint8_t {
  Lock,  ///< tag 1: exclusive
  Grant,
  Unlock,
  Post,
  Complete
};

enum class WindowOperation : std::uint8_t { Put, Get, Accumulate, GetAccumulate, CompareAndSwap };

/// Header of an operation that the RDMA engine takes to the target; segments of its type and data follow.
struct OperationHeader {
  WindowOperation operation = WindowOperation::Put;
  Basic basic = Basic::None;  ///< the element type that accumulate combines
  bool carried = false;       ///< data follow
  int op = 0;                 ///< code of the predefined operation
  std::int64_t displacement = 0;
  std::uint64_t count = 0;
  std::uint64_t size = 0;  ///< of one element of the target's type
  std::int64_t extent = 0;
  std::uint32_t segments = 0;
};

/// Sends a message from `source` to a rank of the world.
void send_window(std::uint32_t source, std::uint32_t destination, std::uint32_t context, WindowMessage kind,
                 std::uint32_t sender = 0, std::uint32_t receiver = 0, std::int32_t tag = 0);
/// Handles an arriving message. Called by Mpi::arrived.
void window_message(const Envelope& envelope);
/// Lets a rank in wait_until() test its condition again.
void window_event(Rank& rank);

template <class Done>
void wait_until(Rank& me, Done done) {
  while (!done()) {
    me.watching = true;
    me.waiting = 1;
    block(me, done);
    me.watching = false;
  }
}

}  // namespace psim::net::mpi
