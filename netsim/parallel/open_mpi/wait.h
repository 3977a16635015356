// SPDX-License-Identifier: Apache-2.0
// Waiting for other host processes. A short wait spins: on idle cores, a window of the other processes ends
// at nearly the same time. A long wait leaves the processor to others: on busy cores, another process can
// take several ms until it runs again, and often needs this processor for it.
#pragma once

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace psim::net {

/// Calls done() for up to 50 us, until it returns true; returns its last value. Going to sleep and waking up
/// take about as long.
template <class Done>
bool spin(Done done) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds kLongest{50};
  constexpr int kTries = 16;  // between two readings of the clock
  const Clock::time_point end = Clock::now() + kLongest;
  do
    for (int i = 0; i < kTries; ++i) {
      if (done()) return true;
      __builtin_ia32_pause();
    }
  while (Clock::now() < end);
  return false;
}

/// The TCP connections of this process, among them those of Open MPI. MPI has no function that sleeps until a
/// message arrives, but Linux has one for connections. On networks without TCP, each sleep lasts its time.
class Connections {
 public:
  /// Lists the connections that exist now.
  void find();

  /// Returns once done() returns true. done() is called in turn with sleeps. It must drive Open MPI.
  template <class Done>
  void wait_until(Done done) {
    using std::chrono::microseconds;
    constexpr microseconds kFirst{50}, kLongest{200};
    if (spin(done)) return;
    for (microseconds time = kFirst;; time = std::min(2 * time, kLongest)) {
      sleep(time);
      // A call of Open MPI that takes a message from a connection does not report it yet; the next one does.
      for (int i = 0; i < 4; ++i)
        if (done()) return;
    }
  }

 private:
  /// Sleeps until a connection has data, at most `longest`.
  void sleep(std::chrono::microseconds longest);

  std::vector<pollfd> all_;
};

}  // namespace psim::net
