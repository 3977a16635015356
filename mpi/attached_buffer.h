// SPDX-License-Identifier: Apache-2.0
// Buffers of buffered sends: of a process, a communicator or a session (MPI-4.1 section 3.6).
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/include/mpi.h"

namespace psim::net::mpi {

struct Rank;

/// A buffer of MPI_Buffer_attach, MPI_Comm_attach_buffer or MPI_Session_attach_buffer.
struct AttachedBuffer {
  void* address = nullptr;
  std::uint64_t size = 0, used = 0;
  bool automatic = false;              ///< MPI_BUFFER_AUTOMATIC: there is always room
  bool draining = false;               ///< its rank waits for used = 0
  std::vector<std::uint32_t> flushes;  ///< requests that complete when used = 0
};

/// Returns the buffer for buffered sends on a communicator: its own, else that of its session, else that of
/// the process. Fails with MPI_ERR_BUFFER.
AttachedBuffer& buffer_for(Rank& me, MPI_Comm comm);
/// Gives back `bytes` of a buffer of `rank`, and completes flushes and calls for which it must be empty.
void give_buffer(Rank& rank, AttachedBuffer& buffer, std::uint64_t bytes);
/// Forgets the buffer of a communicator or session that is freed. Buffered sends keep the memory that they
/// need.
void forget_buffer(Rank& me, int handle);

}  // namespace psim::net::mpi
