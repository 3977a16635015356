// SPDX-License-Identifier: Apache-2.0
// Signals that reach psim from outside (a relative of the guest, the terminal): they are caught on the host
// and passed to the guest when it can accept them. Also interrupts blocking host calls when a timer of
// simulated time must fire.
#pragma once

#include <signal.h>

#include <cstdint>

#include "guest/signal_state.h"

namespace psim::isa {

class HostSignals {
 public:
  /// Makes writes to closed pipes return EPIPE; the call that met it raises the guest's SIGPIPE. Host
  /// accesses beyond the end of a file that a guest maps become the guest's SIGBUS
  /// (GuestMemory::lose_page()).
  HostSignals();
  ~HostSignals();
  HostSignals(const HostSignals&) = delete;
  HostSignals& operator=(const HostSignals&) = delete;

  /// Makes the host's disposition of one signal follow the guest's action.
  void follow(int guest_number, const SignalAction& action);
  /// Makes the host block the signals that the guest blocks.
  void follow_mask(std::uint64_t guest_blocked);
  /// Catches SIGINT, SIGTERM and SIGHUP, so that the temporary directory is removed and the results are
  /// written before psim ends.
  void catch_terminating();

  /// Returns true once a terminating signal came from outside.
  bool end_requested() const { return end_requested_; }

  /// Returns true if signals wait to be collected; cheap.
  static bool any();
  /// Passes the signals that arrived to the guest, as sent by `user`; `guest_pid` translates senders.
  void collect(SignalState& signals, std::uint32_t user, std::uint32_t (*guest_pid)(void*, int),
               void* context);

  /// Interrupts host calls repeatedly, first after `nanoseconds` of host time; 0 stops.
  void interrupt_after(std::uint64_t nanoseconds);
  /// Returns true if an interruption has come since interrupt_after().
  static bool interrupted();
  /// In a child process: forgets the host timer, which is not inherited.
  void forked() { has_timer_ = false; }

 private:
  std::uint64_t followed_ = 0;  ///< guest numbers whose host disposition was changed
  bool terminating_ = false;
  bool end_requested_ = false;
  bool has_timer_ = false;
  void* timer_ = nullptr;  ///< timer_t, which may be null
};

/// Blocks all host signals during its lifetime, so that none comes between a check and a wait.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  sigset_t before_;
};

/// Ends psim as the host ends a process killed by the guest's signal. Does not return.
[[noreturn]] void die_by_signal(int guest_number);

}  // namespace psim::isa
