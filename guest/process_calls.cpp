// SPDX-License-Identifier: Apache-2.0
// Traps and system calls of the program.
#include "guest/process.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iterator>

#include "guest/call_names.h"
#include "guest/contexts.h"
#include "guest/errno_numbers.h"

namespace psim::isa {

std::int64_t Process::fork_host(std::uint32_t& child) {
  sandbox.make_temporary();
  const bool first = !family.has_others();
  child = family.next_child();
  if (child == 0) return errno = EAGAIN, -1;
  if (first) host_signals.follow_mask(signals.blocked());
  std::fflush(nullptr);
  // All signals are blocked, since one for the child may come before it has dropped its parent's waits.
  sigset_t all, before;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid != 0) {
    const int error = errno;
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    if (pid < 0) return errno = error, -1;
    family.record(child, pid);
    return pid;
  }
  family.become(child);
  threads.keep_current(child, cycle());
  signals.set_thread(child);
  on_chip_ = false;
  host_signals.forked();
  sandbox.disown_temporary();
  timers.clear();
  signals.clear_pending();
  parent_waits = UniqueFd();
  space.forked();
  update_deadline();
  child_ = true;
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return 0;
}

// ---- entry points of the executor ----

std::uint64_t Process::tick(const CpuState&) {
  update_clock();
  return clock.ticks();
}

bool Process::deadline(CpuState&) { return deliver_due(); }

bool Process::software_trap(CpuState& state, unsigned number) {
  switch (number) {
    case 0x6d:
      system_call(state);
      return alive();
    case 0x6e:
      get_context(*this);
      return alive();
    case 0x6f:
      set_context(*this);
      update_deadline();
      return alive();
    case 3:
      if (!executor.flush_windows())
        force_signal({.number = sig::kSegv, .code = sig::code::kNotMapped},
                     "ta 3: no stack for the register windows");
      return alive();
    case 4:  // clean windows: nothing to hide, as the program runs alone
      return true;
    default:
      break;
  }
  // The kernel reports these at the trap instruction.
  state.pc -= 4, state.npc = state.pc + 4;
  SignalInfo info{.number = sig::kIll, .code = sig::code::kIllTrap, .address = state.pc};
  if (number == 1) info.number = sig::kTrap, info.code = sig::code::kBreakpoint;
  if (number == 2) info.number = sig::kFpe, info.code = sig::code::kIntegerDivide;
  info.trap = static_cast<int>(number);
  force_signal(info, number == 0x10 ? std::string("a system call of 32-bit SPARC (ta 0x10)")
                                    : fmt::format("software trap {:#x}", number));
  return alive();
}

void Process::unknown_call(CpuState& state, std::uint64_t number, const Arguments& a) {
  const std::string_view name = call_name(number);
  report_once(fmt::format("call {}", number),
              fmt::format("system call {} ({}) is not implemented: arguments {:#x} {:#x} {:#x} {:#x} {:#x} "
                          "{:#x}, PC {:#x}{}; it returns ENOSYS",
                          number, name.empty() ? "unknown" : name, a[0], a[1], a[2], a[3], a[4], a[5],
                          state.pc - 4, source_of(state.pc - 4)));
}

namespace {

/// Returns true if a call may change the size of a mapped file. `growing`: whether calls that enlarge files
/// count.
bool changes_size(std::uint64_t number, bool growing) {
  constexpr std::uint64_t kCuts[] = {5,   8,   284,
                                     129, 130, 314};  // open, creat, openat, truncate, ftruncate, fallocate
  constexpr std::uint64_t kWrites[] = {4,   39,  68,  121,
                                       140, 325, 357, 359};  // write, sendfile, … copy_file_range
  const auto among = [&](const auto& numbers) {
    return std::find(std::begin(numbers), std::end(numbers), number) != std::end(numbers);
  };
  return among(kCuts) || (growing && among(kWrites));
}

}  // namespace

void Process::system_call(CpuState& state) {
  update_clock();
  const std::uint64_t number = call_ = threads.current().call = state.r[1];
  const Arguments arguments{state.r[8], state.r[9], state.r[10], state.r[11], state.r[12], state.r[13]};
  threads.current().restart.reset();
  if (!threads.current().polls) threads.current().poll_end.reset(), threads.current().poll_done = 0;
  threads.current().polls = false;
  const CallRestart restart = call_restart_ = {state.pc - 4, state.pc, state.r[8]};
  CallResult result = CallResult::fail(ENOSYS);
  if (const SystemCall* call = find_system_call(number))
    result = call->handler(*this, arguments);
  else
    unknown_call(state, number, arguments);
  if (ending_) return;
  if (space.maps_files() && (family.has_others() || changes_size(number, space.has_ends())))
    space.follow_files();
  if (const std::uint64_t address = memory.take_lost_page()) {
    space.lose(address);
    if (result.kind != CallResult::Kind::Done) result = CallResult::fail(EFAULT);
  }
  if (result.kind != CallResult::Kind::Done) set_result(state, result);
  if (gather_signals() && !threads.current().polls)
    deliver_signals(result.kind == CallResult::Kind::Interrupted ? &restart : nullptr);
  hand_out_signals();
  update_deadline();
  if (!timed_ && threads.several()) executor.stop();
}

/// Stores the result of a call as libc expects it.
void Process::set_result(CpuState& state, const CallResult& result) {
  Ccr flags = state.cc();
  const bool error = result.kind != CallResult::Kind::Value;
  constexpr std::uint8_t kCarry = 1;
  flags.xcc = static_cast<std::uint8_t>((flags.xcc & ~kCarry) | (error ? kCarry : 0));
  flags.icc = static_cast<std::uint8_t>((flags.icc & ~kCarry) | (error ? kCarry : 0));
  state.set_cc(flags);
  state.r[8] = error ? static_cast<std::uint64_t>(guest_errno(result.error)) : result.value;
}

}  // namespace psim::isa
