// SPDX-License-Identifier: Apache-2.0
// Readers-writer locks, spin locks, semaphores and barriers of programs, for threads of ranks. All but
// barriers use the C library's, by trying without waiting until they succeed.
#include <pthread.h>
#include <semaphore.h>

#include <cerrno>

#include "ranks/libc/libc_caller.h"
#include "ranks/libc/linked.h"
#include "ranks/libc/simulated_time.h"
#include "ranks/threads/thread_exit.h"

const char psim::net::linked::locks = 0;

using psim::net::RankThreads;
using psim::net::running_rank;

namespace {

/// Repeats `attempt` until it does not return EBUSY; without `timed`, forever.
template <class Attempt>
int acquire(RankThreads& threads, void* lock, const char* call, Attempt attempt,
            const timespec* time = nullptr, clockid_t clock = CLOCK_REALTIME) {
  threads.lock_taken();
  for (;;) {
    const int result = attempt();
    if (result != EBUSY) return result;
    if (time != nullptr && !psim::net::valid_nanoseconds(*time)) return EINVAL;
    const std::uint64_t deadline =
        time == nullptr ? RankThreads::kNever : psim::net::simulated_time(clock, *time);
    if (threads.wait(lock, call, deadline) == RankThreads::Woken::TimedOut) return ETIMEDOUT;
  }
}

int wait_for(RankThreads& threads, sem_t* semaphore, const char* call, const timespec* time,
             clockid_t clock) {
  for (;;) {
    if (::sem_trywait(semaphore) == 0) return 0;
    if (errno != EAGAIN) return -1;
    if (time != nullptr && !psim::net::valid_nanoseconds(*time)) {
      errno = EINVAL;
      return -1;
    }
    const std::uint64_t deadline =
        time == nullptr ? RankThreads::kNever : psim::net::simulated_time(clock, *time);
    if (!psim::net::wait_or_exit(threads, semaphore, call, deadline)) {
      errno = ETIMEDOUT;
      return -1;
    }
  }
}

/// Stored in place of the C library's barrier.
struct Barrier {
  unsigned count, arrived;
};
static_assert(sizeof(Barrier) <= sizeof(pthread_barrier_t));
Barrier& of(pthread_barrier_t* barrier) { return *reinterpret_cast<Barrier*>(barrier); }

}  // namespace

extern "C" {

PSIM_SEES_CALLER int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  if (RankThreads* threads = PSIM_THREADS)
    return acquire(*threads, lock, "pthread_rwlock_rdlock", [=] { return ::pthread_rwlock_tryrdlock(lock); });
  return PSIM_REAL(pthread_rwlock_rdlock)(lock);
}

PSIM_SEES_CALLER int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  if (RankThreads* threads = PSIM_THREADS)
    return acquire(*threads, lock, "pthread_rwlock_wrlock", [=] { return ::pthread_rwlock_trywrlock(lock); });
  return PSIM_REAL(pthread_rwlock_wrlock)(lock);
}

PSIM_SEES_CALLER int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* time) noexcept {
  if (RankThreads* threads = PSIM_THREADS)
    return acquire(
        *threads, lock, "pthread_rwlock_timedrdlock", [=] { return ::pthread_rwlock_tryrdlock(lock); }, time);
  return PSIM_REAL(pthread_rwlock_timedrdlock)(lock, time);
}

PSIM_SEES_CALLER int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* time) noexcept {
  if (RankThreads* threads = PSIM_THREADS)
    return acquire(
        *threads, lock, "pthread_rwlock_timedwrlock", [=] { return ::pthread_rwlock_trywrlock(lock); }, time);
  return PSIM_REAL(pthread_rwlock_timedwrlock)(lock, time);
}

PSIM_SEES_CALLER int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                                const timespec* time) noexcept {
  if (RankThreads* threads = PSIM_THREADS)
    return acquire(
        *threads, lock, "pthread_rwlock_clockrdlock", [=] { return ::pthread_rwlock_tryrdlock(lock); }, time,
        clock);
  return PSIM_REAL(pthread_rwlock_clockrdlock)(lock, clock, time);
}

PSIM_SEES_CALLER int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                                const timespec* time) noexcept {
  if (RankThreads* threads = PSIM_THREADS)
    return acquire(
        *threads, lock, "pthread_rwlock_clockwrlock", [=] { return ::pthread_rwlock_trywrlock(lock); }, time,
        clock);
  return PSIM_REAL(pthread_rwlock_clockwrlock)(lock, clock, time);
}

PSIM_SEES_CALLER int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  PSIM_NEXT(pthread_rwlock_unlock);
  const int result = real(lock);
  if (RankThreads* threads = PSIM_THREADS) threads->wake(lock);
  return result;
}

PSIM_SEES_CALLER int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  if (RankThreads* threads = PSIM_THREADS)
    return acquire(*threads, const_cast<int*>(lock), "pthread_spin_lock",
                   [=] { return ::pthread_spin_trylock(lock); });
  return PSIM_REAL(pthread_spin_lock)(lock);
}

PSIM_SEES_CALLER int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  PSIM_NEXT(pthread_spin_unlock);
  const int result = real(lock);
  if (RankThreads* threads = PSIM_THREADS) threads->wake(const_cast<int*>(lock), 1);
  return result;
}

PSIM_SEES_CALLER int sem_wait(sem_t* semaphore) {
  if (RankThreads* threads = PSIM_THREADS)
    return wait_for(*threads, semaphore, "sem_wait", nullptr, CLOCK_REALTIME);
  return PSIM_REAL(sem_wait)(semaphore);
}

PSIM_SEES_CALLER int sem_timedwait(sem_t* semaphore, const timespec* time) {
  if (RankThreads* threads = PSIM_THREADS)
    return wait_for(*threads, semaphore, "sem_timedwait", time, CLOCK_REALTIME);
  return PSIM_REAL(sem_timedwait)(semaphore, time);
}

PSIM_SEES_CALLER int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* time) {
  if (RankThreads* threads = PSIM_THREADS) return wait_for(*threads, semaphore, "sem_clockwait", time, clock);
  return PSIM_REAL(sem_clockwait)(semaphore, clock, time);
}

PSIM_SEES_CALLER int sem_post(sem_t* semaphore) noexcept {
  PSIM_NEXT(sem_post);
  const int result = real(semaphore);
  if (RankThreads* threads = PSIM_THREADS) threads->wake(semaphore, 1);
  return result;
}

PSIM_SEES_CALLER int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                                          unsigned count) noexcept {
  if (PSIM_CALLED_BY_PROGRAM) {
    if (count == 0) return EINVAL;
    of(barrier) = {count, 0};
    return 0;
  }
  return PSIM_REAL(pthread_barrier_init)(barrier, attributes, count);
}

PSIM_SEES_CALLER int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  if (PSIM_CALLED_BY_PROGRAM) return of(barrier).arrived == 0 ? 0 : EBUSY;
  return PSIM_REAL(pthread_barrier_destroy)(barrier);
}

PSIM_SEES_CALLER int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  if (PSIM_CALLED_BY_PROGRAM) {
    RankThreads& threads = running_rank->start_threads();
    if (++of(barrier).arrived < of(barrier).count) {
      threads.wait(barrier, "pthread_barrier_wait");
      return 0;
    }
    of(barrier).arrived = 0;
    threads.wake(barrier);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  return PSIM_REAL(pthread_barrier_wait)(barrier);
}

}  // extern "C"
