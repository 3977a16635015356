// SPDX-License-Identifier: Apache-2.0
// Models: the threads of one process on the cores of a chip: their placement, their states and futexes.
//
// Placement. Thread i, in the order of creation, belongs to core i mod cores and stays there. Its core runs
// it until it waits or ends, or until its time slice has passed while another thread of the core is ready.
// Ready threads of a core take turns in a queue. A core changes threads when no instruction is in flight,
// which takes `switch_cycles`. A thread that is created or woken is ready `wake_cycles` later.
//
// Only one thread executes at a time, in the order in which the cores fetch (docs/decisions). So every
// execution is sequentially consistent, and atomics need no lock.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "guest/signal_state.h"

namespace psim::isa {

struct ThreadPlacement {
  std::uint32_t cores = 1;
  std::uint64_t wake_cycles = 0;    ///< from a futex wake, or clone, to the fetch of the thread
  std::uint64_t switch_cycles = 0;  ///< of a core that changes to another thread
  std::uint64_t slice_cycles = 0;   ///< a thread's turn while others of its core are ready
};

/// The word of a robust futex, or of one with priority inheritance (linux/futex.h).
namespace futex_word {
inline constexpr std::uint32_t kWaiters = 0x8000'0000, kOwnerDied = 0x4000'0000, kOwner = 0x3fff'ffff;
}

/// A system call before its execution.
struct CallRestart {
  std::uint64_t pc, npc, o0;
};

struct Thread {
  enum class State : std::uint8_t {
    Ready,
    Futex,   ///< waits for a wake of `futex`, or until wake_at
    Asleep,  ///< waits until wake_at, or for a signal
    Ended,
  };
  std::uint32_t id = 0;  ///< as gettid() returns it
  std::uint32_t core = 0;
  std::size_t strand = 0;  ///< of the executor
  State state = State::Ready;
  std::uint64_t ready_at = 0;  ///< Ready: the first cycle in which it may run
  std::uint64_t began = 0;     ///< the cycle since which its core runs it, if it does
  std::uint64_t computed = 0;  ///< cycles in which its core ran it before
  std::uint64_t wake_at = std::numeric_limits<std::uint64_t>::max();  ///< cycle; the maximum: never
  std::uint64_t futex = 0;                                            ///< address
  std::uint32_t bits = 0;                                             ///< of FUTEX_WAIT_BITSET
  bool polls = false;          ///< it repeats a call that would wait, such as a read of an empty pipe
  bool polls_outside = false;  ///< the call may wait for files that are not the guest's own
  /// The time (nanoseconds since the start) at which the repeated call ends; nothing: it is not repeated yet.
  std::optional<std::uint64_t> poll_end;
  std::uint64_t poll_done = 0;  ///< bytes that the repeated call has written
  std::uint64_t call = 0;       ///< number of its last system call
  /// The call to repeat if a handler with SA_RESTART interrupts it.
  std::optional<CallRestart> restart;
  std::uint64_t awaited = 0;     ///< set of the signals that sigwait() waits for
  std::uint64_t awaited_at = 0;  ///< address for the siginfo_t; 0: none
  std::uint64_t sleep_end = 0;   ///< of nanosleep(), in nanoseconds since the start
  std::uint64_t left_at = 0;     ///< address for the time that is left of it when it is interrupted; 0: none
  std::uint64_t clear_child_tid = 0, robust_list = 0, robust_list_bytes = 0;
  ThreadSignals signals;  ///< while it is not the current thread
};

class Threads {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::size_t kMost = 32'768;  ///< at the same time, as Linux's default pid_max

  Threads(const ThreadPlacement& placement, std::uint32_t first_id);

  const ThreadPlacement& placement() const { return placement_; }
  Thread& current() { return *current_; }
  const Thread& current() const { return *current_; }
  void set_current(Thread& thread) { current_ = &thread; }
  const std::vector<std::unique_ptr<Thread>>& all() const { return threads_; }
  std::size_t live() const { return live_; }
  /// Returns true once the process has had a second thread.
  bool several() const { return threads_.size() > 1; }
  /// Returns true if a thread can run, now or later, without being woken.
  bool any_ready() const;
  /// Returns the first thread of the process, whose number is that of the process.
  const Thread& leader() const { return *threads_.front(); }
  /// Returns true if every other thread waits, or repeats a call as the current one does.
  bool others_wait() const;
  /// Returns true if a thread repeats a call that may wait for files that are not the guest's own.
  bool any_polls_outside() const;
  /// Returns the first cycle in which the wait of another thread, but not a repeated call, ends by itself.
  std::uint64_t next_wake() const;
  /// Returns the first time at which a repeated call ends by itself (nanoseconds); kNever: none does.
  std::uint64_t next_poll_end() const;
  Thread* find(std::uint32_t id);

