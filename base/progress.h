// SPDX-License-Identifier: Apache-2.0
// One line on the terminal that shows the progress of a long run and, if the end is known, the remaining
// time. It is shown if standard error is a terminal. With PSIM_PROGRESS_FD=N in the environment, each state
// is a line for descriptor N instead, also with --quiet: programs that run psim show it themselves. Every
// other text of psim and of the simulated program clears it first (base/console.h), so that it splits no line
// if standard output is the same terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace psim {

class Progress {
 public:
  /// Shows nothing if `quiet`.
  explicit Progress(bool quiet);
  /// Clears the line.
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool enabled() const { return enabled_; }
  /// Updates the line; may be called at any rate. Calls `line(seconds so far)` at most five times per second.
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

/// Returns "35 s left" for a run of which `done`, a share of the whole, took `elapsed` seconds. Returns "time
/// left unknown" while `done` is too small for an estimate. `at_most`: the run may end earlier, which the
/// text states.
std::string time_left(double elapsed, double done, bool at_most = false);

/// The expected end of a run of instructions.
struct InstructionEnd {
  std::uint64_t count = 0;  ///< 0: unknown
  bool at_most = false;     ///< the program may end earlier
};
/// Returns "12 s, 22 s left, 35 % done: 35.2 M instructions, 10.1 M cycles, 2.93 M instructions/s". The most
/// important parts come first, because a narrow terminal cuts off the rest. `cycles` 0: left out.
std::string instructions_line(double elapsed, std::uint64_t instructions, std::uint64_t cycles,
                              InstructionEnd end);

}  // namespace psim
