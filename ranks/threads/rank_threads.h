// SPDX-License-Identifier: Apache-2.0
// The threads that one rank has started (pthread_create, std::thread, thrd_create): coroutines beside that of
// its main, of which one runs at a time until it waits or gives way, always in the same order. A rank is one
// core: while a thread computes or is in a call that takes the processor's time, the others stand. While it
// waits, in the library of messages, for a lock, or for a time, they run; when none can, the rank waits.
#pragma once

#include <pthread.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "netsim/message/host.h"
#include "ranks/threads/thread.h"

namespace psim::net {

/// What runs them.
class ThreadRunner {
 public:
  /// Called by `last`, which ran until now: RankThreads::running() goes on. Returns when `last` is to run
  /// again.
  virtual void switch_thread(Thread& last) = 0;
  /// The same; `last` is over.
  [[noreturn]] virtual void leave_thread(Thread& last) = 0;
  virtual ThreadPlace take_place(Bytes stack) = 0;

 protected:
  ~ThreadRunner() = default;
};

class RankThreads final : public ThreadTurns {
 public:
  using Woken = Thread::Woken;
  static constexpr std::uint64_t kNever = Thread::kNever;

  /// Of the running rank, whose main is thread 0 and runs at `main`.
  RankThreads(Host& host, ThreadRunner& runner, ThreadPlace main);

  Thread& start(void* (*function)(void*), void* argument, Bytes stack, bool detached);
  /// The running thread calls what it was started for; then it is over.
  [[noreturn]] void run();
  /// The running thread is over. Destructors of its thread_local objects and of its keys run. Of the first
  /// thread: the rank ends when the others are over.
  [[noreturn]] void finish(void* result);

  Thread& running() const { return *running_; }
  /// The thread that a program calls so, or null.
  Thread* find(pthread_t name) const;
  /// What the program calls a thread.
  pthread_t name(const Thread& thread) const;
  /// Its end has been asked for: the record goes.
  void forget(Thread& thread);
  const std::vector<std::unique_ptr<Thread>>& all() const { return all_; }

  /// The running thread waits until wake(what), or until `deadline`. `call`: for reports.
  Woken wait(const void* what, const char* call, std::uint64_t deadline = kNever, bool can_cancel = false);
  /// Who waits for `what` the longest, or null.
  Thread* waiting(const void* what) const;
  void wake(Thread& thread, Woken woken = Woken::Called);
  /// Wakes up to `most` of those that wait for `what`; returns how many.
  std::uint32_t wake(const void* what, std::uint32_t most = ~0u);
  /// sched_yield. Each round of all threads takes `round`, for which others may wait.
  void yield(Picoseconds round = Picoseconds{100'000});
  /// The running thread takes a lock that is free. One that does nothing else for long may wait in a loop for
  /// what the lock protects: it gives way.
  void lock_taken();
  /// Simulated time, ps.
  std::uint64_t now() const { return static_cast<std::uint64_t>(host_.now().count()); }

  std::uint32_t number() const override { return running_->number; }
  void give_way() override;
  bool others(bool news) override;
  Picoseconds timer() override;

  /// Threads that wait outside of the library: "thread 2: pthread_join; thread 3: sleep".
  std::string waiting() const;

 private:
  void news();
  void expire();
  void switch_to(Thread& thread);
  Thread& next();
  std::uint64_t earliest() const;

  Host& host_;
  ThreadRunner& runner_;
  std::vector<std::unique_ptr<Thread>> all_;  // by number; null: over and forgotten
  std::unique_ptr<Thread> last_ended_;        // detached
  Thread* running_;
  std::deque<Thread*> ready_;
  std::vector<Thread*> lookers_;  // in others()
  std::vector<Thread*> waiting_;  // in wait(), the longest first
  std::uint32_t alive_ = 1;
  std::uint32_t yields_ = 0;  // since time last passed for them
  std::uint32_t locks_ = 0;   // taken in turn by the running thread
  std::uint64_t armed_ = 0;   // the deadline that the library was told of
};

}  // namespace psim::net
