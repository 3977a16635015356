// SPDX-License-Identifier: Apache-2.0
// Sends and receives of the running rank.
#pragma once

#include "mpi/library.h"

namespace psim::net::mpi {

/// Arguments as the user gives them.
struct Arguments {
  const void* buffer;
  int count;
  MPI_Datatype type;
  int peer;
  int tag;
  MPI_Comm comm;
};

/// A transfer whose arguments are right. Only check_send() and check_receive() make one of the user's
/// arguments: each call looks at them once, and what starts a transfer does not look again.
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

/// Fail with the class of the first argument that is wrong.
Transfer check_send(const Arguments& arguments);
Transfer check_receive(const Arguments& arguments);
/// Starts a send. 0 if it is already complete and needs no request.
std::uint32_t start_send(Rank& me, const Transfer& transfer, SendMode mode);
/// The handle of a send that start_send() said is complete.
MPI_Request done_handle(Rank& me, const Transfer& transfer);
/// Takes the send of a handle back, if its message is unmatched; the handle may become another.
void cancel_send(Rank& me, MPI_Request& handle);
std::uint32_t start_recv(Rank& me, const Transfer& transfer);
/// Fills a request from the arguments without starting it (persistent ones).
std::uint32_t prepare(Rank& me, const Transfer& transfer, RequestKind kind, SendMode mode);
/// Starts a prepared request.
void start_prepared(Rank& me, std::uint32_t request);
/// Waits for a request and finishes it; fails with its error.
void wait_and_finish(Rank& me, std::uint32_t request, MPI_Status* status);
/// Waits until it is complete.
void wait_for(Rank& me, std::uint32_t request);

}  // namespace psim::net::mpi
