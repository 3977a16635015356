// SPDX-License-Identifier: Apache-2.0
// The kernel's signal state of a process: actions, mask, alternate stack, and pending signals.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>

#include "guest/signal_numbers.h"

namespace psim::isa {

/// A pending signal, with the values for siginfo_t. Numbers and codes are the guest's.
struct SignalInfo {
  int number = 0;
  int code = 0;
  int error = 0;
  std::uint64_t address = 0;  ///< si_addr of faults
  int trap = 0;               ///< si_trapno of faults
  std::uint32_t pid = 0, uid = 0;
  std::uint64_t value = 0;  ///< si_value; si_status of SIGCHLD
  int timer = 0, overrun = 0;
  std::uint32_t thread = 0;  ///< that must take it; 0: any
};

struct SignalAction {
  std::uint64_t handler = 0, flags = 0, restorer = 0, mask = 0;
};

/// SPARC's sa_flags (asm/signal.h) and special handlers.
inline constexpr std::uint64_t kSaOnStack = 1, kSaRestart = 2, kSaResetHand = 4, kSaNoChildStop = 8,
                               kSaNoDefer = 0x20, kSaNoChildWait = 0x100, kSaSigInfo = 0x200;
inline constexpr std::uint64_t kSigDefault = 0, kSigIgnore = 1;

struct AlternateStack {
  std::uint64_t base = 0, bytes = 0;
  std::uint32_t flags = 2;  ///< SS_DISABLE
  bool contains(std::uint64_t address) const { return bytes != 0 && address - base < bytes; }
};

/// The part of the state that each thread has for itself.
struct ThreadSignals {
  AlternateStack alternate;
  std::uint64_t blocked = 0;
  std::optional<std::uint64_t> to_restore;
};

class SignalState {
 public:
  /// Stores the current thread's part in `from`, and makes thread `id` with the part `to` the current one.
  void switch_thread(ThreadSignals& from, const ThreadSignals& to, std::uint32_t id) {
    from = {alternate, blocked_, to_restore_};
    alternate = to.alternate, blocked_ = to.blocked, to_restore_ = to.to_restore;
    thread_ = id;
  }
  /// Names the current thread, which is the only one.
  void set_thread(std::uint32_t id) { thread_ = id; }
  /// Gives the current thread, which is now the only one, the number `id`. Signals for others vanish.
  void keep_thread(std::uint32_t id);
  SignalAction& action(int number) { return actions_[static_cast<std::size_t>(number)]; }
  const SignalAction& action(int number) const { return actions_[static_cast<std::size_t>(number)]; }
  bool has_handler(int number) const { return action(number).handler > kSigIgnore; }
  /// Returns true if the signal would have no effect.
  bool ignored(int number) const;

  std::uint64_t blocked() const { return blocked_; }
  void set_blocked(std::uint64_t mask) { blocked_ = mask & ~sig::kUnblockable; }
  /// Sets the mask of sigsuspend and similar calls, which ends when a handler has been entered.
  void block_temporarily(std::uint64_t mask);
  /// Returns the mask that a signal frame must restore, and ends a temporary one.
  std::uint64_t take_mask_to_restore();
  bool masked_temporarily() const { return to_restore_.has_value(); }
  /// Ends a temporary mask if no handler was entered.
  void end_temporary_mask();

  /// Makes a signal pending: standard signals once, real-time signals queue. Ignored signals vanish unless
  /// blocked.
  void raise(const SignalInfo& info);
  /// Return the pending signals that the current thread may take, and those that only it may take.
  std::uint64_t pending() const;
  std::uint64_t pending_for_thread() const;
  bool any_pending() const { return !pending_.empty(); }
  bool deliverable() const { return pending() & ~blocked_; }
  /// Removes and returns the next unblocked pending signal: synchronous faults first, then by number.
  std::optional<SignalInfo> take();
  /// Removes and returns the next pending signal of `set`, blocked or not (sigwait).
  std::optional<SignalInfo> take_of(std::uint64_t set);
  /// Drops pending signals of a number (its action became "ignore").
  void discard(int number);
  void clear_pending() { pending_.clear(); }
  /// Returns the pending signal of a POSIX timer, or null.
  SignalInfo* pending_of_timer(int id);

  AlternateStack alternate;

 private:
  bool for_current(const SignalInfo& info) const { return info.thread == 0 || info.thread == thread_; }

  std::array<SignalAction, sig::kMost + 1> actions_{};
  std::uint64_t blocked_ = 0;
  std::optional<std::uint64_t> to_restore_;
  std::uint32_t thread_ = 0;  ///< the current one
  std::deque<SignalInfo> pending_;
};

}  // namespace psim::isa
