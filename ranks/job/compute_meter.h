// SPDX-License-Identifier: Apache-2.0
// Measures the host's processor time of program code between calls of its library, for runs that advance
// simulated time by it (`--compute measured`). One rank runs at a time, so one clock serves all.
#pragma once

#include <cstdint>

namespace psim::net {

class ComputeMeter {
 public:
  /// Returns the processor time of this thread, ns.
  using Clock = std::uint64_t (*)();
  static std::uint64_t processor_time();

  explicit ComputeMeter(bool on = false, Clock clock = &processor_time);

  /// Starts the measurement: program code runs from here on.
  void start() {
    if (on_) begin_ = clock_();
  }
  /// Returns the time since start() without the time of reading the clock, ns.
  std::uint64_t read() const;

 private:
  bool on_;
  Clock clock_;
  std::uint64_t begin_ = 0, look_ = 0;
};

}  // namespace psim::net
