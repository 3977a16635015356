// SPDX-License-Identifier: Apache-2.0
// Calls that wait: in the host, in simulated time, or for a signal.
#include "guest/process.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/console.h"
#include "guest/call_names.h"
#include "guest/fault_report.h"

namespace psim::isa {

namespace {

/// The host's time between two looks at what another process may do.
constexpr struct timespec kPause { 0, 100'000 };

/// Waits in the host and unblocks, for the wait only, the signals that the guest does not block. Waits at
/// most `time`; null: until a signal comes. Returns 0 after that time.
int wait_unmasked(std::uint64_t blocked, const struct timespec* time) {
  sigset_t mask;
  sigemptyset(&mask);
  for (int guest = 1; guest <= sig::kMost; ++guest)
    if (const int host = sig::to_host(guest); host != 0 && (blocked & sig::bit(guest)))
      sigaddset(&mask, host);
  return ::ppoll(nullptr, 0, time, &mask);
}

}  // namespace

/// Lets the time pass in which no thread can run: until cycle `next`, or until a timer is due. If nothing of
/// the program will end that time, waits for a signal from outside.
void Process::let_time_pass(std::uint64_t next) {
  next = std::min(next, timers.next_core_cycle());
  if (next != SimulatedClock::kNever) {
    clock.set_core_cycles(next);
    from_cycle_ = clock.core_cycles(), from_instructions_ = executor.state().instructions;
    gather_signals();
    return hand_out_signals();
  }
  const bool for_signal = std::any_of(threads.all().begin(), threads.all().end(), [](const auto& thread) {
    return thread->state == Thread::State::Asleep;
  });
  if (wait_for_relatives()) return;
  if (start.identity.fixed || !for_signal) return end_in_deadlock();
  report_once("stuck", "every thread waits; only a signal from outside can wake one");
  const HeldSignals held;  // except in wait_unmasked
  gather_signals();
  hand_out_signals();
  if (threads.any_ready()) return;
  wait_unmasked(blocked_by_all(), nullptr);
  gather_signals();
  hand_out_signals();
}

bool Process::wait_for_relatives() {
  const HeldSignals held;  // except in wait_unmasked
  for (bool live = true; live;) {
    gather_signals();
    hand_out_signals();
    if (threads.any_ready()) return true;
    // The end of a relative need not send a signal, and one that has just ended may have sent a signal.
    live = family.others_live();
    constexpr struct timespec kWhileRelativesLive { 0, 100'000'000 }, kNow{};
    wait_unmasked(blocked_by_all(), live ? &kWhileRelativesLive : &kNow);
  }
  gather_signals();
  hand_out_signals();
  return threads.any_ready();
}

/// Returns the signals that every thread blocks.
std::uint64_t Process::blocked_by_all() const {
  std::uint64_t blocked = signals.blocked();
  for (const auto& thread : threads.all())
    if (thread->state != Thread::State::Ended && thread.get() != &threads.current())
      blocked &= thread->signals.blocked;
  return blocked;
}

CallResult Process::repeat_later(bool due, std::uint64_t until, bool outside) {
  if (due) return CallResult::interrupted();
  std::uint64_t next = clock.now() + 1000;
  Thread& thread = threads.current();
  thread.polls = true, thread.polls_outside = outside;
  thread.poll_end = until;
  // Each polling thread must have looked once more after the last change.
  repetitions_ = threads.others_wait() ? repetitions_ + 1 : 0;
  if (repetitions_ > 2 * threads.live()) {
    // A process that has just ended may have acted after the last look.
    const bool lived = std::exchange(others_lived_, family.others_live());
    if (lived || others_lived_ || threads.any_polls_outside()) {
      // Another process must act, in the time of the host.
      wait_unmasked(signals.blocked(), &kPause);
      next = clock.now() + static_cast<std::uint64_t>(kPause.tv_nsec);
    } else {
      const std::uint64_t wake = threads.next_wake();
      const std::uint64_t change = std::min(
          {wake == Threads::kNever ? wake : clock.now_at(wake), timers.next_real(), threads.next_poll_end()});
      if (change == SimulatedClock::kNever) return end_in_deadlock(), CallResult::done();
      next = std::max(next, change);
    }
    repetitions_ = 0;
  }
  CpuState& state = executor.state();
  state.npc = state.pc, state.pc -= 4;
  threads.sleep(cycle(), clock.core_cycles_at(std::min(next, until)));
  return CallResult::done();
}

CallResult Process::blocking(const std::function<std::int64_t()>& call, const std::function<bool()>& ready) {
  update_clock();
  if (gather_signals() && !(ready && ready())) return CallResult::interrupted();
  for (;;) {
    const std::uint64_t due = timers.next_real();
    const bool timer = due != SimulatedClock::kNever;
    if (timer) host_signals.interrupt_after(std::max<std::uint64_t>(1, due - std::min(due, clock.now())));
    const std::int64_t result = call();
    const int error = errno;
    if (timer) host_signals.interrupt_after(0);
    if (result >= 0) return static_cast<std::uint64_t>(result);
    if (error != EINTR) return CallResult::fail(error);
    if (timer && HostSignals::interrupted()) clock.sleep_until(due);
    if (gather_signals()) return CallResult::interrupted();
  }
}

bool Process::sleep_until(std::uint64_t time) {
  update_clock();
  if (threaded()) {
    if (gather_signals()) return false;
    if (clock.now() < time) threads.sleep(cycle(), clock.core_cycles_at(time));
    return true;
  }
  const HeldSignals held;  // except in wait_unmasked
  for (;;) {
    if (gather_signals()) return false;
    const std::uint64_t now = clock.now();
    if (now >= time) return true;
    const std::uint64_t target = std::min(time, timers.next_real());
    // Processes that wait for one another by sleeping need host time to pass, too.
    if (family.has_others() && target > now) {
      const std::uint64_t span = target - now;
      const struct timespec pause {
        static_cast<time_t>(span / SimulatedClock::kSecond), static_cast<long>(span % SimulatedClock::kSecond)
      };
      if (wait_unmasked(signals.blocked(), &pause) != 0 && gather_signals()) return false;
    }
    clock.sleep_until(target);
  }
}

void Process::pass_time(std::uint64_t until, const std::function<bool()>& ready) {
  update_clock();
  while (!gather_signals() && !ready() && clock.now() < until) {
    const std::uint64_t next = std::min(until, timers.next_real());
    if (next == SimulatedClock::kNever) return;
    clock.sleep_until(next);
  }
}

std::optional<CallResult> Process::wait_for_store(std::uint64_t address, std::uint32_t value,
                                                  std::uint64_t until) {
  update_clock();
  const HeldSignals held;  // except in wait_unmasked
  for (bool live = true;;) {
    // A process that has just ended may have stored before.
    const bool due = gather_signals();
    std::uint32_t word;
    if (!memory.load(address, word) || word != value) return 0;
    if (due) return CallResult::interrupted();
    if (clock.now() >= until) return CallResult::fail(ETIMEDOUT);
    if (!live) return std::nullopt;
    live = family.others_live();
    if (live && wait_unmasked(signals.blocked(), &kPause) == 0)
      clock.sleep_until(std::min(until, clock.now() + static_cast<std::uint64_t>(kPause.tv_nsec)));
  }
}

void Process::wait_for_signal() {
  update_clock();
  if (threaded()) {
    if (!gather_signals()) threads.sleep(cycle(), Threads::kNever);
    return;
  }
  const HeldSignals held;  // except in wait_unmasked
  while (!gather_signals()) {
    if (alone()) {
      // A relative that has just ended may have sent a signal.
      constexpr struct timespec kNow {};
      wait_unmasked(signals.blocked(), &kNow);
      if (gather_signals() || stuck()) return;
    }
    const std::uint64_t due = timers.next_real();
    if (due != SimulatedClock::kNever && !family.has_others()) {
      clock.sleep_until(due);
      continue;
    }
    struct timespec wait {};
    if (due != SimulatedClock::kNever) {
      const std::uint64_t span = due - std::min(due, clock.now());
      wait.tv_sec = static_cast<time_t>(span / SimulatedClock::kSecond);
      wait.tv_nsec = static_cast<long>(span % SimulatedClock::kSecond);
    }
    const bool timer = due != SimulatedClock::kNever;
    if (wait_unmasked(signals.blocked(), timer ? &wait : nullptr) == 0 && timer) clock.sleep_until(due);
  }
}

/// Returns "pause() at PC 0x…, in main at a.c:12".
std::string Process::position() const {
  // A thread that repeats a call is before it.
  const std::uint64_t pc =
      const_cast<Process*>(this)->executor.state().pc - (threads.current().polls ? 0 : 4);
  return fmt::format("{}() at PC {:#x}{}", call_name(call_), pc, source_of(pc));
}

bool Process::stuck() {
  if (gather_signals()) return false;
  if (!start.identity.fixed) {
    report_once("stuck",
                fmt::format("the program waits in {}; only a signal from outside can wake it", position()));
    return false;
  }
  executor.flush_windows();
  const std::string where = position();
  const SourceMap sources(program_path_, load_bias_);
  console::log("psim: deadlock: the program waits in {}, and nothing can wake it\n{}", where,
               describe_callers(sources, memory, executor.state()));
  if (!ending_) ending_ = Ending{false, kDeadlockStatus, where};
  return true;
}

}  // namespace psim::isa
