// SPDX-License-Identifier: Apache-2.0
// Messages and requests of collectives, as the rest of the library sees them. collective/collective.cpp and
// collective/disagreement.cpp define these functions.
#pragma once

#include <cstdint>

#include "netsim/message/envelope.h"

namespace psim::net::mpi {

struct Collective;
struct Rank;
struct Request;

/// Announces a completed message, whose request is released next, to Collective::on_message.
void note_message(const Collective& collective, const Request& message);
/// Counts a completed request of the collective. `cost`: processor time for data that it received.
void message_done(Collective& collective, int error, Picoseconds cost);
/// Resumes the coroutine after the messages it waited for; completes the collective at its end.
void resume(Collective& collective);

/// Fails the collective of a receive whose message carries other arguments than the rank's own.
void check_arguments(Request& receive, const Envelope& envelope);
/// Fails the collective of a receive that got `sent` bytes where it expects another number. In v and w forms
/// fewer bytes are no error.
void other_length(Request& receive, std::uint64_t sent);
/// Handles a message that fits no receive of `rank`: fails the first waiting receive of the same collective
/// if the arguments differ.
void check_unexpected(Rank& rank, const Envelope& envelope);
/// Discards a message for a collective of Rank::failed, which is not null. Returns true if it was one.
bool discard_if_failed(Rank& rank, const Envelope& envelope);

}  // namespace psim::net::mpi
