// SPDX-License-Identifier: Apache-2.0
// pthread_create and related functions, also of C11: a thread started by a program is a thread of its rank.
#include <pthread.h>
#include <sched.h>
#include <threads.h>

#include <cerrno>
#include <csignal>

#include "base/error.h"
#include "ranks/libc/libc_caller.h"
#include "ranks/libc/libc_next.h"
#include "ranks/libc/linked.h"
#include "ranks/libc/simulated_time.h"
#include "ranks/threads/thread_exit.h"

const char psim::net::linked::thread_functions = 0;

using psim::net::RankThreads;
using psim::net::running_rank;
using psim::net::Thread;

namespace {

/// Returns the rank's thread of this name, or null for a host thread.
Thread* find(RankThreads* threads, pthread_t name) {
  return threads == nullptr ? nullptr : threads->find(name);
}

int start(pthread_t* name, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) {
  std::size_t stack = 0;
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) {
    ::pthread_attr_getstacksize(attributes, &stack);
    ::pthread_attr_getdetachstate(attributes, &detached);
  }
  RankThreads& threads = running_rank->start_threads();
  try {
    *name = threads.name(
        threads.start(function, argument, psim::Bytes{stack}, detached == PTHREAD_CREATE_DETACHED));
  } catch (const psim::UserError&) {
    return EAGAIN;  // no address space for its stack
  }
  return 0;
}

int join(RankThreads& threads, pthread_t name, void** result, const char* call,
         std::uint64_t deadline = RankThreads::kNever) {
  Thread* const thread = threads.find(name);
  if (thread == nullptr) return ESRCH;
  if (thread == &threads.running()) return EDEADLK;
  if (thread->detached || thread->joined) return EINVAL;
  if (!thread->ended) {
    if (deadline == 0) return EBUSY;
    thread->joined = true;
    const auto woken = threads.wait(thread, call, deadline, true);
    thread->joined = false;
    if (woken == RankThreads::Woken::Cancelled) psim::net::exit_thread(threads, PTHREAD_CANCELED);
    if (woken == RankThreads::Woken::TimedOut) return ETIMEDOUT;
  }
  if (result != nullptr) *result = thread->result;
  threads.forget(*thread);
  return 0;
}

int detach(RankThreads& threads, pthread_t name) {
  Thread* const thread = threads.find(name);
  if (thread == nullptr) return ESRCH;
  if (thread->detached) return EINVAL;
  thread->detached = true;
  if (thread->ended) threads.forget(*thread);
  return 0;
}

int cancel(RankThreads& threads, Thread& thread) {
  thread.cancelled = true;
  if (&thread != &threads.running() && thread.cancels && thread.can_cancel)
    threads.wake(thread, RankThreads::Woken::Cancelled);
  return 0;
}

/// A thread function of C11, which returns an int.
struct Start {
  thrd_start_t function;
  void* argument;
};
void* run(void* start) {
  const Start copy = *static_cast<Start*>(start);
  delete static_cast<Start*>(start);
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(copy.function(copy.argument)));
}

}  // namespace

