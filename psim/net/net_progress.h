// SPDX-License-Identifier: Apache-2.0
// How far a run on a network is, as one line on a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "netsim/job/rank_load.h"

namespace psim {

/// "12 s: 0.45 ms simulated, 35.2 M packet-hops, 2.31 M/s, 17 of 1024 ranks ended, time left unknown": what a
/// program still has to do is its own affair.
std::string program_line(double elapsed, const net::Standing& standing, std::uint32_t ranks);

/// "12 s: point 3 of 9, load 0.3, 35 s left". `done` is the share of this point that has been simulated. What
/// points take is taken to grow with their loads.
std::string traffic_line(double elapsed, const std::vector<double>& loads, std::size_t point, double done);

class NetProgress {
 public:
  explicit NetProgress(bool quiet) : terminal_("", quiet), start_(Clock::now()), next_(start_ + kPeriod) {}
  /// Clears the line.
  ~NetProgress() { clear(); }
  NetProgress(const NetProgress&) = delete;
  NetProgress& operator=(const NetProgress&) = delete;

  /// Call as often as convenient: `line(seconds so far)` is asked five times a second at most.
  template <class Line>
  void update(Line line) {
    if (!terminal_.enabled()) return;
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + kPeriod;
    show(line(std::chrono::duration<double>(now - start_).count()));
  }
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPeriod{200};
  void show(const std::string& line);

  Progress terminal_;
  bool shown_ = false;
  Clock::time_point start_, next_;
};

}  // namespace psim
