// SPDX-License-Identifier: Apache-2.0
// Signal calls: actions, masks, sending, waiting, return.
#include <signal.h>
#include <unistd.h>

#include "guest/calls/support.h"
#include "guest/signal_frame.h"

namespace psim::isa::calls {

namespace {

constexpr std::uint64_t kSetBytes = 8;

void mask_changed(Process& p) {
  if (p.family.has_others()) p.host_signals.follow_mask(p.signals.blocked());
}

// struct sigaction of sparc64: handler, flags, restorer (unused), mask. The restorer is an argument.
CallResult rt_sigaction(Process& p, const Arguments& a) {
  const int number = as_int(a[0]);
  if (a[4] != kSetBytes || number < 1 || number > sig::kMost) return CallResult::fail(EINVAL);
  if (a[1] != 0 && (sig::bit(number) & sig::kUnblockable)) return CallResult::fail(EINVAL);
  const SignalAction old = p.signals.action(number);
  if (a[1] != 0) {
    GuestStruct<32> in;
    if (!in.read_from(p.memory, a[1])) return CallResult::fail(EFAULT);
    SignalAction& action = p.signals.action(number);
    action.handler = in.get<std::uint64_t>(0), action.flags = in.get<std::uint64_t>(8);
    action.mask = in.get<std::uint64_t>(24) & ~sig::kUnblockable;
    action.restorer = a[3];
    if (p.signals.ignored(number)) p.signals.discard(number);
    p.host_signals.follow(number, action);
  }
  if (a[2] != 0) {
    GuestStruct<32> out;
    out.put64(0, old.handler), out.put64(8, old.flags), out.put64(24, old.mask);
    if (!out.write_to(p.memory, a[2])) return CallResult::fail(EFAULT);
  }
  return 0;
}

CallResult rt_sigprocmask(Process& p, const Arguments& a) {
  enum { kBlock = 1, kUnblock = 2, kSetMask = 4 };
  if (a[3] != kSetBytes) return CallResult::fail(EINVAL);
  const std::uint64_t old = p.signals.blocked();
  if (a[1] != 0) {
    std::uint64_t set;
    if (!p.memory.load(a[1], set)) return CallResult::fail(EFAULT);
    switch (as_int(a[0])) {
      case kBlock:
        p.signals.set_blocked(old | set);
        break;
      case kUnblock:
        p.signals.set_blocked(old & ~set);
        break;
      case kSetMask:
        p.signals.set_blocked(set);
        break;
      default:
        return CallResult::fail(EINVAL);
    }
    mask_changed(p);
  }
  if (a[2] != 0 && !p.memory.store(a[2], old)) return CallResult::fail(EFAULT);
  return 0;
}

CallResult rt_sigpending(Process& p, const Arguments& a) {
  if (a[1] > kSetBytes) return CallResult::fail(EINVAL);
  p.gather_signals();
  std::uint64_t set = p.signals.pending() & p.signals.blocked();
  sigset_t host;
  if (p.family.has_others() && ::sigpending(&host) == 0)
    for (int number = 1; number <= sig::kMost; ++number)
      if (const int h = sig::to_host(number); h != 0 && ::sigismember(&host, h) == 1) set |= sig::bit(number);
  return p.memory.store(a[0], set) ? CallResult(0) : CallResult::fail(EFAULT);
}

CallResult suspend(Process& p, std::uint64_t mask) {
  p.signals.block_temporarily(mask);
  p.wait_for_signal();
  // The signal ends the process or enters a handler; the frame restores the old mask.
  return CallResult::fail(EINTR);
}
CallResult rt_sigsuspend(Process& p, const Arguments& a) {
  std::uint64_t mask;
  if (a[1] != kSetBytes) return CallResult::fail(EINVAL);
  if (!p.memory.load(a[0], mask)) return CallResult::fail(EFAULT);
  return suspend(p, mask);
}
CallResult pause(Process& p, const Arguments&) { return suspend(p, p.signals.blocked()); }

CallResult rt_sigtimedwait(Process& p, const Arguments& a) {
  std::uint64_t set;
  if (a[3] != kSetBytes) return CallResult::fail(EINVAL);
  if (!p.memory.load(a[0], set)) return CallResult::fail(EFAULT);
  std::uint64_t until = SimulatedClock::kNever;
  if (a[2] != 0) {
    GuestTime time;
    std::uint64_t span;
    if (!read_timespec(p, a[2], time)) return CallResult::fail(EFAULT);
    if (!duration(time, 1, span)) return CallResult::fail(EINVAL);
    until = p.clock.now() + span;
  }
  const auto take = [&](CallResult otherwise) {
    const auto info = p.signals.take_of(set);
    if (!info) return otherwise;
    if (a[1] != 0 && !write_siginfo(p.memory, a[1], *info)) return CallResult::fail(EFAULT);
    return CallResult(static_cast<std::uint64_t>(info->number));
  };
  if (p.threaded()) {
    const bool interrupted = p.gather_signals();
    if (p.signals.pending() & set) return take(CallResult::fail(EAGAIN));
    if (interrupted) return CallResult::fail(EINTR);
    if (until > p.clock.now()) p.await_signal(set, until, a[1]);
    return CallResult::fail(EAGAIN);  // as after a timeout; a signal replaces it
  }
  // During the wait the awaited signals count as unblocked.
  p.signals.block_temporarily(p.signals.blocked() & ~set);
  mask_changed(p);
  if (until == SimulatedClock::kNever)
    p.wait_for_signal();
  else
    p.sleep_until(until);
  p.signals.end_temporary_mask();
  mask_changed(p);
  return take(CallResult::fail(p.signals.deliverable() ? EINTR : EAGAIN));
}

CallResult sigaltstack(Process& p, const Arguments& a) {
  constexpr std::uint32_t kOnStack = 1, kDisable = 2;
  constexpr std::uint64_t kLeast = 4096;
  AlternateStack& alternate = p.signals.alternate;
  const AlternateStack old = alternate;
  const bool on_it = old.contains(p.executor.state().r[14] + 2047);
  if (a[0] != 0) {
    GuestStruct<24> in;
    if (!in.read_from(p.memory, a[0])) return CallResult::fail(EFAULT);
    const std::uint32_t flags = in.get<std::uint32_t>(8) & 0x7FFFFFFF;  // without SS_AUTODISARM
    if (on_it) return CallResult::fail(EPERM);
    if (flags > kDisable) return CallResult::fail(EINVAL);
    if (flags & kDisable) {
      alternate = {};
    } else {
      if (in.get<std::uint64_t>(16) < kLeast) return CallResult::fail(ENOMEM);
      alternate = {in.get<std::uint64_t>(0), in.get<std::uint64_t>(16), 0};
    }
  }
  if (a[1] != 0) {
    GuestStruct<24> out;
    out.put64(0, old.base), out.put64(16, old.bytes);
    out.put32(8, old.bytes == 0 ? kDisable : on_it ? kOnStack : 0u);
    if (!out.write_to(p.memory, a[1])) return CallResult::fail(EFAULT);
  }
  return 0;
}

CallResult rt_sigreturn(Process& p, const Arguments&) {
  if (!pop_signal_frame(p.memory, p.executor, p.signals)) {
    p.report_once("sigreturn", "rt_sigreturn: no signal frame at %sp");
    p.die(sig::kSegv);
  }
  mask_changed(p);
  return CallResult::done();
}

// Sends a signal: to this process through its queue, to others of the family through the host.
CallResult send(Process& p, std::uint32_t pid, SignalInfo info) {
  if (info.number < 0 || info.number > sig::kMost) return CallResult::fail(EINVAL);
  if (pid == p.family.self()) {
    if (info.number == sig::kKill) p.die(sig::kKill);
    if (info.number != 0) p.signals.raise(info);
    return 0;
  }
  const pid_t host = p.family.host_of(pid);
  if (host <= 0) return CallResult::fail(ESRCH);
  const int number = sig::to_host(info.number);
  if (info.number != 0 && number == 0) return CallResult::fail(EINVAL);
  if (::kill(host, number) != 0) return CallResult::fail(errno);
  return 0;
}
SignalInfo from_self(Process& p, std::uint64_t number, int code) {
  return {.number = as_int(number), .code = code, .pid = p.family.self(), .uid = p.start.identity.user};
}
CallResult kill(Process& p, const Arguments& a) {
  const int pid = as_int(a[0]);
  const SignalInfo info = from_self(p, a[1], sig::code::kUser);
  if (pid > 0) return send(p, static_cast<std::uint32_t>(pid), info);
  if (pid == -1) return send(p, p.family.self(), info);
  const std::uint64_t group =
      pid == 0 ? p.group : static_cast<std::uint64_t>(-static_cast<std::int64_t>(pid));
  bool any = false;
  for (const std::uint32_t member : p.family.others())
    if (group == ProcessFamily::kFirst) any = send(p, member, info).kind == CallResult::Kind::Value || any;
  if (group == p.group) return send(p, p.family.self(), info);
  return any ? CallResult(0) : CallResult::fail(ESRCH);
}
/// Sends a signal to a thread of this process.
CallResult send_to_thread(Process& p, Thread& thread, SignalInfo info) {
  if (info.number < 0 || info.number > sig::kMost) return CallResult::fail(EINVAL);
  if (info.number == sig::kKill) p.die(sig::kKill);
  if (info.number == 0) return 0;
  info.thread = thread.id;
  p.signals.raise(info);
  p.hand_out_signals();
  return 0;
}
CallResult tkill(Process& p, const Arguments& a) {
  if (as_int(a[0]) <= 0) return CallResult::fail(EINVAL);
  if (Thread* thread = p.threaded() ? p.threads.find(static_cast<std::uint32_t>(a[0])) : nullptr)
    return send_to_thread(p, *thread, from_self(p, a[1], sig::code::kTkill));
  return send(p, static_cast<std::uint32_t>(a[0]), from_self(p, a[1], sig::code::kTkill));
}
CallResult tgkill(Process& p, const Arguments& a) {
  if (as_int(a[0]) <= 0 || as_int(a[1]) <= 0) return CallResult::fail(EINVAL);
  if (Thread* thread = p.threaded() ? p.threads.find(static_cast<std::uint32_t>(a[1])) : nullptr)
    return send_to_thread(p, *thread, from_self(p, a[2], sig::code::kTkill));
  if (as_int(a[0]) != as_int(a[1])) return CallResult::fail(ESRCH);
  return send(p, static_cast<std::uint32_t>(a[1]), from_self(p, a[2], sig::code::kTkill));
}
CallResult queue_with(Process& p, std::uint64_t pid, std::uint64_t number, std::uint64_t address) {
  GuestStruct<32> in;
  if (!in.read_from(p.memory, address)) return CallResult::fail(EFAULT);
  SignalInfo info = from_self(p, number, static_cast<int>(in.get<std::uint32_t>(8)));
  if (info.code >= 0 && as_int(pid) != static_cast<int>(p.family.self())) return CallResult::fail(EPERM);
  info.error = static_cast<int>(in.get<std::uint32_t>(4));
  info.pid = in.get<std::uint32_t>(16), info.uid = in.get<std::uint32_t>(20);
  info.value = in.get<std::uint64_t>(24);
  return send(p, static_cast<std::uint32_t>(pid), info);
}
CallResult rt_sigqueueinfo(Process& p, const Arguments& a) { return queue_with(p, a[0], a[1], a[2]); }
CallResult rt_tgsigqueueinfo(Process& p, const Arguments& a) { return queue_with(p, a[1], a[2], a[3]); }

constexpr SystemCall kSignalsCalls[] = {
    {28, "sigaltstack", 2, sigaltstack},
    {29, "pause", 0, pause},
    {37, "kill", 2, kill},
    {101, "rt_sigreturn", 0, rt_sigreturn},
    {102, "rt_sigaction", 5, rt_sigaction},
    {103, "rt_sigprocmask", 4, rt_sigprocmask},
    {104, "rt_sigpending", 2, rt_sigpending},
    {105, "rt_sigtimedwait", 4, rt_sigtimedwait},
    {106, "rt_sigqueueinfo", 3, rt_sigqueueinfo},
    {107, "rt_sigsuspend", 2, rt_sigsuspend},
    {187, "tkill", 2, tkill},
    {211, "tgkill", 3, tgkill},
    {326, "rt_tgsigqueueinfo", 4, rt_tgsigqueueinfo},
};

}  // namespace

std::span<const SystemCall> signals() { return kSignalsCalls; }

}  // namespace psim::isa::calls
