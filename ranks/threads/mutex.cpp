// SPDX-License-Identifier: Apache-2.0
#include "ranks/threads/mutex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>

#include "ranks/libc/libc_caller.h"
#include "ranks/libc/simulated_time.h"
#include "ranks/threads/rank_threads.h"

namespace psim::net::mutex {
namespace {

// Higher than the ids of host threads.
constexpr int kOfRank = 1 << 30;

int type_of(const pthread_mutex_t& mutex) { return mutex.__data.__kind & 0x7f; }  // PTHREAD_MUTEX_NORMAL, …
/// Returns false for robust mutexes and mutexes with priorities, which are left to the C library.
bool is_ours(const pthread_mutex_t& mutex) { return type_of(mutex) <= PTHREAD_MUTEX_ADAPTIVE_NP; }

int owner_name(std::uint32_t thread) { return kOfRank | static_cast<int>(thread); }
int my_name() {
  const RankThreads* threads = running_rank->threads();
  return owner_name(threads != nullptr ? threads->number() : 0);
}

std::atomic_ref<int> word(pthread_mutex_t& mutex) { return std::atomic_ref<int>(mutex.__data.__lock); }

void take(pthread_mutex_t& mutex, int me) {
  mutex.__data.__owner = me;
  mutex.__data.__count = 1;
}

/// Locks a mutex that a host thread holds, or that no thread could ever unlock.
int lock_on_host(pthread_mutex_t& mutex, int me) {
  PSIM_NEXT(pthread_mutex_lock);
  const int result = real(&mutex);
  if (result == 0) take(mutex, me);
  return result;
}

}  // namespace

int lock(pthread_mutex_t& mutex, const char* call, std::uint64_t deadline) {
  if (!is_ours(mutex)) {
    return PSIM_REAL(pthread_mutex_lock)(&mutex);
  }
  if (RankThreads* threads = running_rank->threads()) threads->lock_taken();
  const int me = my_name();
  int free = 0;
  if (word(mutex).compare_exchange_strong(free, 1)) {
    take(mutex, me);
    ++mutex.__data.__nusers;
    return 0;
  }
  const int owner = mutex.__data.__owner;
  if (owner == me && type_of(mutex) == PTHREAD_MUTEX_RECURSIVE) {
    if (mutex.__data.__count == UINT_MAX) return EAGAIN;
    ++mutex.__data.__count;
    return 0;
  }
  if (deadline == 0) return EBUSY;
  if (owner == me && type_of(mutex) == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  if ((owner & kOfRank) == 0) return lock_on_host(mutex, me);
  // unlock() hands the mutex over; otherwise a thread that yields while it holds the mutex might always keep
  // it.
  const auto woken = running_rank->start_threads().wait(&mutex, call, deadline);
  return woken == RankThreads::Woken::Called ? 0 : ETIMEDOUT;
}

int unlock(pthread_mutex_t& mutex) {
  if (!is_ours(mutex)) {
    return PSIM_REAL(pthread_mutex_unlock)(&mutex);
  }
  const int type = type_of(mutex);
  const bool checks = type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK;
  if (checks && mutex.__data.__owner != my_name()) return EPERM;
  if (type == PTHREAD_MUTEX_RECURSIVE && --mutex.__data.__count != 0) return 0;
  if (RankThreads* threads = running_rank->threads()) {
    if (Thread* const next = threads->waiting(&mutex)) {
      take(mutex, owner_name(next->number));
      threads->wake(*next);
      return 0;
    }
  }
  mutex.__data.__owner = 0;
  --mutex.__data.__nusers;
  // 2: host threads wait.
  if (word(mutex).exchange(0) == 2)
    ::syscall(SYS_futex, &mutex.__data.__lock,
              (mutex.__data.__kind & 0x80) != 0 ? FUTEX_WAKE : FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  return 0;
}

namespace {

bool handles(const void* caller, const pthread_mutex_t& mutex) {
  return belongs_to_program(caller) && is_ours(mutex);
}

}  // namespace
}  // namespace psim::net::mutex

namespace mutex = psim::net::mutex;

#define PSIM_ASKS_FOR(which) mutex::handles(__builtin_return_address(0), *(which))

namespace {

int timed_lock(pthread_mutex_t& which, clockid_t clock, const timespec& time, const char* call) {
  const int result = mutex::lock(which, call, 0);
  if (result != EBUSY) return result;
  if (!psim::net::valid_nanoseconds(time)) return EINVAL;
  return mutex::lock(which, call, psim::net::simulated_time(clock, time) + 1);  // 0: try once
}

pthread_mutex_t* mutex_of(mtx_t* which) { return reinterpret_cast<pthread_mutex_t*>(which); }

int thread_result(int error) {
  return error == 0           ? thrd_success
         : error == EBUSY     ? thrd_busy
         : error == ETIMEDOUT ? thrd_timedout
                              : thrd_error;
}

}  // namespace

extern "C" {

PSIM_SEES_CALLER int pthread_mutex_lock(pthread_mutex_t* which) noexcept {
  if (PSIM_ASKS_FOR(which)) return mutex::lock(*which, "pthread_mutex_lock");
  return PSIM_REAL(pthread_mutex_lock)(which);
}

PSIM_SEES_CALLER int pthread_mutex_trylock(pthread_mutex_t* which) noexcept {
  if (PSIM_ASKS_FOR(which)) return mutex::lock(*which, "pthread_mutex_trylock", 0);
  return PSIM_REAL(pthread_mutex_trylock)(which);
}

PSIM_SEES_CALLER int pthread_mutex_timedlock(pthread_mutex_t* which, const timespec* time) noexcept {
  if (PSIM_ASKS_FOR(which)) return timed_lock(*which, CLOCK_REALTIME, *time, "pthread_mutex_timedlock");
  return PSIM_REAL(pthread_mutex_timedlock)(which, time);
}

PSIM_SEES_CALLER int pthread_mutex_clocklock(pthread_mutex_t* which, clockid_t clock,
                                             const timespec* time) noexcept {
  if (PSIM_ASKS_FOR(which)) return timed_lock(*which, clock, *time, "pthread_mutex_clocklock");
  return PSIM_REAL(pthread_mutex_clocklock)(which, clock, time);
}

PSIM_SEES_CALLER int pthread_mutex_unlock(pthread_mutex_t* which) noexcept {
  if (PSIM_ASKS_FOR(which)) return mutex::unlock(*which);
  return PSIM_REAL(pthread_mutex_unlock)(which);
}

PSIM_SEES_CALLER int mtx_lock(mtx_t* which) {
  if (PSIM_ASKS_FOR(mutex_of(which))) return thread_result(mutex::lock(*mutex_of(which), "mtx_lock"));
  return PSIM_REAL(mtx_lock)(which);
}

PSIM_SEES_CALLER int mtx_trylock(mtx_t* which) {
  if (PSIM_ASKS_FOR(mutex_of(which))) return thread_result(mutex::lock(*mutex_of(which), "mtx_trylock", 0));
  return PSIM_REAL(mtx_trylock)(which);
}

PSIM_SEES_CALLER int mtx_timedlock(mtx_t* which, const timespec* time) {
  if (PSIM_ASKS_FOR(mutex_of(which)))
    return thread_result(timed_lock(*mutex_of(which), CLOCK_REALTIME, *time, "mtx_timedlock"));
  return PSIM_REAL(mtx_timedlock)(which, time);
}

PSIM_SEES_CALLER int mtx_unlock(mtx_t* which) {
  if (PSIM_ASKS_FOR(mutex_of(which))) return thread_result(mutex::unlock(*mutex_of(which)));
  return PSIM_REAL(mtx_unlock)(which);
}

}  // extern "C"
