// SPDX-License-Identifier: Apache-2.0
// The threads started by a rank (pthread_create, std::thread, thrd_create): coroutines in addition to that of
// its main. One runs at a time until it waits or yields, always in the same order. A rank is one core: while
// a thread computes or spends processor time in a call, the others stop. They run while it waits in the
// message library, for a lock, or for a time. When none can run, the rank waits.
#pragma once

#include <pthread.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "netsim/message/host.h"
#include "ranks/threads/thread.h"

namespace psim::net {

/// The owner of the coroutines.
class ThreadRunner {
 public:
  /// Called by `last`, which was running: RankThreads::running() continues. Returns when `last` is to run
  /// again.
  virtual void switch_thread(Thread& last) = 0;
  /// As switch_thread(), but `last` has ended.
  [[noreturn]] virtual void leave_thread(Thread& last) = 0;
  virtual ThreadCoroutine take_coroutine(Bytes stack) = 0;

 protected:
  ~ThreadRunner() = default;
};

class RankThreads final : public ThreadTurns {
 public:
  using Woken = Thread::Woken;
  static constexpr std::uint64_t kNever = Thread::kNever;

  /// Makes the threads of the running rank, whose main is thread 0 and runs at `main`.
  RankThreads(Host& host, ThreadRunner& runner, ThreadCoroutine main);

  Thread& start(void* (*function)(void*), void* argument, Bytes stack, bool detached);
  /// Calls the running thread's function, then finishes the thread.
  [[noreturn]] void run();
  /// Ends the running thread. Destructors of its thread_local objects and of its keys run. If it is the first
  /// thread, the rank ends when all others have ended.
  [[noreturn]] void finish(void* result);

  Thread& running() const { return *running_; }
  /// Returns the thread of this name, or null.
  Thread* find(pthread_t name) const;
  /// Returns the program's name of a thread.
  pthread_t name(const Thread& thread) const;
  /// Deletes the record of a thread whose end has been requested.
  void forget(Thread& thread);
  const std::vector<std::unique_ptr<Thread>>& all() const { return all_; }

  /// Stops the running thread until wake(what), or until `deadline`. `call`: name in reports.
  Woken wait(const void* what, const char* call, std::uint64_t deadline = kNever, bool can_cancel = false);
  /// Returns the thread that has waited for `what` longest, or null.
  Thread* waiting(const void* what) const;
  void wake(Thread& thread, Woken woken = Woken::Called);
  /// Wakes up to `most` threads that wait for `what`; returns their number.
  std::uint32_t wake(const void* what, std::uint32_t most = ~0u);
  /// Yields like sched_yield. Each round of all threads takes `round` of time, which other threads may wait
  /// for.
  void yield(Picoseconds round = Picoseconds{100'000});
  /// The running thread waits in a loop, without a call, until one of `words` changes. The other threads run,
  /// and time passes while unchanged(words).
  void wait_for_change(std::span<const WatchedWord> words, bool (*unchanged)(std::span<const WatchedWord>));
  /// Notes that the running thread takes a free lock. A thread that does nothing else for long may be waiting
  /// in a loop for the data under the lock, so it yields.
  void lock_taken();
  /// Returns the simulated time in ps.
  std::uint64_t now() const { return static_cast<std::uint64_t>(host_.now().count()); }

  std::uint32_t number() const override { return running_->number; }
  void yield_thread() override;
  bool run_others(bool news, const ThreadCondition& condition) override;
  Picoseconds timer() override;
  bool runs_alone() const override { return ready_.empty() && testing_.empty() && earliest() > now(); }

  /// Describes threads that wait outside of the library: "thread 2: pthread_join; thread 3: sleep".
  std::string waiting() const;

 private:
  void news();
  void expire();
  void switch_to(Thread& thread);
  Thread& next();
  std::uint64_t earliest() const;

  Host& host_;
  ThreadRunner& runner_;
  std::vector<std::unique_ptr<Thread>> all_;  // by number; null: ended and forgotten
  std::unique_ptr<Thread> last_ended_;        // detached
  Thread* running_;
  std::deque<Thread*> ready_;
  std::vector<Thread*> testing_;  // in run_others()
  std::vector<Thread*> waiting_;  // in wait(), longest first
  std::uint32_t alive_ = 1;
  std::uint32_t yields_ = 0;  // since time last passed for yields
  std::uint32_t locks_ = 0;   // taken in succession by the running thread
  std::uint64_t armed_ = 0;   // the deadline that the library has been notified of
};

}  // namespace psim::net
