// SPDX-License-Identifier: Apache-2.0
// Processes: fork, wait, exit. A child is a process of the host with a copy of the guest.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "guest/calls/support.h"
#include "guest/calls/threads.h"
#include "guest/signal_frame.h"

namespace psim::isa::calls {

namespace {

CallResult exit(Process& p, const Arguments& a) {
  p.exit(as_int(a[0]));
  return CallResult::done();
}

/// `vfork`: the parent waits until the child runs another program or ends.
CallResult fork_with(Process& p, std::uint64_t stack, std::uint64_t child_tid_at, bool set_child_tid,
                     bool vfork) {
  CpuState& state = p.executor.state();
  // The child may continue on another stack, so its frames must be in memory.
  if (!p.executor.flush_windows() || !store_current_window(p.memory, state)) return CallResult::fail(EFAULT);
  std::uint32_t child = 0;
  const std::uint32_t parent = p.family.self();
  int ends[2] = {-1, -1};
  if (vfork && ::pipe2(ends, O_CLOEXEC) != 0) return CallResult::fail(errno);
  UniqueFd waiting(ends[0]), ending(ends[1]);
  const std::int64_t result = p.fork_host(child);
  if (result < 0) return CallResult::fail(errno);
  if (result == 0) {
    p.parent_waits = std::move(ending);
  } else if (vfork) {
    ending = UniqueFd();
    char none;
    while (::read(waiting.get(), &none, 1) < 0 && errno == EINTR) {
    }
  }
  Ccr flags = state.cc();
  flags.xcc &= 0xE, flags.icc &= 0xE;
  state.set_cc(flags);
  // libc distinguishes parent and child by %o1.
  if (result > 0) {
    state.r[8] = child, state.r[9] = 0;
  } else {
    state.r[8] = parent, state.r[9] = 1;
    if (stack != 0) state.r[14] = stack;
    if (set_child_tid) p.memory.store(child_tid_at, child);
  }
  return CallResult::done();
}
CallResult fork(Process& p, const Arguments&) { return fork_with(p, 0, 0, false, false); }
CallResult vfork(Process& p, const Arguments&) { return fork_with(p, 0, 0, false, true); }

// clone(flags, stack, parent_tid, tls, child_tid): order of arguments on sparc (arch/sparc/kernel/process.c).
CallResult clone(Process& p, const Arguments& a) {
  constexpr std::uint64_t kMemory = 0x100, kVfork = 0x4000, kThread = 0x10000, kSetTls = 0x80000,
                          kParentSetTid = 0x100000, kChildClearTid = 0x200000, kChildSetTid = 0x1000000,
                          kNamespaces = 0x7E020000;
  if ((a[0] & kThread) || ((a[0] & kMemory) && !(a[0] & kVfork))) return clone_thread(p, a);
  if (a[0] & kNamespaces) return CallResult::fail(EPERM);
  if ((a[0] & kParentSetTid) && p.memory.accessible(a[2], 4, kWrite) != 4) return CallResult::fail(EFAULT);
  const std::uint32_t self = p.family.self();
  const CallResult result = fork_with(p, a[1], a[4], a[0] & kChildSetTid, a[0] & kVfork);
  if (result.kind != CallResult::Kind::Done) return result;
  const bool in_child = p.family.self() != self;
  if ((a[0] & kParentSetTid) && !in_child)
    p.memory.store(a[2], static_cast<std::uint32_t>(p.executor.state().r[8]));
  if (in_child) {
    p.threads.current().clear_child_tid = a[0] & kChildClearTid ? a[4] : 0;
    if (a[0] & kSetTls) p.executor.state().r[7] = a[3];
  }
  return result;
}

// Returns a status as wait returns it, with the guest's signal numbers.
std::uint32_t guest_status(int status) {
  if (WIFSIGNALED(status))
    return static_cast<std::uint32_t>((status & ~0x7F) | sig::from_host(WTERMSIG(status))) & ~0x80u;
  if (WIFSTOPPED(status)) return static_cast<std::uint32_t>(sig::from_host(WSTOPSIG(status)) << 8 | 0x7F);
  return static_cast<std::uint32_t>(status);
}

// Finds the host process of `pid`. 0 and −pid name groups: all processes of the family are in one group.
bool host_target(Process& p, std::int64_t pid, pid_t& host) {
  host = pid > 0 ? p.family.host_of(static_cast<std::uint32_t>(pid)) : -1;
  return pid <= 0 || host > 0;
}

CallResult wait4(Process& p, const Arguments& a) {
  constexpr std::uint64_t kNoHang = 1, kUntraced = 2, kContinued = 8;
  pid_t host;
  if (!p.family.has_others() || !host_target(p, as_int(a[0]), host)) return CallResult::fail(ECHILD);
  int options = 0;
  if (a[2] & kNoHang) options |= WNOHANG;
  if (a[2] & kUntraced) options |= WUNTRACED;
  if (a[2] & kContinued) options |= WCONTINUED;
  int status = 0;
  const CallResult result = p.blocking([&] { return ::waitpid(host, &status, options); });
  if (result.kind != CallResult::Kind::Value || result.value == 0) return result;
  if (a[1] != 0 && !p.memory.store(a[1], guest_status(status))) return CallResult::fail(EFAULT);
  if (a[3] != 0 && !GuestStruct<144>{}.write_to(p.memory, a[3])) return CallResult::fail(EFAULT);
  return p.family.guest_of(static_cast<pid_t>(result.value));
}

CallResult waitid(Process& p, const Arguments& a) {
  enum { kAll, kPid, kGroup };
  constexpr std::uint64_t kNoHang = 1, kStopped = 2, kExited = 4, kContinued = 8, kNoWait = 0x1000000;
  if (a[0] > kGroup) return CallResult::fail(EINVAL);
  pid_t host;
  if (!p.family.has_others() || !host_target(p, a[0] == kPid ? as_int(a[1]) : -1, host))
    return CallResult::fail(ECHILD);
  int options = 0;
  if (a[3] & kNoHang) options |= WNOHANG;
  if (a[3] & kStopped) options |= WSTOPPED;
  if (a[3] & kExited) options |= WEXITED;
  if (a[3] & kContinued) options |= WCONTINUED;
  if (a[3] & kNoWait) options |= WNOWAIT;
  siginfo_t info{};
  const CallResult result = p.blocking(
      [&] { return ::waitid(a[0] == kPid ? P_PID : P_ALL, static_cast<id_t>(host), &info, options); });
  if (result.kind != CallResult::Kind::Value) return result;
  if (a[2] != 0) {
    SignalInfo out;
    if (info.si_pid != 0) {
      out.number = sig::kChld, out.code = info.si_code;
      out.pid = p.family.guest_of(info.si_pid), out.uid = info.si_uid;
      out.value = static_cast<std::uint64_t>(info.si_code == CLD_EXITED ? info.si_status
                                                                        : sig::from_host(info.si_status));
    }
    if (!write_siginfo(p.memory, a[2], out)) return CallResult::fail(EFAULT);
  }
  return 0;
}

constexpr SystemCall kProcessesCalls[] = {
    {2, "fork", 0, fork},         {7, "wait4", 4, wait4},   {66, "vfork", 0, vfork},
    {188, "exit_group", 1, exit}, {217, "clone", 5, clone}, {279, "waitid", 5, waitid},
};

}  // namespace

std::span<const SystemCall> processes() { return kProcessesCalls; }

}  // namespace psim::isa::calls
