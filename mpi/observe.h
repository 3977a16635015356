// SPDX-License-Identifier: Apache-2.0
// Tells an observer, if there is one, what ranks do. Without, each call costs two branches that never vary.
#pragma once

#include <cstdint>

#include "netsim/message/call_observer.h"

namespace psim::net::mpi {

struct Communicator;
struct Rank;
struct Request;

/// Null unless somebody asked. Set while a program runs.
extern CallObserver* observer;
/// Whether the host measures what programs compute between calls.
extern bool measured;
/// This process is a copy that a rank's fork() made.
extern bool forked;
/// Whether anyone wants to know of calls: one of these, or there are ranks with several threads, or ranks
/// that have not called MPI_Init.
extern bool calls_told;
/// Sets it after one of its reasons has changed.
void choose_calls_told();

/// What tells the calling thread of the host from others.
inline const void* this_thread() {
  const void* pointer;
  asm("mov %%fs:0, %0" : "=r"(pointer));
  return pointer;
}
/// The one on which ranks run.
extern const void* rank_thread;
/// A thread of the host calls: ends the simulator, with a message.
[[noreturn]] void refuse_thread(const char* function);

/// The running rank's clock may be ahead of the host's (Host::look).
extern bool clock_ahead;
void catch_up();

void enter_told(const char* function);
void leave_told();

/// The running rank is inside `function` while this lives.
class Call {
 public:
  explicit Call(const char* function) {
    if (this_thread() != rank_thread) [[unlikely]]
      refuse_thread(function);
    if (clock_ahead) [[unlikely]]
      catch_up();
    if (calls_told) [[unlikely]]
      enter_told(function);
  }
  ~Call() {
    if (calls_told) [[unlikely]]
      leave_told();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};

// Only while observer is not null.
void note_send(const Rank& me, const Communicator& comm, int peer, int tag, std::uint64_t bytes);
void note_post(Rank& me, const Communicator& comm, Request& receive);
/// A collective of the program's starts; `blocking`: note_blocking_end() will follow in the same call.
void note_collective(Rank& me, const Communicator& comm, Request& request, bool blocking);
void note_blocking_end(const Request& collective);
/// A receive, a send by rendezvous or a collective that does not block has been waited for.
void note_finish(const Request& request);

}  // namespace psim::net::mpi
