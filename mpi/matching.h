// SPDX-License-Identifier: Apache-2.0
// Matching of receives and messages (MPI-3.1 section 3.5). An arriving message takes the earliest posted
// receive that fits; a receive takes the earliest arrived message that fits. Arrivals are in the order of the
// simulation, so MPI_ANY_SOURCE is repeatable. Each rank has two lists; no table grows with the number of
// ranks.
#pragma once

#include <cstdint>

#include "mpi/rank.h"
#include "mpi/request.h"
#include "netsim/message/envelope.h"

namespace psim::net::mpi {

/// Appends a receive to the posted queue.
void post(Rank& rank, std::uint32_t request);
/// Unlinks and returns the first posted receive that fits, or returns 0.
std::uint32_t take_posted(Rank& rank, const Envelope& envelope);
/// Unlinks a given receive. Returns false if it was matched before.
bool unpost(Rank& rank, std::uint32_t request);

void keep_unexpected(Rank& rank, const Envelope& envelope, const std::byte* data, std::uint64_t bytes);
/// Returns the first unexpected message that fits, or 0; `take` unlinks it.
std::uint32_t find_unexpected(Rank& rank, std::uint32_t context, std::int32_t source, std::int32_t tag,
                              bool take);
/// Unlinks and returns the unexpected eager message that was the program's send number `serial`. Returns 0 if
/// it was matched before.
std::uint32_t take_eager(Rank& rank, std::uint32_t source_world, std::uint32_t serial);
/// Unlinks and returns the unexpected request-to-send of `sender`. Returns 0 if it was matched before.
std::uint32_t take_request_to_send(Rank& rank, std::uint32_t source_world, std::uint32_t sender);

}  // namespace psim::net::mpi
