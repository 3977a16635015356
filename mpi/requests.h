// SPDX-License-Identifier: Apache-2.0
// Requests live in one pool per host process; a handle is an index into it.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "mpi/datatype/datatype.h"
#include "mpi/include/mpi.h"
#include "mpi/request.h"

namespace psim::net::mpi {

struct Rank;

std::uint32_t new_request(Rank& owner, RequestKind kind);
/// Frees the memory owned by the request.
void free_owned(const Request& request);
/// Releases everything the request holds, and its index.
void release(std::uint32_t index);
/// Completes the operation and wakes the rank if it waits for it.
void complete(std::uint32_t index);
void set_type(Request& request, Datatype& type);

/// Fills the status of a finished request and frees it, or makes a persistent one inactive. Returns the
/// operation's error, and then the communicator of the request.
int finish(MPI_Request& handle, MPI_Status* status, MPI_Comm& failed);
/// As finish(), but leaves the charge for the processor's time to the caller.
int finish_free_of_charge(MPI_Request& handle, MPI_Status* status, MPI_Comm& failed);
/// Returns true for a completed receive of a message, which finish() charges by cost_of_message().
bool has_message(const Request& request);
Picoseconds cost_of_message(const Request& request);
/// Returns the note of the last finish() that failed, or null. Valid until the next call of it.
const char* finished_note();
/// Sets all fields but MPI_ERROR, which only functions that complete several requests set (MPI-3.1 section
/// 3.2.5).
void empty_status(MPI_Status* status);

}  // namespace psim::net::mpi
