// SPDX-License-Identifier: Apache-2.0
// The library's state of one simulated process: some 400 bytes while it is idle.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/ids.h"
#include "mpi/attached_buffer.h"
#include "mpi/communicator.h"
#include "mpi/posted_queue.h"

namespace psim::net::mpi {

struct Collective;

/// A queue of pool indices linked through `next`.
struct Queue {
  std::uint32_t head = 0, tail = 0, length = 0;
};

/// Work deferred until its rank is inside an MPI call (mpi.progress = call).
struct Deferred {
  enum Kind : std::uint8_t { ClearToSend, SendData, Resume } kind;
  std::uint32_t request = 0;
  Collective* collective = nullptr;
};

/// The current call of a rank, for reports of deadlock.
struct PendingCall {
  const char* function = "no MPI call";
  std::int32_t source = MPI_UNDEFINED, tag = 0;
  MPI_Comm comm = MPI_COMM_NULL;
};

/// A collective that failed on this rank; later messages for it are discarded.
struct FailedCollective {
  std::uint32_t context = 0;
  std::int32_t tag = 0;
  bool operator==(const FailedCollective&) const = default;
};

struct Rank {
  std::uint32_t id = 0;  ///< in the world
  bool blocked = false;
  bool watching = false;  ///< any event of its windows wakes it
  bool probing = false;   ///< any arrival wakes it
  bool initialized = false, finalized = false;
  bool threaded : 1 = false;       ///< it has started threads: threads.h
  bool early : 1 = false;          ///< it has called a function that needs MPI_Init before that: warnings.h
  std::uint8_t granted : 2 = 0;    ///< MPI_THREAD_SINGLE, …
  std::uint8_t inside : 4 = 0;     ///< depth of nested MPI calls; without threads
  std::uint16_t tools = 0;         ///< calls of MPI_T_init_thread without MPI_T_finalize
  std::uint32_t waiting = 0;       ///< completions until the blocked rank resumes
  PostedQueue posted[2];           ///< [0] of point-to-point contexts, [1] of collectives
  Queue unexpected[2];             ///< likewise, of messages
  std::uint32_t contexts = 0;      ///< communicators this rank has numbered
  std::uint32_t sends = 0;         ///< started by the program
  std::uint32_t numbers = 0;       ///< receives and collectives reported to an observer
  std::uint32_t calls = 0;         ///< depth of nested calls, counted while they are measured
  std::uint32_t done_handles = 0;  ///< handles of sends that completed at once, which the program has not
                                   ///< completed
  std::uint32_t datatypes = 0;     ///< made and not yet freed
  PendingCall pending;
  Communicator world, self;
  std::vector<Deferred> deferred;
  std::vector<std::uint32_t> windows;  ///< its views, in the order in which they were made
  std::unique_ptr<AttachedBuffer> buffer;
  std::unique_ptr<std::vector<FailedCollective>> failed;
};
static_assert(sizeof(Rank) == 392, "docs/decisions/0022");

}  // namespace psim::net::mpi
