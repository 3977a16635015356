// SPDX-License-Identifier: Apache-2.0
// Clocks and sleeping, for ranks in simulated time. Clocks of day start at 2000-01-01, all others at 0.
// Reading a clock costs as much as MPI_Wtime, so loops that wait for a time end.
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "ranks/libc/libc_caller.h"
#include "ranks/libc/simulated_time.h"

using psim::net::is_of_day;
using psim::net::kEpoch;
using psim::net::kSecond;
using psim::net::running_rank;

thread_local bool psim::net::rank_thread = false;

namespace {

timespec simulated(clockid_t clock) {
  const std::uint64_t now = running_rank->look_at_clock();
  timespec time;
  time.tv_sec = static_cast<time_t>(now / kSecond) + (is_of_day(clock) ? kEpoch : 0);
  time.tv_nsec = static_cast<long>(now % kSecond / 1000);
  return time;
}

timeval as_timeval(const timespec& time) { return {time.tv_sec, time.tv_nsec / 1000}; }

std::uint64_t ps(const timespec& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * kSecond + static_cast<std::uint64_t>(time.tv_nsec) * 1000;
}

bool valid(const timespec& time) {
  return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < 1'000'000'000;
}

}  // namespace

extern "C" {

PSIM_SEES_CALLER int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (PSIM_CALLED_BY_RANK && clock >= 0 && clock <= CLOCK_TAI) {
    *time = simulated(clock);
    return 0;
  }
  return PSIM_REAL(clock_gettime)(clock, time);
}

PSIM_SEES_CALLER int gettimeofday(timeval* time, void* zone) noexcept {
  if (PSIM_CALLED_BY_RANK) {
    *time = as_timeval(simulated(CLOCK_REALTIME));
    return 0;
  }
  return PSIM_REAL(gettimeofday)(time, zone);
}

PSIM_SEES_CALLER time_t time(time_t* result) noexcept {
  time_t now;
  if (PSIM_CALLED_BY_RANK) {
    now = simulated(CLOCK_REALTIME).tv_sec;
  } else {
    timespec real;
    ::clock_gettime(CLOCK_REALTIME, &real);
    now = real.tv_sec;
  }
  if (result != nullptr) *result = now;
  return now;
}

PSIM_SEES_CALLER clock_t clock() noexcept {
  if (!PSIM_CALLED_BY_RANK) {
    return PSIM_REAL(clock)();
  }
  const timespec now = simulated(CLOCK_PROCESS_CPUTIME_ID);
  return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / (1'000'000'000 / CLOCKS_PER_SEC);
}

PSIM_SEES_CALLER clock_t times(tms* result) noexcept {
  if (!PSIM_CALLED_BY_RANK) {
    return PSIM_REAL(times)(result);
  }
  const timespec now = simulated(CLOCK_MONOTONIC);
  const long ticks = ::sysconf(_SC_CLK_TCK);
  const clock_t count = now.tv_sec * ticks + now.tv_nsec / (1'000'000'000 / ticks);
  if (result != nullptr) *result = {count, 0, 0, 0};
  return count;
}

PSIM_SEES_CALLER int getrusage(__rusage_who_t who, rusage* usage) noexcept {
  PSIM_NEXT(getrusage);
  const int result = real(who, usage);
  if (result == 0 && PSIM_CALLED_BY_RANK) {
    usage->ru_utime = as_timeval(simulated(CLOCK_PROCESS_CPUTIME_ID));
    usage->ru_stime = {};
  }
  return result;
}

PSIM_SEES_CALLER int nanosleep(const timespec* time, timespec* left) {
  if (!PSIM_CALLED_BY_RANK) {
    return PSIM_REAL(nanosleep)(time, left);
  }
  if (!valid(*time)) {
    errno = EINVAL;
    return -1;
  }
  running_rank->sleep(ps(*time));
  return 0;
}

PSIM_SEES_CALLER int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  if (!PSIM_CALLED_BY_RANK) {
    return PSIM_REAL(clock_nanosleep)(clock, flags, time, left);
  }
  if (!valid(*time)) return EINVAL;
  std::uint64_t length = ps(*time);
  if ((flags & TIMER_ABSTIME) != 0) {
    const std::uint64_t now = ps(simulated(clock));
    length = length > now ? length - now : 0;
  }
  running_rank->sleep(length);
  return 0;
}

PSIM_SEES_CALLER unsigned sleep(unsigned seconds) {
  if (!PSIM_CALLED_BY_RANK) {
    return PSIM_REAL(sleep)(seconds);
  }
  running_rank->sleep(seconds * kSecond);
  return 0;
}

PSIM_SEES_CALLER int usleep(useconds_t us) {
  if (!PSIM_CALLED_BY_RANK) {
    return PSIM_REAL(usleep)(us);
  }
  running_rank->sleep(us * (kSecond / 1'000'000));
  return 0;
}

}  // extern "C"
