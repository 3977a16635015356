// SPDX-License-Identifier: Apache-2.0
// Condition variables of programs, for threads of ranks.
#include <pthread.h>
#include <threads.h>

#include <cerrno>

#include "ranks/libc/libc_caller.h"
#include "ranks/libc/linked.h"
#include "ranks/libc/simulated_time.h"
#include "ranks/threads/mutex.h"
#include "ranks/threads/thread_exit.h"

const char psim::net::linked::conditions = 0;

using psim::net::RankThreads;
using psim::net::running_rank;
namespace mutex = psim::net::mutex;

// glibc has two versions of these; a search without a version may find the older.
#define PSIM_NEXT_CONDITION(name) \
  static const auto real = reinterpret_cast<decltype(&name)>(::dlvsym(RTLD_NEXT, #name, "GLIBC_2.3.2"))

namespace {

int wait(RankThreads& threads, pthread_cond_t* condition, pthread_mutex_t* held, const char* call,
         std::uint64_t deadline = RankThreads::kNever) {
  if (const int error = mutex::unlock(*held)) return error;
  const auto woken = threads.wait(condition, call, deadline, true);
  mutex::lock(*held, call);
  if (woken == RankThreads::Woken::Cancelled) psim::net::exit_thread(threads, PTHREAD_CANCELED);
  return woken == RankThreads::Woken::Called ? 0 : ETIMEDOUT;
}

int wait_until(RankThreads& threads, pthread_cond_t* condition, pthread_mutex_t* held, clockid_t clock,
               const timespec* time, const char* call) {
  if (!psim::net::valid_nanoseconds(*time)) return EINVAL;
  return wait(threads, condition, held, call, psim::net::simulated_time(clock, *time));
}

/// Returns the clock chosen by pthread_condattr_setclock.
clockid_t clock_of(const pthread_cond_t& condition) {
  return (condition.__data.__wrefs & 2) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

pthread_cond_t* of(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }
pthread_mutex_t* of(mtx_t* held) { return reinterpret_cast<pthread_mutex_t*>(held); }

}  // namespace

extern "C" {

PSIM_SEES_CALLER int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* held) {
  if (RankThreads* threads = PSIM_THREADS) return wait(*threads, condition, held, "pthread_cond_wait");
  PSIM_NEXT_CONDITION(pthread_cond_wait);
  return real(condition, held);
}

PSIM_SEES_CALLER int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* held,
                                            const timespec* time) {
  if (RankThreads* threads = PSIM_THREADS)
    return wait_until(*threads, condition, held, clock_of(*condition), time, "pthread_cond_timedwait");
  PSIM_NEXT_CONDITION(pthread_cond_timedwait);
  return real(condition, held, time);
}

PSIM_SEES_CALLER int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* held, clockid_t clock,
                                            const timespec* time) {
  if (RankThreads* threads = PSIM_THREADS)
    return wait_until(*threads, condition, held, clock, time, "pthread_cond_clockwait");
  return PSIM_REAL(pthread_cond_clockwait)(condition, held, clock, time);
}

PSIM_SEES_CALLER int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  if (RankThreads* threads = PSIM_THREADS; threads != nullptr && threads->wake(condition, 1) != 0) return 0;
  PSIM_NEXT_CONDITION(pthread_cond_signal);
  return real(condition);
}

PSIM_SEES_CALLER int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  if (RankThreads* threads = PSIM_THREADS) threads->wake(condition);
  PSIM_NEXT_CONDITION(pthread_cond_broadcast);
  return real(condition);
}

PSIM_SEES_CALLER int cnd_wait(cnd_t* condition, mtx_t* held) {
  if (RankThreads* threads = PSIM_THREADS)
    return wait(*threads, of(condition), of(held), "cnd_wait") == 0 ? thrd_success : thrd_error;
  return PSIM_REAL(cnd_wait)(condition, held);
}

PSIM_SEES_CALLER int cnd_timedwait(cnd_t* condition, mtx_t* held, const timespec* time) {
  if (RankThreads* threads = PSIM_THREADS) {
    const int error = wait_until(*threads, of(condition), of(held), CLOCK_REALTIME, time, "cnd_timedwait");
    return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : thrd_error;
  }
  return PSIM_REAL(cnd_timedwait)(condition, held, time);
}

PSIM_SEES_CALLER int cnd_signal(cnd_t* condition) {
  if (RankThreads* threads = PSIM_THREADS; threads != nullptr && threads->wake(condition, 1) != 0)
    return thrd_success;
  return PSIM_REAL(cnd_signal)(condition);
}

PSIM_SEES_CALLER int cnd_broadcast(cnd_t* condition) {
  if (RankThreads* threads = PSIM_THREADS) threads->wake(condition);
  return PSIM_REAL(cnd_broadcast)(condition);
}

}  // extern "C"
