// SPDX-License-Identifier: Apache-2.0
// Sends and receives of the running rank.
#pragma once

#include "mpi/library.h"

namespace psim::net::mpi {

/// The arguments of a call, unchecked.
struct Arguments {
  const void* buffer;
  MPI_Count count;
  MPI_Datatype type;
  int peer;
  int tag;
  MPI_Comm comm;
};

/// A transfer with checked arguments. Only check_send() and check_receive() make one from the user's
/// arguments: each call checks them once, and functions that start a transfer do not check again.
struct Transfer {
  const void* buffer;
  std::uint64_t count;
  Datatype& type;
  int peer;
  int tag;
  MPI_Comm handle;
  Communicator& comm;
  std::uint64_t bytes() const { return count * type.size; }
};

/// Check the arguments; fail with the error class of the first wrong one.
Transfer check_send(const Arguments& arguments);
Transfer check_receive(const Arguments& arguments);
/// Starts a send. Returns 0 if it has already completed and needs no request.
std::uint32_t start_send(Rank& me, const Transfer& transfer, SendMode mode);
/// Returns the handle of a send for which start_send() returned 0.
MPI_Request done_handle(Rank& me, const Transfer& transfer);
/// Cancels the send of a handle if its message is unmatched; may replace the handle.
void cancel_send(Rank& me, MPI_Request& handle);
std::uint32_t start_recv(Rank& me, const Transfer& transfer);
/// Makes a request from the arguments without starting it, for persistent requests.
std::uint32_t prepare(Rank& me, const Transfer& transfer, RequestKind kind, SendMode mode);
/// Starts a prepared request.
void start_prepared(Rank& me, std::uint32_t request);
/// Waits for a request and finishes it; fails with its error.
void wait_and_finish(Rank& me, std::uint32_t request, MPI_Status* status);
/// Waits until the request is complete.
void wait_for(Rank& me, std::uint32_t request);

}  // namespace psim::net::mpi
