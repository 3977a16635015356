// SPDX-License-Identifier: Apache-2.0
#include "mpi/node/node_threads.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace psim::net::mpi::node {

namespace {

/// Returns true if the condition holds, or if its thread is to find out why it cannot be checked.
bool holds(const ThreadCondition& condition) {
  try {
    return condition.holds(condition.argument);
  } catch (...) {
    return true;
  }
}

}  // namespace

NodeThreads::NodeThreads(SharedRank& rank) : rank_(rank), owner_(::pthread_self()) {
  ::pthread_mutex_lock(&lock_);
  number();
}

/// Threads are numbered in the order of their first call.
std::uint32_t NodeThreads::number() const {
  static std::uint32_t numbers = 0;
  thread_local std::uint32_t mine = ~0u;
  if (mine == ~0u) mine = numbers++;
  return mine;
}

void NodeThreads::take() {
  if (::pthread_mutex_trylock(&lock_) != 0) {
    wanting_.fetch_add(1);
    ::pthread_mutex_lock(&lock_);
    wanting_.fetch_sub(1);
  }
  taken_.store(taken_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  owner_.store(::pthread_self(), std::memory_order_relaxed);
}

void NodeThreads::give() {
  owner_.store(0, std::memory_order_relaxed);
  ::pthread_mutex_unlock(&lock_);
}

void NodeThreads::begin_call() {
  if (owner_.load(std::memory_order_relaxed) != ::pthread_self()) take();
  ++depth_;
}

void NodeThreads::end_call() {
  if (--depth_ != 0) return;
  if (!waiters_.empty()) {
    rank_.serve();  // messages of this call to the rank itself, at least
    wake_ready();
  }
  give();
}

// ---- waiting ----

void NodeThreads::wake(Waiter& waiter) {
  waiter.news = 1;
  if (&waiter == poller_)
    rank_.interface()->signal();
  else if (waiter.asleep)
    ::syscall(SYS_futex, &waiter.news, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

/// Wakes the threads whose condition holds.
void NodeThreads::wake_ready() {
  for (Waiter* const waiter : waiters_)
    if (!waiter->ready && holds(waiter->condition)) {
      waiter->ready = true;
      wake(*waiter);
    }
}

/// Waits for the interface.
void NodeThreads::poll(Waiter& me) {
  if (!rank_.serve()) {
    const std::uint64_t time = rank_.next_timer();
    const std::uint32_t depth = std::exchange(depth_, 0);
    me.news = 0;
    poller_ = &me;
    give();
    rank_.interface()->wait_among_threads(time, &me.news);
    take();
    poller_ = nullptr;
    depth_ = depth;
    rank_.serve();
  }
  wake_ready();
}

/// Waits for a thread that wakes this one.
void NodeThreads::sleep(Waiter& me) {
  const std::uint32_t depth = std::exchange(depth_, 0);
  me.news = 0;
  me.asleep = true;
  give();
  while (me.news == 0) ::syscall(SYS_futex, &me.news, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
  take();
  me.asleep = false;
  depth_ = depth;
}

bool NodeThreads::run_others(bool, const ThreadCondition& condition) {
  Waiter me{condition};
  waiters_.push_back(&me);
  while (!me.ready) {
    if (poller_ == nullptr && rank_.interface() != nullptr)
      poll(me);
    else if (rank_.serve())
      wake_ready();
    else
      sleep(me);
  }
  std::erase(waiters_, &me);
  // Another thread must look at the interface now.
  const auto next = std::ranges::find(waiters_, false, &Waiter::ready);
  if (poller_ == nullptr && next != waiters_.end()) wake(**next);
  return true;
}

void NodeThreads::yield_thread_in_call() {
  wake_ready();
  const std::uint32_t depth = std::exchange(depth_, 0);
  // The woken thread needs some time to run. Without the loop this one would take the lock again before, and
  // a thread that tests in a loop would keep it for ever.
  const std::uint32_t before = taken_.load(std::memory_order_relaxed);
  give();
  do ::sched_yield();
  while (wanting_.load() != 0 && taken_.load(std::memory_order_relaxed) == before);
  take();
  depth_ = depth;
}

void NodeThreads::look_at_timers() {
  if (poller_ != nullptr) wake(*poller_);
}

}  // namespace psim::net::mpi::node
