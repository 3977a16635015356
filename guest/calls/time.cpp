// SPDX-License-Identifier: Apache-2.0
// Clocks, sleeping and timers, all in simulated time.
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "guest/calls/open_flags.h"
#include "guest/calls/support.h"

namespace psim::isa::calls {

namespace {

constexpr std::uint64_t kSecond = SimulatedClock::kSecond;

GuestTime split(std::uint64_t nanoseconds, std::uint64_t unit) {
  return {static_cast<std::int64_t>(nanoseconds / kSecond),
          static_cast<std::int64_t>(nanoseconds % kSecond / unit)};
}

enum class Clock { Wall, Monotonic, Process, Thread };
struct NamedClock {
  Clock clock;
  const Thread* thread = nullptr;  ///< of Clock::Thread

  bool computing() const { return clock == Clock::Process || clock == Clock::Thread; }
};
// CLOCK_REALTIME 0, MONOTONIC 1, PROCESS_CPUTIME 2, THREAD_CPUTIME 3, MONOTONIC_RAW 4, the COARSE ones 5 and
// 6, BOOTTIME 7, the ALARM ones 8 and 9, TAI 11; negative ids are CPU clocks of processes and threads, but
// not of other processes.
std::optional<NamedClock> clock_of(Process& p, std::uint64_t id) {
  const int number = as_int(id);
  switch (number) {
    case 0:
    case 5:
    case 8:
    case 11:
      return NamedClock{Clock::Wall};
    case 1:
    case 4:
    case 6:
    case 7:
    case 9:
      return NamedClock{Clock::Monotonic};
    case 2:
      return NamedClock{Clock::Process};
    case 3:
      return NamedClock{Clock::Thread, &p.threads.current()};
    default:
      break;
  }
  // ~number of the process or thread (0: the caller) · 8 + 4 for a thread + kind of clock, of which there
  // are 3.
  if (number >= 0 || (number & 3) == 3) return {};
  const auto of = static_cast<std::uint32_t>(~(number >> 3));
  if (!(number & 4))
    return of == 0 || of == p.family.self() ? std::optional<NamedClock>{{Clock::Process}} : std::nullopt;
  const Thread* const thread = of == 0 ? &p.threads.current() : p.threads.find(of);
  return thread != nullptr ? std::optional<NamedClock>{{Clock::Thread, thread}} : std::nullopt;
}
// Returns the clock's zero, in nanoseconds of the simulated clock.
std::uint64_t origin(Clock clock) {
  return clock == Clock::Wall ? SimulatedClock::kEpochSeconds * kSecond : 0;
}
// Returns the nanoseconds that the cores executed threads of the process.
std::uint64_t computed(const Process& p) { return p.clock.nanoseconds(p.threads.computed(p.cycle())); }
std::uint64_t computed(const Process& p, const Thread& thread) {
  return p.clock.nanoseconds(p.threads.computed(thread, p.cycle()));
}
std::uint64_t reading(const Process& p, const NamedClock& clock) {
  if (clock.clock == Clock::Process) return computed(p);
  if (clock.clock == Clock::Thread) return computed(p, *clock.thread);
  return origin(clock.clock) + p.clock.now();
}

CallResult clock_gettime(Process& p, const Arguments& a) {
  const auto clock = clock_of(p, a[0]);
  if (!clock) return CallResult::fail(EINVAL);
  return write_timespec(p, a[1], split(reading(p, *clock), 1)) ? CallResult(0) : CallResult::fail(EFAULT);
}
CallResult clock_getres(Process& p, const Arguments& a) {
  const auto clock = clock_of(p, a[0]);
  if (!clock) return CallResult::fail(EINVAL);
  return a[1] == 0 || write_timespec(p, a[1], {0, 1}) ? CallResult(0) : CallResult::fail(EFAULT);
}
CallResult not_permitted(Process&, const Arguments&) { return CallResult::fail(EPERM); }
CallResult clock_settime(Process& p, const Arguments& a) {
  const auto clock = clock_of(p, a[0]);
  GuestTime time;
  std::uint64_t nanoseconds;
  if (!clock || clock->clock != Clock::Wall) return CallResult::fail(EINVAL);
  if (!read_timespec(p, a[1], time)) return CallResult::fail(EFAULT);
  return CallResult::fail(duration(time, 1, nanoseconds) ? EPERM : EINVAL);
}

CallResult gettimeofday(Process& p, const Arguments& a) {
  if (a[0] != 0 && !write_timeval(p, a[0], split(wall_clock(p), 1000))) return CallResult::fail(EFAULT);
  if (a[1] != 0 && !p.memory.store<std::uint64_t>(a[1] & ~std::uint64_t{7}, 0))
    return CallResult::fail(EFAULT);
  return 0;
}

CallResult sleep(Process& p, std::uint64_t until, std::uint64_t remaining_at) {
  Thread& thread = p.threads.current();
  thread.sleep_end = until, thread.left_at = remaining_at;  // for a signal that comes while others run
  if (p.sleep_until(until)) return 0;
  const std::uint64_t now = p.clock.now();
  if (remaining_at != 0 && !write_timespec(p, remaining_at, split(until - std::min(until, now), 1)))
    return CallResult::fail(EFAULT);
  return CallResult::fail(EINTR);
}
CallResult nanosleep(Process& p, const Arguments& a) {
  GuestTime time;
  std::uint64_t span;
  if (!read_timespec(p, a[0], time)) return CallResult::fail(EFAULT);
  if (!duration(time, 1, span)) return CallResult::fail(EINVAL);
  return sleep(p, p.clock.now() + span, a[1]);
}
CallResult clock_nanosleep(Process& p, const Arguments& a) {
  constexpr std::uint64_t kAbsolute = 1;
  const auto clock = clock_of(p, a[0]);
  GuestTime time;
  std::uint64_t span;
  if (!clock) return CallResult::fail(EINVAL);
  if (clock->computing()) return CallResult::fail(EOPNOTSUPP);
  if (!read_timespec(p, a[2], time)) return CallResult::fail(EFAULT);
  if (!duration(time, 1, span)) return CallResult::fail(EINVAL);
  if (a[1] & kAbsolute) return sleep(p, span - std::min(span, origin(clock->clock)), 0);
  return sleep(p, p.clock.now() + span, a[3]);
}

// times: clock ticks of 10 ms; all computed time is user time.
CallResult times(Process& p, const Arguments& a) {
  constexpr std::uint64_t kTick = kSecond / 100;
  if (a[0] != 0) {
    GuestStruct<32> out;
    out.put64(0, computed(p) / kTick);
    if (!out.write_to(p.memory, a[0])) return CallResult::fail(EFAULT);
  }
  return p.clock.now() / kTick;
}
CallResult getrusage(Process& p, const Arguments& a) {
  const int who = as_int(a[0]);
  if (who < -1 || who > 1) return CallResult::fail(EINVAL);
  GuestStruct<144> out;
  if (who != -1) {
    const GuestTime user = split(who == 1 ? computed(p, p.threads.current()) : computed(p), 1000);
    out.put64(0, static_cast<std::uint64_t>(user.seconds)),
        out.put32(8, static_cast<std::uint64_t>(user.fraction));
    out.put64(32, p.space.areas().most_bytes().accessible / 1024);  // ru_maxrss, KiB
  }
  return out.write_to(p.memory, a[1]) ? CallResult(0) : CallResult::fail(EFAULT);
}

// ---- interval timers ----

bool put_interval(Process& p, std::uint64_t address, const Timer& timer, std::uint64_t unit, bool timeval) {
  const std::uint64_t now = p.timers.now(timer);
  // An armed timer never reads as disarmed.
  const std::uint64_t left = timer.armed() ? std::max(timer.due - std::min(timer.due, now), unit) : 0;
  const auto write = timeval ? write_timeval : write_timespec;
  return write(p, address, split(timer.interval, unit)) && write(p, address + 16, split(left, unit));
}
CallResult getitimer(Process& p, const Arguments& a) {
  if (a[0] > 2) return CallResult::fail(EINVAL);
  return put_interval(p, a[1], p.timers.interval_timer(static_cast<unsigned>(a[0])), 1000, true)
             ? CallResult(0)
             : CallResult::fail(EFAULT);
}
CallResult setitimer(Process& p, const Arguments& a) {
  if (a[0] > 2) return CallResult::fail(EINVAL);
  Timer& timer = p.timers.interval_timer(static_cast<unsigned>(a[0]));
  std::uint64_t interval = 0, value = 0;
  if (a[1] != 0) {
    GuestTime every, first;
    if (!read_timeval(p, a[1], every) || !read_timeval(p, a[1] + 16, first)) return CallResult::fail(EFAULT);
    if (!duration(every, 1000, interval) || !duration(first, 1000, value)) return CallResult::fail(EINVAL);
  }
  if (a[2] != 0 && !put_interval(p, a[2], timer, 1000, true)) return CallResult::fail(EFAULT);
  timer.interval = interval;
  timer.due = value == 0 ? SimulatedClock::kNever : p.timers.now(timer) + value;
  return 0;
}
CallResult alarm(Process& p, const Arguments& a) {
  Timer& timer = p.timers.interval_timer(0);
  const std::uint64_t now = p.clock.now();
  const std::uint64_t left = timer.armed() ? timer.due - std::min(timer.due, now) : 0;
  const std::uint64_t seconds = static_cast<std::uint32_t>(a[0]);
  timer.interval = 0;
  timer.due = seconds == 0 ? SimulatedClock::kNever : now + seconds * kSecond;
  return timer.armed() || left ? (left + kSecond - 1) / kSecond : 0;
}

// ---- POSIX timers ----

CallResult timer_create(Process& p, const Arguments& a) {
  enum { kSignal, kNone, kThread, kThreadId = 4 };  // SIGEV_*
  const auto clock = clock_of(p, a[0]);
  if (!clock) return CallResult::fail(EINVAL);
  Timer timer;
  timer.computing = clock->computing();
  timer.clock = a[0];
  timer.signal = {.number = sig::kAlrm, .code = sig::code::kTimer};
  bool default_value = true;
  if (a[1] != 0) {
    GuestStruct<64> event;  // sigev_value, sigev_signo, sigev_notify
    if (!event.read_from(p.memory, a[1])) return CallResult::fail(EFAULT);
    const int notify = static_cast<int>(event.get<std::uint32_t>(12));
    const int number = static_cast<int>(event.get<std::uint32_t>(8));
    if (notify != kSignal && notify != kNone && notify != kThreadId) return CallResult::fail(EINVAL);
    if (notify != kNone && (number < 1 || number > sig::kMost)) return CallResult::fail(EINVAL);
    timer.signal.number = notify == kNone ? 0 : number;
    timer.signal.value = event.get<std::uint64_t>(0);
    if (notify == kThreadId) {
      timer.signal.thread = event.get<std::uint32_t>(16);
      if (p.threads.find(timer.signal.thread) == nullptr) return CallResult::fail(EINVAL);
    }
    default_value = false;
  }
  const int id = p.timers.create(timer);
  // sival_int is the first half of the union.
  if (default_value) p.timers.find(id)->signal.value = static_cast<std::uint64_t>(id) << 32;
  if (p.memory.store(a[2], static_cast<std::uint32_t>(id))) return 0;
  p.timers.remove(id);
  return CallResult::fail(EFAULT);
}
/// Arms or disarms a timer of timer_create or timerfd_create.
CallResult set_timer(Process& p, Timer& timer, bool absolute, std::uint64_t value_at, std::uint64_t old_at) {
  GuestTime every, first;
  std::uint64_t interval, value;
  if (!read_timespec(p, value_at, every) || !read_timespec(p, value_at + 16, first))
    return CallResult::fail(EFAULT);
  if (!duration(every, 1, interval) || !duration(first, 1, value)) return CallResult::fail(EINVAL);
  if (old_at != 0 && !put_interval(p, old_at, timer, 1, false)) return CallResult::fail(EFAULT);
  std::uint64_t expired;
  pollfd counter{timer.counter, POLLIN, 0};  // ignored if it is -1
  if (::poll(&counter, 1, 0) > 0 && ::read(timer.counter, &expired, sizeof expired) < 0)
    return CallResult::fail(errno);
  timer.interval = interval;
  const std::uint64_t now = p.timers.now(timer);
  if (value == 0) {
    timer.due = SimulatedClock::kNever;
  } else if (absolute) {
    const auto clock = clock_of(p, timer.clock);
    if (!clock) return CallResult::fail(EINVAL);  // its thread has ended
    const std::uint64_t there = reading(p, *clock);
    timer.due = now + value - std::min(value, there);
    if (timer.counter >= 0 && interval != 0 && value <= there) {  // it has expired before, perhaps many times
      const std::uint64_t passed = there - value, periods = 1 + passed / interval;
      if (::write(timer.counter, &periods, sizeof periods) < 0) return CallResult::fail(errno);
      timer.due = now + interval - passed % interval;
    }
  } else {
    timer.due = now + value;
  }
  return 0;
}
constexpr std::uint64_t kAbsoluteTime = 1;

CallResult timer_settime(Process& p, const Arguments& a) {
  Timer* timer = p.timers.find(as_int(a[0]));
  if (!timer || a[2] == 0) return CallResult::fail(EINVAL);
  return set_timer(p, *timer, a[1] & kAbsoluteTime, a[2], a[3]);
}
CallResult timer_gettime(Process& p, const Arguments& a) {
  const Timer* timer = p.timers.find(as_int(a[0]));
  if (!timer) return CallResult::fail(EINVAL);
  return put_interval(p, a[1], *timer, 1, false) ? CallResult(0) : CallResult::fail(EFAULT);
}
CallResult timer_getoverrun(Process& p, const Arguments& a) {
  const Timer* timer = p.timers.find(as_int(a[0]));
  return timer ? CallResult(static_cast<std::uint64_t>(timer->overrun)) : CallResult::fail(EINVAL);
}
CallResult timer_delete(Process& p, const Arguments& a) {
  return p.timers.remove(as_int(a[0])) ? CallResult(0) : CallResult::fail(EINVAL);
}

// ---- timers of descriptors ----

// A timerfd is an eventfd of the host, to which the timer adds its expirations.
CallResult timerfd_create(Process& p, const Arguments& a) {
  const auto clock = clock_of(p, a[0]);
  if (!clock || clock->computing() || (a[1] & ~(guest_open::kCloseOnExec | guest_open::kNonBlock)))
    return CallResult::fail(EINVAL);
  auto file = std::make_shared<OpenFile>();
  file->host = UniqueFd(::eventfd(0, EFD_CLOEXEC | (a[1] & guest_open::kNonBlock ? EFD_NONBLOCK : 0)));
  if (!file->host) return CallResult::fail(errno);
  file->own = file->counter = true;
  file->timer = p.timers.create_counting(a[0], file->host.get());
  const int fd = p.files.add(std::move(file), a[1] & guest_open::kCloseOnExec);
  return fd < 0 ? CallResult::fail(EMFILE) : CallResult(static_cast<std::uint64_t>(fd));
}
CallResult timerfd_settime(Process& p, const Arguments& a) {
  const auto file = p.files.get(a[0]);
  if (!file) return CallResult::fail(EBADF);
  constexpr std::uint64_t kCancelOnSet = 2;  // the clock is never set
  if (!file->timer || (a[1] & ~(kAbsoluteTime | kCancelOnSet))) return CallResult::fail(EINVAL);
  p.timers.fire(p.signals);
  return set_timer(p, *file->timer, a[1] & kAbsoluteTime, a[2], a[3]);
}
CallResult timerfd_gettime(Process& p, const Arguments& a) {
  const auto file = p.files.get(a[0]);
  if (!file) return CallResult::fail(EBADF);
  if (!file->timer) return CallResult::fail(EINVAL);
  p.timers.fire(p.signals);
  return put_interval(p, a[1], *file->timer, 1, false) ? CallResult(0) : CallResult::fail(EFAULT);
}

constexpr SystemCall kTimeCalls[] = {
    {27, "alarm", 1, alarm},
    {43, "times", 1, times},
    {83, "setitimer", 3, setitimer},
    {86, "getitimer", 2, getitimer},
    {116, "gettimeofday", 2, gettimeofday},
    {117, "getrusage", 2, getrusage},
    {122, "settimeofday", 2, not_permitted},
    {233, "stime", 1, not_permitted},
    {249, "nanosleep", 2, nanosleep},
    {256, "clock_settime", 2, clock_settime},
    {257, "clock_gettime", 2, clock_gettime},
    {258, "clock_getres", 2, clock_getres},
    {259, "clock_nanosleep", 4, clock_nanosleep},
    {262, "timer_settime", 4, timer_settime},
    {263, "timer_gettime", 2, timer_gettime},
    {264, "timer_getoverrun", 1, timer_getoverrun},
    {265, "timer_delete", 1, timer_delete},
    {266, "timer_create", 3, timer_create},
    {312, "timerfd_create", 2, timerfd_create},
    {315, "timerfd_settime", 4, timerfd_settime},
    {316, "timerfd_gettime", 2, timerfd_gettime},
};

}  // namespace

std::span<const SystemCall> time() { return kTimeCalls; }

}  // namespace psim::isa::calls
