// SPDX-License-Identifier: Apache-2.0
// pthread_once, call_once, and futexes, on which the C++ library bases std::future, std::latch, waiting on an
// atomic, and static variables of functions.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>

#include "ranks/libc/libc_caller.h"
#include "ranks/libc/linked.h"
#include "ranks/libc/simulated_time.h"
#include "ranks/threads/thread_exit.h"

const char psim::net::linked::futexes = 0;

using psim::net::RankThreads;
using psim::net::running_rank;

namespace {

long system_call(long number, const long (&a)[6]) {
  long result;
  register long r10 asm("r10") = a[3];
  register long r8 asm("r8") = a[4];
  register long r9 asm("r9") = a[5];
  asm volatile("syscall"
               : "=a"(result)
               : "0"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}

/// Waits for the time `time` with FUTEX_WAIT, until `time` with FUTEX_WAIT_BITSET.
long wait_on(RankThreads& threads, long operation, int* word, int value, const timespec* time) {
  if (std::atomic_ref<int>(*word).load() != value) {
    errno = EAGAIN;
    return -1;
  }
  std::uint64_t deadline = RankThreads::kNever;
  if (time != nullptr) {
    const bool of_day = (operation & FUTEX_CLOCK_REALTIME) != 0;
    deadline = (operation & FUTEX_CMD_MASK) == FUTEX_WAIT
                   ? threads.now() + psim::net::simulated_time(CLOCK_MONOTONIC, *time)
                   : psim::net::simulated_time(of_day ? CLOCK_REALTIME : CLOCK_MONOTONIC, *time);
  }
  if (threads.wait(word, "futex", deadline) == RankThreads::Woken::Called) return 0;
  errno = ETIMEDOUT;
  return -1;
}

// The C library's values of pthread_once_t.
constexpr int kUnderWay = 1, kDone = 2;

int once(pthread_once_t* control, void (*function)()) {
  std::atomic_ref<int> state(*control);
  while ((state.load() & kDone) == 0) {
    if (state.load() != 0) {
      running_rank->start_threads().wait(control, "pthread_once");
      continue;
    }
    state.store(kUnderWay);
    struct Outcome {
      pthread_once_t* control;
      int state = 0;  // the next call runs the function again if it throws
      ~Outcome() {
        std::atomic_ref<int>(*control).store(state);
        if (RankThreads* threads = running_rank->threads()) threads->wake(control);
        system_call(SYS_futex, {reinterpret_cast<long>(control), FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0});
      }
    } outcome{control};
    function();
    outcome.state = kDone;
  }
  return 0;
}

}  // namespace

extern "C" {

PSIM_SEES_CALLER int pthread_once(pthread_once_t* control, void (*function)()) {
  if (PSIM_CALLED_BY_PROGRAM) return once(control, function);
  return PSIM_REAL(pthread_once)(control, function);
}

PSIM_SEES_CALLER void call_once(once_flag* flag, void (*function)()) {
  if (PSIM_CALLED_BY_PROGRAM) {
    once(reinterpret_cast<pthread_once_t*>(flag), function);
    return;
  }
  PSIM_REAL(call_once)(flag, function);
}

// Calls with fewer than six arguments leave the rest undefined, as with the C library's function. Reading
// them accesses memory beyond the caller's arguments.
PSIM_SEES_CALLER [[gnu::no_sanitize_address]] long syscall(long number, ...) noexcept {
  std::va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if ((number == SYS_fork || number == SYS_vfork) && PSIM_CALLED_BY_RANK) [[unlikely]]
    return psim::net::child_process::fork_rank(number == SYS_vfork);
  if (number == SYS_futex) [[unlikely]] {
    if (RankThreads* threads = PSIM_THREADS) {
      auto* const word = reinterpret_cast<int*>(a[0]);
      const long command = a[1] & FUTEX_CMD_MASK;
      if (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET)
        return wait_on(*threads, a[1], word, static_cast<int>(a[2]), reinterpret_cast<const timespec*>(a[3]));
      if (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET) {
        const long woken = threads->wake(word, static_cast<std::uint32_t>(a[2]));
        return woken + system_call(number, a);
      }
    }
  }
  return system_call(number, a);
}

}  // extern "C"
