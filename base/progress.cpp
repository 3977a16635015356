// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "base/console.h"

namespace psim {

Progress::Progress(bool quiet)
    : enabled_(!quiet && ::isatty(STDERR_FILENO) == 1), start_(Clock::now()), next_(start_ + kPeriod) {}

void Progress::show(const std::string& line) { console::show_line(line); }

void Progress::clear() {
  if (enabled_) console::clear_line();
}

std::string duration_text(double seconds) {
  constexpr double kLongest = 1e9;  // about thirty years
  const auto whole = static_cast<std::uint64_t>(std::lround(std::clamp(seconds, 0.0, kLongest)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string time_left(double elapsed, double done, bool at_most) {
  if (!(done > 0)) return "time left unknown";
  return fmt::format("{}{} left", at_most ? "at most " : "",
                     duration_text(elapsed * std::max(0.0, 1 - done) / done));
}

std::string instructions_line(double elapsed, std::uint64_t instructions, std::uint64_t cycles,
                              InstructionEnd end) {
  const auto millions = [](std::uint64_t count) { return static_cast<double>(count) * 1e-6; };
  std::string line = duration_text(elapsed);
  if (end.count != 0) {
    const double done = static_cast<double>(instructions) / static_cast<double>(end.count);
    line += fmt::format(", {}, {:.0f} % done", time_left(elapsed, done, end.at_most), 100 * done);
  }
  line += fmt::format(": {:.1f} M instructions", millions(instructions));
  if (cycles != 0) line += fmt::format(", {:.1f} M cycles", millions(cycles));
  return line +
         fmt::format(", {:.2f} M instructions/s", elapsed > 0 ? millions(instructions) / elapsed : 0.0);
}

}  // namespace psim