extern "C" {

PSIM_SEES_CALLER int pthread_create(pthread_t* name, const pthread_attr_t* attributes,
                                    void* (*function)(void*), void* argument) noexcept {
  if (PSIM_CALLED_BY_PROGRAM) return start(name, attributes, function, argument);
  return PSIM_REAL(pthread_create)(name, attributes, function, argument);
}

PSIM_SEES_CALLER int pthread_join(pthread_t name, void** result) {
  if (RankThreads* threads = PSIM_THREADS) return join(*threads, name, result, "pthread_join");
  return PSIM_REAL(pthread_join)(name, result);
}

PSIM_SEES_CALLER int pthread_tryjoin_np(pthread_t name, void** result) noexcept {
  if (RankThreads* threads = PSIM_THREADS) return join(*threads, name, result, "pthread_tryjoin_np", 0);
  return PSIM_REAL(pthread_tryjoin_np)(name, result);
}

PSIM_SEES_CALLER int pthread_timedjoin_np(pthread_t name, void** result, const timespec* time) {
  if (RankThreads* threads = PSIM_THREADS) {
    const std::uint64_t deadline =
        time == nullptr ? RankThreads::kNever : psim::net::simulated_time(CLOCK_REALTIME, *time) + 1;
    return join(*threads, name, result, "pthread_timedjoin_np", deadline);
  }
  return PSIM_REAL(pthread_timedjoin_np)(name, result, time);
}

PSIM_SEES_CALLER int pthread_detach(pthread_t name) noexcept {
  if (RankThreads* threads = PSIM_THREADS) return detach(*threads, name);
  return PSIM_REAL(pthread_detach)(name);
}

PSIM_SEES_CALLER pthread_t pthread_self() noexcept {
  RankThreads* const threads = PSIM_THREADS;
  if (threads != nullptr && threads->number() != 0) return threads->name(threads->running());
  return PSIM_REAL(pthread_self)();
}

PSIM_SEES_CALLER int pthread_cancel(pthread_t name) {
  RankThreads* const threads = PSIM_THREADS;
  if (Thread* thread = find(threads, name)) return cancel(*threads, *thread);
  PSIM_NEXT(pthread_cancel);
  return threads != nullptr ? ESRCH : real(name);
}

PSIM_SEES_CALLER void pthread_testcancel() {
  if (RankThreads* threads = PSIM_THREADS) {
    const Thread& me = threads->running();
    if (me.cancelled && me.cancels) psim::net::exit_thread(*threads, PTHREAD_CANCELED);
    return;
  }
  PSIM_REAL(pthread_testcancel)();
}

PSIM_SEES_CALLER int pthread_setcancelstate(int state, int* old) {
  if (RankThreads* threads = PSIM_THREADS) {
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
    bool& cancels = threads->running().cancels;
    if (old != nullptr) *old = cancels ? PTHREAD_CANCEL_ENABLE : PTHREAD_CANCEL_DISABLE;
    cancels = state == PTHREAD_CANCEL_ENABLE;
    return 0;
  }
  return PSIM_REAL(pthread_setcancelstate)(state, old);
}

PSIM_SEES_CALLER int pthread_kill(pthread_t name, int signal) noexcept {
  // As for a signal raised by a rank, the target is the whole process.
  const Thread* thread = find(PSIM_THREADS, name);
  const bool only = thread == nullptr && PSIM_CALLED_BY_PROGRAM && running_rank->threads() == nullptr &&
                    name == ::pthread_self();
  if (thread != nullptr || only)
    return !only && thread->ended ? ESRCH : signal == 0 ? 0 : psim::net::raise_as_rank(signal);
  return PSIM_REAL(pthread_kill)(name, signal);
}

PSIM_SEES_CALLER int sched_yield() noexcept {
  if (RankThreads* threads = PSIM_THREADS) {
    threads->yield();
    return 0;
  }
  return PSIM_REAL(sched_yield)();
}

// Queries return properties of the host thread that runs all ranks; settings have no effect.
#define PSIM_QUERY_HOST(result, function, parameters, ...)                                   \
  PSIM_SEES_CALLER result function parameters noexcept {                                     \
    if (Thread* thread = find(PSIM_THREADS, name); thread != nullptr && thread->number != 0) \
      name = ::pthread_self();                                                               \
    return PSIM_REAL(function)(__VA_ARGS__);                                                 \
  }
#define PSIM_SET_FOR_NONE(function, parameters, ...)                                                   \
  PSIM_SEES_CALLER int function parameters noexcept {                                                  \
    if (Thread* thread = find(PSIM_THREADS, name); thread != nullptr && thread->number != 0) return 0; \
    return PSIM_REAL(function)(__VA_ARGS__);                                                           \
  }
PSIM_QUERY_HOST(int, pthread_getaffinity_np, (pthread_t name, size_t size, cpu_set_t* set), name, size, set)
PSIM_QUERY_HOST(int, pthread_getschedparam, (pthread_t name, int* policy, sched_param* parameters), name,
                policy, parameters)
PSIM_QUERY_HOST(int, pthread_getname_np, (pthread_t name, char* text, size_t size), name, text, size)
PSIM_QUERY_HOST(int, pthread_getattr_np, (pthread_t name, pthread_attr_t* attributes), name, attributes)
PSIM_QUERY_HOST(int, pthread_getcpuclockid, (pthread_t name, clockid_t* clock), name, clock)
PSIM_SET_FOR_NONE(pthread_setschedparam, (pthread_t name, int policy, const sched_param* parameters), name,
                  policy, parameters)
PSIM_SET_FOR_NONE(pthread_setname_np, (pthread_t name, const char* text), name, text)

PSIM_SEES_CALLER int thrd_create(thrd_t* name, thrd_start_t function, void* argument) {
  if (PSIM_CALLED_BY_PROGRAM) {
    auto* const given = new Start{function, argument};
    const int error = start(name, nullptr, &run, given);
    if (error != 0) delete given;
    return error == 0 ? thrd_success : error == EAGAIN ? thrd_nomem : thrd_error;
  }
  return PSIM_REAL(thrd_create)(name, function, argument);
}

PSIM_SEES_CALLER int thrd_join(thrd_t name, int* result) {
  if (RankThreads* threads = PSIM_THREADS) {
    void* value = nullptr;
    if (join(*threads, name, &value, "thrd_join") != 0) return thrd_error;
    if (result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
    return thrd_success;
  }
  return PSIM_REAL(thrd_join)(name, result);
}

PSIM_SEES_CALLER int thrd_detach(thrd_t name) {
  if (RankThreads* threads = PSIM_THREADS) return detach(*threads, name) == 0 ? thrd_success : thrd_error;
  return PSIM_REAL(thrd_detach)(name);
}

PSIM_SEES_CALLER thrd_t thrd_current() {
  RankThreads* const threads = PSIM_THREADS;
  if (threads != nullptr && threads->number() != 0) return threads->name(threads->running());
  return PSIM_REAL(thrd_current)();
}

PSIM_SEES_CALLER void thrd_yield() {
  if (RankThreads* threads = PSIM_THREADS) return threads->yield();
  PSIM_REAL(thrd_yield)();
}

PSIM_SEES_CALLER int thrd_sleep(const timespec* time, timespec* left) {
  if (PSIM_CALLED_BY_PROGRAM) {
    if (time->tv_sec < 0 || !psim::net::valid_nanoseconds(*time)) return -2;
    running_rank->sleep(psim::net::simulated_time(CLOCK_MONOTONIC, *time));
    return 0;
  }
  return PSIM_REAL(thrd_sleep)(time, left);
}

PSIM_SEES_CALLER void thrd_exit(int result) {
  if (PSIM_CALLED_BY_PROGRAM)
    psim::net::exit_thread(running_rank->start_threads(),
                           reinterpret_cast<void*>(static_cast<std::intptr_t>(result)));
  PSIM_REAL(thrd_exit)(result);
  __builtin_unreachable();
}

int __cxa_thread_atexit_impl(void (*function)(void*), void* argument, void* object) {
  if (running_rank && running_rank->in_program(object)) {
    psim::net::RankThreads* threads = running_rank->threads();
    const bool first = threads == nullptr || threads->number() == 0;
    (first ? running_rank->libc().at_thread_exit : threads->running().at_exit)
        .push_back({function, argument});
    return 0;
  }
  return PSIM_REAL(__cxa_thread_atexit_impl)(function, argument, object);
}

}  // extern "C"
