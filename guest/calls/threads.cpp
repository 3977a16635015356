// SPDX-License-Identifier: Apache-2.0
// Threads: creation, end, numbers, and futexes.
#include "guest/calls/threads.h"

#include <optional>

#include "guest/calls/support.h"
#include "guest/signal_frame.h"
#include "isa/state/windows.h"

namespace psim::isa::calls {

namespace {

/// Copies the caller's frame to the new stack, where the thread's first restore and its %sp expect it
/// (clone_stackframe() of arch/sparc/kernel/process_64.c). Returns the new %sp; 0: memory is not accessible.
std::uint64_t copy_frame(Process& p, std::uint64_t stack) {
  const std::uint64_t from = p.executor.state().r[14] + kStackBias;
  const std::uint64_t frame_pointer = p.executor.state().r[30] + kStackBias;
  const std::uint64_t top = (stack + kStackBias) & ~std::uint64_t{15};
  constexpr std::uint64_t kLargestFrame = 1 << 20;
  const std::uint64_t bytes = frame_pointer - from;
  if (bytes > kLargestFrame) return 0;
  std::vector<std::byte> frame(bytes);
  if (p.memory.copy_out(from, frame) != bytes || p.memory.copy_in(top - bytes, frame) != bytes) return 0;
  return top - bytes - kStackBias;
}

}  // namespace

CallResult clone_thread(Process& p, const Arguments& a) {
  constexpr std::uint64_t kMemory = 0x100, kFiles = 0x400, kHandlers = 0x800, kThread = 0x10000,
                          kSetTls = 0x80000, kParentSetTid = 0x100000, kChildClearTid = 0x200000,
                          kChildSetTid = 0x1000000, kShared = kMemory | kFiles | kHandlers | kThread;
  if (p.refuse_thread()) return CallResult::done();
  if ((a[0] & kShared) != kShared || a[1] == 0) return CallResult::fail(EINVAL);
  if (p.threads.live() == Threads::kMost) return CallResult::fail(EAGAIN);
  CpuState& parent = p.executor.state();
  if (!p.executor.flush_windows() || !store_current_window(p.memory, parent)) return CallResult::fail(EFAULT);
  if ((a[0] & kParentSetTid) && p.memory.accessible(a[2], 4, kWrite) != 4) return CallResult::fail(EFAULT);
  const std::uint64_t sp = copy_frame(p, a[1]);
  if (sp == 0) return CallResult::fail(EFAULT);

  Thread& creator = p.threads.current();
  Thread& thread = p.threads.create(p.executor.add_strand(), p.clock.core_cycles());
  thread.signals.blocked = p.signals.blocked();
  if (a[0] & kParentSetTid) p.memory.store(a[2], thread.id);
  if (a[0] & kChildSetTid) p.memory.store(a[4], thread.id);
  if (a[0] & kChildClearTid) thread.clear_child_tid = a[4];
  p.switch_to(thread);
  CpuState& state = p.executor.state();
  p.executor.forget_windows();
  Ccr flags = state.cc();
  flags.xcc &= 0xE, flags.icc &= 0xE;
  state.set_cc(flags);
  state.r[14] = sp, state.r[30] = ((a[1] + kStackBias) & ~std::uint64_t{15}) - kStackBias;
  // libc distinguishes the two threads by %o1.
  state.r[8] = p.family.self(), state.r[9] = 1;
  if (a[0] & kSetTls) state.r[7] = a[3];
  p.switch_to(creator);
  parent.r[9] = 0;
  return thread.id;
}

namespace {

CallResult exit_one(Process& p, const Arguments& a) {
  p.exit_thread(as_int(a[0]));
  return CallResult::done();
}
CallResult gettid(Process& p, const Arguments&) { return p.threads.current().id; }
CallResult set_tid_address(Process& p, const Arguments& a) {
  p.threads.current().clear_child_tid = a[0];
  return p.threads.current().id;
}
CallResult set_robust_list(Process& p, const Arguments& a) {
  if (a[1] != 24) return CallResult::fail(EINVAL);
  p.threads.current().robust_list = a[0], p.threads.current().robust_list_bytes = a[1];
  return 0;
}
CallResult get_robust_list(Process& p, const Arguments& a) {
  const Thread& thread = p.threads.current();
  return p.memory.store(a[1], thread.robust_list) && p.memory.store(a[2], thread.robust_list_bytes)
             ? CallResult(0)
             : CallResult::fail(EFAULT);
}
CallResult yield(Process& p, const Arguments&) {
  if (p.threaded()) p.threads.yield();
  return 0;
}

// ---- futexes ----

enum {
  kWait,
  kWake,
  kRequeue = 3,
  kCompareRequeue,
  kWakeOp,
  kLockPi,
  kUnlockPi,
  kTryLockPi,
  kWaitBitset,
  kWakeBitset,
  kLockPi2 = 13
};
constexpr std::uint32_t kAllBits = ~std::uint32_t{0};

/// Waits for a wake of the futex until `until` (nanoseconds since the start; kNever: indefinitely).
CallResult wait(Process& p, std::uint64_t address, std::uint32_t bits, std::uint64_t until) {
  if (p.threaded()) {
    if (p.gather_signals()) return CallResult::interrupted();
    if (until != SimulatedClock::kNever && until <= p.clock.now()) return CallResult::fail(ETIMEDOUT);
    p.threads.wait(address, bits, p.cycle(),
                   until == SimulatedClock::kNever ? Threads::kNever : p.clock.core_cycles_at(until));
    // Linux repeats a wait without a timeout.
    if (until == SimulatedClock::kNever) p.threads.current().restart = p.call_restart();
    return 0;  // as a wake returns; a timeout replaces it
  }
  // With one thread, only time or a signal can end a wait.
  if (until == SimulatedClock::kNever) {
    p.wait_for_signal();
    return CallResult::interrupted();
  }
  return CallResult::fail(p.sleep_until(until) ? ETIMEDOUT : EINTR);
}

/// Waits while the word of a futex is `value` and another process may change it. Returns nothing if none can.
std::optional<CallResult> wait_for_relative(Process& p, std::uint64_t address, std::uint32_t value,
                                            std::uint64_t until) {
  if (!p.family.has_others()) return {};
  const auto area = p.space.areas().find(address);
  if (area == p.space.areas().all().end() || !area->second.shared) return {};
  if (!p.threaded()) return p.wait_for_store(address, value, until);
  // A process that has just ended may have stored before.
  const bool live = p.family.others_live(), due = p.gather_signals();
  std::uint32_t word;
  const bool stored = !p.memory.load(address, word) || word != value;
  if (!stored && live && until > p.clock.now()) return p.repeat_later(due, until);
  p.stop_polling();
  return stored ? std::optional(CallResult::fail(EAGAIN)) : std::nullopt;
}

/// Takes a futex with priority inheritance, whose word is `value`, or waits for it until `until`.
CallResult lock_pi(Process& p, std::uint64_t address, std::uint32_t value, bool waits, std::uint64_t until) {
  using namespace futex_word;
  const std::uint32_t self = p.threads.current().id, owner = value & kOwner;
  if (owner == 0)
    return p.memory.store(address, self | (value & kOwnerDied)) ? CallResult(0) : CallResult::fail(EFAULT);
  if (owner == self) return CallResult::fail(EDEADLK);
  if (!waits) return CallResult::fail(EAGAIN);
  if (p.threads.find(owner) == nullptr) return CallResult::fail(ESRCH);
  if (!p.memory.store(address, value | kWaiters)) return CallResult::fail(EFAULT);
  return wait(p, address, kAllBits, until);  // unlock_pi() makes the thread the owner
}

/// Does the operation of FUTEX_WAKE_OP on the second futex. Returns 0 or EFAULT, and whether its waiters are
/// woken.
int wake_operation(Process& p, std::uint64_t address, std::uint32_t code, bool& wakes) {
  const auto signed12 = [](std::uint32_t bits) { return static_cast<std::int32_t>(bits << 20) >> 20; };
  std::uint32_t old;
  if (!p.memory.load(address, old)) return EFAULT;
  auto operand = static_cast<std::uint32_t>(signed12(code >> 12 & 0xFFF));
  if (code >> 31) operand = std::uint32_t{1} << (operand & 31);
  std::uint32_t value = old;
  switch (code >> 28 & 7) {
    case 0:
      value = operand;
      break;
    case 1:
      value = old + operand;
      break;
    case 2:
      value = old | operand;
      break;
    case 3:
      value = old & ~operand;
      break;
    case 4:
      value = old ^ operand;
      break;
    default:
      return ENOSYS;
  }
  if (!p.memory.store(address, value)) return EFAULT;
  const auto before = static_cast<std::int32_t>(old), limit = signed12(code & 0xFFF);
  const bool results[] = {before == limit, before != limit, before<limit, before <= limit, before> limit,
                          before >= limit};
  if ((code >> 24 & 15) > 5) return ENOSYS;
  wakes = results[code >> 24 & 15];
  return 0;
}

constexpr std::uint64_t kRealTime = 256;  // FUTEX_CLOCK_REALTIME

/// Reads a point in time, of the wall clock or of the monotonic one, as nanoseconds since the start. Returns
/// 0 or an error.
int absolute_time(Process& p, std::uint64_t address, bool wall, std::uint64_t& until) {
  constexpr std::uint64_t kStart = SimulatedClock::kEpochSeconds * SimulatedClock::kSecond;
  GuestTime time;
  if (!read_timespec(p, address, time)) return EFAULT;
  if (!duration(time, 1, until)) return EINVAL;
  if (wall) until -= std::min(until, kStart);
  return 0;
}

CallResult futex(Process& p, const Arguments& a) {
  const int operation = as_int(a[1]) & 0x7F;
  std::uint32_t value;
  if (a[0] % 4 != 0) return CallResult::fail(EINVAL);
  if (!p.memory.load(a[0], value)) return CallResult::fail(EFAULT);
  const std::uint64_t now = p.clock.core_cycles();
  const auto count = static_cast<std::uint32_t>(a[2]);
  switch (operation) {
    case kWake:
      return p.threads.wake(a[0], count, kAllBits, now);
    case kWakeBitset:
      return p.threads.wake(a[0], count, static_cast<std::uint32_t>(a[5]), now);
    case kWakeOp: {
      bool wakes = false;
      if (const int error = wake_operation(p, a[4], static_cast<std::uint32_t>(a[5]), wakes))
        return CallResult::fail(error);
      std::uint64_t woken = p.threads.wake(a[0], count, kAllBits, now);
      if (wakes) woken += p.threads.wake(a[4], static_cast<std::uint32_t>(a[3]), kAllBits, now);
      return woken;
    }
    case kCompareRequeue:
      if (value != static_cast<std::uint32_t>(a[5])) return CallResult::fail(EAGAIN);
      [[fallthrough]];
    case kRequeue: {
      const std::uint64_t woken = p.threads.wake(a[0], count, kAllBits, now);
      return woken + p.threads.requeue(a[0], static_cast<std::uint32_t>(a[3]), a[4]);
    }
    case kWait:
    case kWaitBitset: {
      if (value != count) return CallResult::fail(EAGAIN);
      const std::uint32_t bits = operation == kWait ? kAllBits : static_cast<std::uint32_t>(a[5]);
      std::uint64_t until = SimulatedClock::kNever;
      if (a[3] == 0) {
        // indefinitely
      } else if (operation == kWaitBitset) {
        if (const int error = absolute_time(p, a[3], a[1] & kRealTime, until)) return CallResult::fail(error);
      } else {
        GuestTime time;
        if (!read_timespec(p, a[3], time)) return CallResult::fail(EFAULT);
        if (!duration(time, 1, until)) return CallResult::fail(EINVAL);
        until += p.clock.now();
      }
      if (const auto result = wait_for_relative(p, a[0], value, until)) return *result;
      return wait(p, a[0], bits, until);
    }
    case kLockPi:
    case kLockPi2:
    case kTryLockPi: {
      std::uint64_t until = SimulatedClock::kNever;
      if (operation != kTryLockPi && a[3] != 0)
        if (const int error = absolute_time(p, a[3], operation == kLockPi || (a[1] & kRealTime), until))
          return CallResult::fail(error);
      return lock_pi(p, a[0], value, operation != kTryLockPi, until);
    }
    case kUnlockPi:
      if ((value & futex_word::kOwner) != p.threads.current().id) return CallResult::fail(EPERM);
      return p.release_pi_futex(a[0], 0) ? CallResult(0) : CallResult::fail(EFAULT);
    default:
      return CallResult::fail(ENOSYS);
  }
}

constexpr SystemCall kThreadsCalls[] = {
    {1, "exit", 1, exit_one},
    {142, "futex", 6, futex},
    {143, "gettid", 0, gettid},
    {166, "set_tid_address", 1, set_tid_address},
    {245, "sched_yield", 0, yield},
    {300, "set_robust_list", 2, set_robust_list},
    {301, "get_robust_list", 3, get_robust_list},
};

}  // namespace

std::span<const SystemCall> threads() { return kThreadsCalls; }

}  // namespace psim::isa::calls
