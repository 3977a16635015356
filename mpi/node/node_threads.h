// SPDX-License-Identifier: Apache-2.0
// The threads of a rank with MPI_THREAD_MULTIPLE on a cycle-level node. One lock guards the library. A thread
// holds it from the beginning of its call to the end, except while it waits. One of the threads that wait
// looks at the network interface, and lets its core sleep or run other threads; the others sleep in the
// kernel. A thread that ends its call, or that handles messages, checks the conditions of all that wait and
// wakes those whose condition holds. Compiled for sparc64 only.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "mpi/node/interface.h"
#include "netsim/message/host.h"

namespace psim::net::mpi::node {

/// The part of a rank that its threads share.
class SharedRank {
 public:
  /// Handles everything that has come. Returns false if there was nothing.
  virtual bool serve() = 0;
  /// Returns the cycle of the first timer.
  virtual std::uint64_t next_timer() const = 0;
  /// Returns the network interface; null: there is no other rank.
  virtual const Interface* interface() const = 0;

 protected:
  ~SharedRank() = default;
};

class NodeThreads final : public ThreadTurns {
 public:
  /// The calling thread is number 0, and in a call.
  explicit NodeThreads(SharedRank& rank);

  void begin_call() override;
  void end_call() override;
  std::uint32_t number() const override;
  void yield_thread() override {}
  bool run_others(bool news, const ThreadCondition& condition) override;
  Picoseconds timer() override { return Picoseconds{0}; }
  bool runs_alone() const override { return false; }

  /// Lets other threads run, in a call that has found nothing. A thread that waits for the lock gets it.
  void yield_thread_in_call();
  /// To be called after a timer has been added.
  void look_at_timers();

 private:
  struct Waiter {
    const ThreadCondition& condition;
    bool ready = false;     ///< the condition held when a thread checked it
    bool asleep = false;    ///< in the futex `news`
    volatile int news = 0;  ///< the thread is to look
  };

  void take();
  void give();
  void wake(Waiter& waiter);
  void wake_ready();
  void poll(Waiter& me);
  void sleep(Waiter& me);

  SharedRank& rank_;
  pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
  std::atomic<pthread_t> owner_;           ///< the thread that holds the lock; 0: none
  std::atomic<std::uint32_t> wanting_{0};  ///< threads that wait for the lock
  std::atomic<std::uint32_t> taken_{0};    ///< times that a thread has taken the lock, modulo 2^32
  std::uint32_t depth_ = 1;                ///< of nested calls of the owner
  std::vector<Waiter*> waiters_;           ///< longest first
  Waiter* poller_ = nullptr;               ///< looks at the interface, without the lock
};

}  // namespace psim::net::mpi::node
