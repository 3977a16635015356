// SPDX-License-Identifier: Apache-2.0
// SIGINT, SIGTERM and SIGHUP as a question that a long run asks now and then, so that it can end well. A rank
// that keeps the run from asking, computing for ever or waiting for what never comes, is left after two
// seconds, and if that does not help either psim ends without results.
#pragma once

#include <array>
#include <csignal>

namespace psim {

class Interruption {
 public:
  /// Catches the signals while it lives. One at a time.
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// The signal that came, or 0. Another, half a second later or more, ends psim at once. Who asks has
  /// noticed.
  static int signal();
  /// What psim returns when it ends by it, or by one that another host process got.
  static int status() { return 128 + (signal() != 0 ? signal() : SIGINT); }

 private:
  std::array<struct sigaction, 3> before_;
  struct sigaction before_tick_;
};

}  // namespace psim
