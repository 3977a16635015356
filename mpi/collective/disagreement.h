// SPDX-License-Identifier: Apache-2.0
// Collectives whose arguments differ between ranks; MPI-3.1 section 5.1 requires them to be equal. A rank
// that receives a message with other arguments than its own fails, stops waiting, and notifies the ranks that
// it still sends to. Later messages for it are discarded. Ranks that get no such message may succeed.
#pragma once

#include <cstdint>
#include <string>

#include "mpi/collective/collective.h"
#include "mpi/datatype/datatype.h"
#include "mpi/rank.h"
#include "mpi/request.h"
#include "netsim/message/envelope.h"

namespace psim::net::mpi {

/// Returns the digest of arguments for Collective::alike: root (-1: none), code of the operation, basic type
/// that it combines, bytes of the vector or block. It is never kFailed. Each message carries the sender's.
/// Two different digests collide once in some thousand cases; lengths never do, because messages have exact
/// lengths.
std::uint32_t agreed_arguments(int root, std::uint32_t operation, Basic basic, std::uint64_t bytes);

/// Fails the collective if it has not failed before. It continues, so that other ranks end too, but waits for
/// no receive any more. A collective of the library's own ends the job instead.
void disagree(Collective& collective, int error, std::string note);
/// Fails the collective if the blocks that this rank sends to itself and receives differ in bytes.
void check_block(Collective& collective, std::uint64_t given, std::uint64_t taken);

/// Describes a message of a collective that waits for `rank` without a receive; empty if there is none. If
/// the rank has not `finished`, only messages count that its calls so far can never receive.
std::string unexpected_data(const Rank& rank, bool finished);
/// Checks, after all ranks have met for the last time, that every message of a collective was received. Fails
/// with MPI_ERR_OTHER otherwise: ranks gave different roots or called different collectives (MPI-3.1 section
/// 5.14).
void check_all_received(const Rank& rank);

}  // namespace psim::net::mpi
