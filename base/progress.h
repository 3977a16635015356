// SPDX-License-Identifier: Apache-2.0
// One line on the terminal that says how far a long run is and, where the end is known, how much longer it
// takes. It is shown where standard error is a terminal. Every other text of psim's and of the simulated
// program clears it first (base/console.h), so that it tears nothing where standard output is the same
// terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace psim {

class Progress {
 public:
  /// `quiet`: never shows anything.
  explicit Progress(bool quiet);
  /// Clears the line.
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool enabled() const { return enabled_; }
  /// Call as often as convenient: `line(seconds so far)` is called five times per second at most.
  template <class Line>
  void update(Line line) {
    if (!enabled_) return;
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + kPeriod;
    show(line(std::chrono::duration<double>(now - start_).count()));
  }
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPeriod{200};
  static void show(const std::string& line);

  bool enabled_;
  Clock::time_point start_, next_;
};

/// Returns "35 s", "4 min 10 s" or "2 h 5 min".
std::string duration_text(double seconds);

/// Returns "35 s left" for a run of which `done`, a share of the whole, took `elapsed` seconds; "time left
/// unknown" while that says nothing. `at_most`: the run may end before, which the text says.
std::string time_left(double elapsed, double done, bool at_most = false);

/// How a run of instructions ends.
struct InstructionEnd {
  std::uint64_t count = 0;  ///< 0: unknown
  bool at_most = false;     ///< the program may end before
};
/// Returns "12 s, 22 s left, 35 % done: 35.2 M instructions, 10.1 M cycles, 2.93 M instructions/s": what
/// matters most comes first, because a narrow terminal cuts the rest off. `cycles` 0: left out.
std::string instructions_line(double elapsed, std::uint64_t instructions, std::uint64_t cycles,
                              InstructionEnd end);

}  // namespace psim
