// SPDX-License-Identifier: Apache-2.0
// Events of the tool information interface (MPI-4.1 section 15.3.8).
#pragma once

#include <cstdint>

namespace psim::net::mpi {

struct Rank;

enum class ToolEvent : std::uint8_t { Send, Receive };

/// Callbacks registered in this host process. While there are none, events cost nothing: observe.h.
extern std::uint32_t tool_callbacks;
/// Calls the callbacks of the rank for an event of a message. `peer`: the other rank in the communicator.
void raise_event(const Rank& me, ToolEvent event, int peer, int tag, std::uint64_t bytes);

}  // namespace psim::net::mpi
