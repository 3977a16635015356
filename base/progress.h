// SPDX-License-Identifier: Apache-2.0
// One line on a terminal that says how far a long run is. Silent where stderr is no terminal, and where
// stdout is one too: there a program's own output would be torn.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace psim {

class Progress {
 public:
  /// `unit` is what is counted: "instructions". `quiet`: never prints.
  Progress(std::string_view unit, bool quiet);
  /// Clears the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool enabled() const { return enabled_; }
  /// Call as often as convenient (a time is read; a line is printed five times a second at most). `cycles` 0:
  /// not told.
  void update(std::uint64_t done, std::uint64_t cycles);
  /// Clears the line, so that something else can print.
  void clear();

 private:
  std::string_view unit_;
  bool enabled_, shown_ = false;
  std::chrono::steady_clock::time_point start_, next_;
};

}  // namespace psim
