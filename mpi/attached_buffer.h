// SPDX-License-Identifier: Apache-2.0
// Buffers of buffered sends: of a process, a communicator or a session (MPI-4.1 section 3.6).
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/include/mpi.h"

namespace psim::net::mpi {

struct Rank;
struct Shared;

/// A buffer of MPI_Buffer_attach, MPI_Comm_attach_buffer or MPI_Session_attach_buffer.
struct AttachedBuffer {
  void* address = nullptr;
  std::uint64_t size = 0, used = 0;
  bool automatic = false;              ///< MPI_BUFFER_AUTOMATIC: there is always room
  bool draining = false;               ///< its rank waits for used = 0
  std::vector<std::uint32_t> flushes;  ///< requests that complete when used = 0
};

/// The owner of the process's own buffer, in place of the handle of a communicator or a session.
constexpr int kProcessBuffer = 0;

/// Begins a call of a function for buffers.
Rank& enter_buffer_call(const char* function);
/// The operations of these functions. `owner`: a valid handle, or kProcessBuffer. They fail if a buffer is
/// attached already, or none is.
void attach_buffer(Rank& me, int owner, void* address, MPI_Count size);
/// Waits until the buffer is empty, stores its address in the pointer at `address`, and returns its size.
MPI_Count detach_buffer(Rank& me, int owner, void* address);
void flush_buffer(Rank& me, int owner);
/// Returns a request of `comm` that completes when the buffer is empty.
MPI_Request iflush_buffer(Rank& me, int owner, MPI_Comm comm);
/// Stores a size; MPI_UNDEFINED if it is too large.
template <class Size>
void set_size(Size& to, MPI_Count size) {
  to = static_cast<MPI_Count>(static_cast<Size>(size)) == size ? static_cast<Size>(size) : MPI_UNDEFINED;
}

/// The session that a rank's communicator comes from, directly or not; MPI_SESSION_NULL if there is none.
MPI_Session session_of(const Rank& me, const Shared& comm);
void set_session(const Rank& me, const Shared& comm, MPI_Session session);

/// Returns the buffer for buffered sends on a communicator: its own, else that of its session, else that of
/// the process. Fails with MPI_ERR_BUFFER.
AttachedBuffer& buffer_for(Rank& me, MPI_Comm comm);
/// Gives back `bytes` of a buffer of `rank`, and completes flushes and calls for which it must be empty.
void give_buffer(Rank& rank, AttachedBuffer& buffer, std::uint64_t bytes);
/// Forgets the buffer of a communicator or session that is freed. Buffered sends keep the memory that they
/// need.
void forget_buffer(Rank& me, int handle);

}  // namespace psim::net::mpi
