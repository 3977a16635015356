// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace psim {

namespace {
constexpr std::chrono::milliseconds kPeriod{200};
}

Progress::Progress(std::string_view unit, bool quiet)
    : unit_(unit),
      enabled_(!quiet && ::isatty(STDERR_FILENO) == 1 && ::isatty(STDOUT_FILENO) != 1),
      start_(std::chrono::steady_clock::now()),
      next_(start_ + kPeriod) {}

Progress::~Progress() { clear(); }

void Progress::update(std::uint64_t done, std::uint64_t cycles) {
  if (!enabled_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kPeriod;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(done) / elapsed;
  const std::string clock =
      cycles ? fmt::format("{:.1f} M cycles  ", static_cast<double>(cycles) * 1e-6) : std::string();
  fmt::print(stderr, "\r\033[K{:.0f} s  {:.1f} M {}  {}{:.2f} M {}/s", elapsed,
             static_cast<double>(done) * 1e-6, unit_, clock, rate * 1e-6, unit_);
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace psim
