// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "base/console.h"
#include "base/parse_number.h"
#include "base/printable.h"

namespace psim {

namespace {

/// Returns the descriptor that PSIM_PROGRESS_FD names, or -1. Takes the variable from the environment and
/// closes the descriptor on exec, so that neither reaches another program.
int descriptor_of_environment() {
  const char* text = std::getenv("PSIM_PROGRESS_FD");
  if (text == nullptr) return -1;
  int descriptor = parse_number<int>(text).value_or(-1);
  if (descriptor <= STDERR_FILENO || ::fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0 ||
      ::fcntl(descriptor, F_SETFL, O_NONBLOCK) != 0)
    descriptor = -1;
  ::unsetenv("PSIM_PROGRESS_FD");
  return descriptor;
}

/// The descriptor of a program that shows the progress of psim itself; -1: none.
int progress_descriptor() {
  static const int descriptor = descriptor_of_environment();
  return descriptor;
}

}  // namespace

Progress::Progress(bool quiet)
    : enabled_(progress_descriptor() >= 0 || (!quiet && ::isatty(STDERR_FILENO) == 1)),
      start_(Clock::now()),
      next_(start_ + kPeriod) {}

void Progress::show(const std::string& line) {
  if (progress_descriptor() < 0) {
    console::show_line(line);
    return;
  }
  const std::string whole = printable(line) + "\n";
  // A full pipe loses the line and does not stop the run.
  [[maybe_unused]] const ssize_t written = ::write(progress_descriptor(), whole.data(), whole.size());
}

void Progress::clear() {
  if (enabled_ && progress_descriptor() < 0) console::clear_line();
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
