// SPDX-License-Identifier: Apache-2.0
// Collectives whose arguments differ between ranks (MPI-3.1 section 5.1 wants them alike). A rank that is
// told others than its own fails, stops waiting, and tells those whom it still sends to; what comes for it
// afterwards is thrown away. Ranks that hear nothing of it may succeed.
#pragma once

#include <cstdint>
#include <string>

#include "mpi/collective/collective.h"
#include "mpi/datatype/datatype.h"
#include "mpi/rank.h"
#include "mpi/request.h"
#include "netsim/message/envelope.h"

namespace psim::net::mpi {

/// Collective::alike: root (-1: none), code of the operation, basic type that it combines, bytes of the
/// vector or block. Each message tells the sender's. Two that differ look the same once in some thousand
/// cases, but for lengths, which messages have exactly.
std::uint32_t agreed_arguments(int root, std::uint32_t operation, Basic basic, std::uint64_t bytes);
/// Collective::alike of one that has failed; agreed_arguments() never gives it.
constexpr std::uint32_t kFailed = ~std::uint32_t{0};

/// The collective fails, if it has not failed before. It goes on, so that others end, too, but waits for no
/// receive any more. One of the library's own ends the job instead.
void disagree(Collective& collective, int error, std::string note);
/// This rank itself gives and takes blocks that must be as long as each other, in bytes.
void check_block(Collective& collective, std::uint64_t given, std::uint64_t taken);

// Of messages that come. `receive`: a request of a collective.

/// It tells other arguments than the collective's.
void other_arguments(Request& receive, const Envelope& envelope);
/// It has `sent` bytes, and other than these are due; of v and w forms, fewer are no error.
void other_length(Request& receive, std::uint64_t sent);
/// No receive of `rank` waits for it: the first one that waits fails, if it is of the same collective and the
/// arguments differ.
void check_unexpected(Rank& rank, const Envelope& envelope);

/// If a message is for a collective of Rank::failed (which is not null), throws it away.
bool of_failed(Rank& rank, const Envelope& envelope);
/// Another collective has the channel's number now.
void forget_failed(Rank& rank, const Channel& channel);

/// Describes a message of a collective that waits for `rank` without a receive; empty if there is none.
/// If the rank has not `finished`, only messages that its calls so far can never receive count.
std::string unexpected_data(const Rank& rank, bool finished);
/// All ranks have met for the last time: fails with MPI_ERR_OTHER if a message of a collective was never
/// received, for then ranks gave different roots, or called different collectives (MPI-3.1 section 5.14).
void check_all_received(const Rank& rank);

}  // namespace psim::net::mpi
