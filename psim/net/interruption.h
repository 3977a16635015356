// SPDX-License-Identifier: Apache-2.0
// SIGINT, SIGTERM and SIGHUP, and the signals of a rank's timers, as a flag that a long run polls, so that it
// can end in order. A rank that prevents the poll, because it computes or waits for ever, is abandoned after
// two seconds. If that does not help, psim ends without results.
#pragma once

#include <array>
#include <csignal>

namespace psim {

class Interruption {
 public:
  /// Catches the signals while the object lives. Only one object may exist at a time.
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// Returns the signal that arrived, or 0. A further signal, at least half a second later, ends psim at
  /// once. The call confirms that the run has noticed the signal.
  static int signal();
  /// Returns psim's exit status after such a signal in this or another host process.
  static int status() { return 128 + (signal() != 0 ? signal() : SIGINT); }

 private:
  std::array<struct sigaction, 5> before_;
  struct sigaction before_tick_;
};

}  // namespace psim
