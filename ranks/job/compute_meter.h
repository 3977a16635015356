// SPDX-License-Identifier: Apache-2.0
// Measures the host's processor time of program code between calls of its library, for runs that advance
// simulated time by it (`--compute measured*K`). One rank runs at a time, so one clock serves all.
#pragma once

#include <cstdint>

namespace psim::net {

class ComputeMeter {
 public:
  /// Returns the processor time of this thread, ns.
  using Clock = std::uint64_t (*)();
  static std::uint64_t processor_time();

  /// `factor` > 0 scales the measured time; 0 turns the meter off.
  explicit ComputeMeter(double factor = 0, Clock clock = &processor_time);

  bool on() const { return factor_ > 0; }
  /// Starts the measurement: program code runs from here on.
  void start() {
    if (on()) begin_ = clock_();
  }
  /// Returns the scaled time since start() without the time of reading the clock, ps.
  std::uint64_t read() const;

 private:
  double factor_;
  Clock clock_;
  std::uint64_t begin_ = 0, look_ = 0;
};

}  // namespace psim::net
