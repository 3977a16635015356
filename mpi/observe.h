// SPDX-License-Identifier: Apache-2.0
// Reports what ranks do to an observer. Without an observer, each call costs two branches that never vary.
#pragma once

#include <cstdint>

#include "mpi/call_counts.h"
#include "netsim/message/call_observer.h"
#include "netsim/message/host.h"

namespace psim::net::mpi {

// Marks of MPI calls in the instructions of a sparc64 program: psim cosim --energy attributes energy to
// calls. A mark is a sethi to %g0 with the function's name in %o0 (isa/state/region_marker.h); it does
// nothing.

#ifdef __sparc__
inline void mark_call_begin(const char* function) {
  register const char* name asm("o0") = function;
  asm volatile("sethi 0x3051E1, %%g0" : : "r"(name));
}
inline void mark_call_end(const char* function) {
  register const char* name asm("o0") = function;
  asm volatile("sethi 0x3051E2, %%g0" : : "r"(name));
}
#else
inline void mark_call_begin(const char*) {}
inline void mark_call_end(const char*) {}
#endif

struct Communicator;
struct Rank;
struct Request;

/// The observer, or null. Set while a program runs.
extern CallObserver* observer;
/// True if the host measures what programs compute between calls.
extern bool measured;
/// True in a copy of this process that a rank's fork() made.
extern bool forked;
/// True if sends and receives of the program are reported: to an observer, or to tools (tool_events.h).
extern bool noting;
/// True if each call takes the slow path: there is an observer or a measurement, a copy made by fork(), a
/// rank with several threads, or a rank that has not called MPI_Init.
extern bool calls_observed;
/// Updates it after one of its conditions has changed.
void update_calls_observed();

/// Returns a value that identifies the calling thread of the host.
inline const void* this_thread() {
  const void* pointer;
#ifdef __sparc__
  asm("mov %%g7, %0" : "=r"(pointer));
#else
  asm("mov %%fs:0, %0" : "=r"(pointer));
#endif
  return pointer;
}
/// The thread on which ranks run. Where any thread may call (on nodes), the one that called last, or that
/// began MPI_THREAD_MULTIPLE.
extern const void* rank_thread;
/// The thread that called MPI_Init, or that will.
extern const void* main_thread;
/// Ends the simulator with a message: another thread of the host has called MPI.
[[noreturn]] void refuse_thread(const char* function);
/// Lets the calling thread call, if any thread may: with MPI_THREAD_MULTIPLE always, otherwise as the rank's
/// thread while no other is in a call. Ends the run with a message if it may not.
void admit_thread(const char* function);

/// True if the running rank's clock may be ahead of the host's (Host::look).
extern bool clock_ahead;
void catch_up();

/// Counts a call of a function, unless another MPI function makes it. Functions that consist of several parts
/// with a Call each begin with an object of their own.
class CountedCall {
 public:
  CountedCall() = default;
  explicit CountedCall(const char* function) { begin(function); }
  ~CountedCall();
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;
  void begin(const char* function);

 private:
  Rank* inside_ = nullptr;  ///< the rank, if this object is counted in Rank::inside
};
/// Counts user data of `function`, which the rank is inside, unless another MPI function calls it.
void count_bytes(const Rank& me, const char* function, std::uint64_t bytes);

void enter_observed(const char* function);
void leave_observed();

/// Keeps other threads of the rank out of the library, for functions without a Call.
class ThreadHold {
 public:
  ThreadHold() {
    if (calls_observed) [[unlikely]]
      begin();
  }
  ~ThreadHold() {
    if (turns_ != nullptr) [[unlikely]]
      turns_->end_call();
  }
  ThreadHold(const ThreadHold&) = delete;
  ThreadHold& operator=(const ThreadHold&) = delete;

 private:
  void begin();
  ThreadTurns* turns_ = nullptr;
};

/// Counts a call of `function`, and marks that the running rank is inside it; the mark ends with the object.
class Call {
 public:
  explicit Call(const char* function) {
    if (this_thread() != rank_thread) [[unlikely]]
      admit_thread(function);
    if (clock_ahead) [[unlikely]]
      catch_up();
    if (calls_observed) [[unlikely]]
      enter_observed(function);
    counted_.begin(function);
    mark_call_begin(function);
  }
  ~Call() {
    mark_call_end("");
    if (calls_observed) [[unlikely]]
      leave_observed();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

 private:
  CountedCall counted_;
};

/// May be called only while `noting` is true.
void note_send(const Rank& me, const Communicator& comm, int peer, int tag, std::uint64_t bytes);
/// Reports that the program has waited for a receive, a send by rendezvous or a non-blocking collective. May
/// be called only while `noting` is true.
void note_finish(const Request& request);

// The following may be called only while observer is not null.
void note_post(Rank& me, const Communicator& comm, Request& receive);
/// Reports the start of a collective of the program's. `blocking`: note_blocking_end() follows in the same
/// call.
void note_collective(Rank& me, const Communicator& comm, Request& request, bool blocking);
void note_blocking_end(const Request& collective);

}  // namespace psim::net::mpi
