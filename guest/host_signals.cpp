// SPDX-License-Identifier: Apache-2.0
#include "guest/host_signals.h"

#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "isa/memory/guest_memory.h"

namespace psim::isa {

namespace {

// Written by the handler, read by the simulation: one slot per host signal, which keeps the last sender.
std::atomic<bool> g_any{false};
std::atomic<bool> g_interrupted{false};
std::atomic<int> g_count[65];
std::atomic<int> g_sender[65];
std::atomic<int> g_code[65];
std::atomic<int> g_status[65];

int interrupting_signal() { return SIGRTMAX; }

void on_signal(int number, siginfo_t* info, void*) {
  const int saved = errno;
  g_sender[number] = info->si_pid;
  g_code[number] = info->si_code;
  g_status[number] = number == SIGCHLD ? info->si_status : 0;
  ++g_count[number];
  g_any = true;
  errno = saved;
}

void on_interrupt(int) { g_interrupted = true; }

/// Returns the host's flags of an action that concern children.
int host_flags(std::uint64_t guest) {
  return (guest & kSaNoChildStop ? SA_NOCLDSTOP : 0) | (guest & kSaNoChildWait ? SA_NOCLDWAIT : 0);
}

/// `flags`: of the guest's action.
void catch_signal(int host, std::uint64_t flags) {
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | host_flags(flags);  // no SA_RESTART: a blocked call must come back
  sigfillset(&action.sa_mask);
  ::sigaction(host, &action, nullptr);
}

void reset_signal(int host, std::uint64_t flags) {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  action.sa_flags = host_flags(flags);
  ::sigaction(host, &action, nullptr);
}

struct sigaction g_before_bus {};

/// Handles SIGBUS: a lost page of a file is the guest's fault; all other bus errors are psim's.
void on_bus_error(int, siginfo_t* info, void*) {
  const int saved = errno;
  if (GuestMemory::lose_page(info->si_addr))
    g_any = true;
  else
    ::sigaction(SIGBUS, &g_before_bus, nullptr);  // the access is repeated
  errno = saved;
}

void catch_bus_errors() {
  struct sigaction action {
  }, before{};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, &before);
  if (before.sa_sigaction != on_bus_error) g_before_bus = before;
}

bool is_fault(int guest) {
  return guest == sig::kSegv || guest == sig::kBus || guest == sig::kIll || guest == sig::kFpe ||
         guest == sig::kTrap;
}

}  // namespace

HostSignals::HostSignals() {
  ::signal(SIGPIPE, SIG_IGN);
  catch_bus_errors();
}

HostSignals::~HostSignals() {
  for (int guest = 1; guest <= sig::kMost; ++guest)
    if (followed_ & sig::bit(guest)) ::signal(sig::to_host(guest), SIG_DFL);
  interrupt_after(0);
}

void HostSignals::follow(int guest, const SignalAction& action) {
  const int host = sig::to_host(guest);
  // psim keeps the handling of its own faults, broken pipes and interrupting signal.
  if (host == 0 || is_fault(guest) || host == SIGPIPE || host == SIGKILL || host == SIGSTOP ||
      host == interrupting_signal() || host == 32 || host == 33)
    return;
  followed_ |= sig::bit(guest);
  if (action.handler == kSigIgnore)
    ::signal(host, SIG_IGN);
  else if (action.handler == kSigDefault &&
           !(terminating_ && (host == SIGINT || host == SIGTERM || host == SIGHUP)))
    reset_signal(host, action.flags);
  else
    catch_signal(host, action.flags);
}

void HostSignals::follow_mask(std::uint64_t blocked) {
  sigset_t set;
  sigemptyset(&set);
  for (int guest = 1; guest <= sig::kMost; ++guest) {
    const int host = sig::to_host(guest);
    if ((blocked & sig::bit(guest)) && host != 0 && !is_fault(guest) && host != interrupting_signal())
      sigaddset(&set, host);
  }
  ::sigprocmask(SIG_SETMASK, &set, nullptr);
}

void HostSignals::catch_terminating() {
  terminating_ = true;
  for (const int host : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction current;
    ::sigaction(host, nullptr, &current);
    if (current.sa_handler != SIG_DFL) continue;
    catch_signal(host, 0);
    followed_ |= sig::bit(sig::from_host(host));
  }
}

bool HostSignals::any() { return g_any.load(std::memory_order_relaxed); }

void HostSignals::collect(SignalState& signals, std::uint32_t user, std::uint32_t (*guest_pid)(void*, int),
                          void* context) {
  if (!g_any.exchange(false)) return;
  for (int host = 1; host <= 64; ++host) {
    for (int count = g_count[host].exchange(0); count > 0; --count) {
      SignalInfo info;
      info.number = sig::from_host(host);
      if (host == SIGINT || host == SIGTERM || host == SIGHUP) end_requested_ = true;
      info.code = g_code[host];
      info.pid = guest_pid(context, g_sender[host]);
      info.uid = user;
      info.value = static_cast<std::uint64_t>(g_status[host].load());
      // SIGCHLD's si_status is a signal number unless the child exited (CLD_EXITED is 1).
      if (host == SIGCHLD && info.code != 1)
        info.value = static_cast<std::uint64_t>(sig::from_host(static_cast<int>(info.value)));
      signals.raise(info);
    }
  }
}

void HostSignals::interrupt_after(std::uint64_t nanoseconds) {
  if (!has_timer_) {
    if (nanoseconds == 0) return;
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    ::sigaction(interrupting_signal(), &action, nullptr);
    struct sigevent event {};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = interrupting_signal();
    if (::timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0) return;
    has_timer_ = true;
  }
  // The timer repeats, so that an interruption just before the call is not lost.
  constexpr long kAgain = 5'000'000;
  struct itimerspec spec {};
  if (nanoseconds != 0) {
    g_interrupted = false;
    spec.it_value.tv_sec = static_cast<time_t>(nanoseconds / 1'000'000'000);
    spec.it_value.tv_nsec = static_cast<long>(nanoseconds % 1'000'000'000);
    spec.it_interval.tv_nsec = kAgain;
  }
  ::timer_settime(timer_, 0, &spec, nullptr);
}

bool HostSignals::interrupted() { return g_interrupted; }

HeldSignals::HeldSignals() {
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, &before_);
}

HeldSignals::~HeldSignals() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

void die_by_signal(int guest_number) {
  const int host = sig::to_host(guest_number);
  if (host == 0) ::_exit(128 + guest_number);
  const struct rlimit none { 0, 0 };
  ::setrlimit(RLIMIT_CORE, &none);  // the core would be psim's, not the guest's
  ::signal(host, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, host);
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(host);
  ::_exit(128 + guest_number);
}

}  // namespace psim::isa
