// SPDX-License-Identifier: Apache-2.0
// Measures what program code takes of the host's processor between calls of its library, for runs that let as
// much simulated time pass (`--compute measured*K`). One rank runs at a time, so one clock serves all.
#pragma once

#include <cstdint>

namespace psim::net {

class ComputeMeter {
 public:
  /// Nanoseconds of processor time of this thread.
  using Clock = std::uint64_t (*)();
  static std::uint64_t processor_time();

  /// `factor` > 0 scales what is measured; 0: nothing is.
  explicit ComputeMeter(double factor = 0, Clock clock = &processor_time);

  bool on() const { return factor_ > 0; }
  /// Program code runs from here on.
  void start() {
    if (on()) begin_ = clock_();
  }
  /// Since start(), scaled, without what the look at the clock takes: ps.
  std::uint64_t read() const;

 private:
  double factor_;
  Clock clock_;
  std::uint64_t begin_ = 0, look_ = 0;
};

}  // namespace psim::net