  /// Adds a thread with the executor's strand `strand`, ready wake_cycles after `cycle`.
  Thread& create(std::size_t strand, std::uint64_t cycle);
  /// Ends the current thread at `cycle`.
  void end_current(std::uint64_t cycle);
  /// Makes the current thread the first and only one, in a child with the number `id`, forked at `cycle`.
  void keep_current(std::uint32_t id, std::uint64_t cycle);
  /// Returns the cycles until `cycle` in which a core ran `thread`.
  std::uint64_t computed(const Thread& thread, std::uint64_t cycle) const;
  /// Returns the sum over all threads that the process had.
  std::uint64_t computed(std::uint64_t cycle) const;

  /// The choice of a core.
  struct Choice {
    Thread* thread;                ///< to run now; null: none
    bool drain = false;            ///< a thread can run once no instruction is in flight
    std::uint64_t retry = kNever;  ///< cycle in which a thread becomes ready by itself
  };
  /// Returns the thread that `core` runs at `cycle`. `empty`: no instruction of the core is in flight, and
  /// the running thread is between two instructions.
  Choice choose(std::uint32_t core, std::uint64_t cycle, bool empty);
  /// Returns the thread that runs on `core` if choose() would return it at `cycle`, else null.
  Thread* running(std::uint32_t core, std::uint64_t cycle) const {
    const Core& c = cores_[core];
    return c.running != nullptr && c.running->state == Thread::State::Ready && c.from <= cycle &&
                   (c.queue.empty() || cycle < c.slice_end) && cycle < c.next_wake
               ? c.running
               : nullptr;
  }
  /// Returns the thread that has begun to run on `core` and is ready, whether its turn is over or not.
  Thread* begun(std::uint32_t core, std::uint64_t cycle) const {
    const Core& c = cores_[core];
    return c.running != nullptr && c.running->state == Thread::State::Ready && c.from <= cycle ? c.running
                                                                                               : nullptr;
  }
  /// Returns the first cycle from `cycle` on in which a thread of `core` that is not the running one may run
  /// by itself; kNever: none.
  std::uint64_t next_other(std::uint32_t core, std::uint64_t cycle) const;
  /// Returns the first cycle in which the running thread of `core` may have to leave it, or in which the
  /// timeout of a wait is reached. Call it after choose().
  std::uint64_t turn_end(std::uint32_t core) const;
  /// Yields the core of the current thread to others that are ready.
  void yield();

  /// Makes the current thread wait from `cycle` for a wake of `address`, at most until cycle `until`.
  void wait(std::uint64_t address, std::uint32_t bits, std::uint64_t cycle, std::uint64_t until);
  /// Makes the current thread wait from `cycle` until cycle `until`; kNever: for a signal.
  void sleep(std::uint64_t cycle, std::uint64_t until);
  /// Wakes up to `count` threads that wait for `address`, in the order in which they began to wait. Returns
  /// their number.
  std::uint64_t wake(std::uint64_t address, std::uint64_t count, std::uint32_t bits, std::uint64_t cycle);
  /// Makes up to `count` threads wait for `to` instead of `address`. Returns their number.
  std::uint64_t requeue(std::uint64_t address, std::uint64_t count, std::uint64_t to);
  /// Makes a waiting thread ready.
  void resume(Thread& thread, std::uint64_t cycle);
  /// Returns the first thread that waits for a wake of `address`; null: none does.
  Thread* waiter(std::uint64_t address);
  /// Called with each thread whose time to wait has passed, before it runs. `futex`: it waited for a wake.
  std::function<void(Thread&, bool futex)> on_timeout;
  /// Called when `core` has something to fetch from `cycle` on.
  std::function<void(std::uint32_t core, std::uint64_t cycle)> on_ready;
  /// Notifies all cores, since the process has ended.
  void notify_all(std::uint64_t cycle);

 private:
  struct Core {
    Thread* running = nullptr;
    std::uint64_t from = 0;  ///< `running` fetches from this cycle on
    std::uint64_t slice_end = 0;
    std::deque<Thread*> queue;         ///< ready threads besides `running`, in the order of their turns
    std::vector<Thread*> waiting;      ///< with a wake_at
    std::uint64_t next_wake = kNever;  ///< the first wake_at
  };
  void wake_due(Core& core, std::uint64_t cycle);

  const ThreadPlacement placement_;
  std::uint32_t first_id_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::vector<Core> cores_;
  std::deque<Thread*> futexes_;  ///< threads in State::Futex, in the order in which they began to wait
  Thread* current_;
  std::size_t live_ = 1;
};

}  // namespace psim::isa
