// SPDX-License-Identifier: Apache-2.0
// Guest time: core cycles at a fixed frequency plus the time the program slept. The host's clock is never
// read, so that runs repeat exactly.
#pragma once

#include <cstdint>
#include <limits>

namespace psim::isa {

class SimulatedClock {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::uint64_t kSecond = 1'000'000'000;
  /// The value of CLOCK_REALTIME at the start: 2026-01-01 00:00:00 UTC.
  static constexpr std::uint64_t kEpochSeconds = 1'767'225'600;

  /// `cycles_per_second` is the core's frequency, 1 MHz – 1 THz.
  explicit SimulatedClock(std::uint64_t cycles_per_second) : frequency_(cycles_per_second) {}

  /// Sets the core cycles so far; never goes back.
  void set_core_cycles(std::uint64_t cycles) {
    if (cycles > cycles_) cycles_ = cycles;
  }
  std::uint64_t core_cycles() const { return cycles_; }
  /// Returns %tick: core cycles plus cycles slept.
  std::uint64_t ticks() const { return cycles_ + slept_; }
  /// Returns nanoseconds since the start, rounded down.
  std::uint64_t now() const { return nanoseconds(ticks()); }
  /// Returns the nanoseconds that the program computed.
  std::uint64_t computed() const { return nanoseconds(cycles_); }
  /// Lets time pass until now() >= `time` (nanoseconds since the start).
  void sleep_until(std::uint64_t time) {
    const std::uint64_t at = ticks_at(time);
    if (at > ticks()) slept_ += at - ticks();
  }
  /// Returns the core cycle at which now() (or computed()) first reaches `time`.
  std::uint64_t core_cycles_at(std::uint64_t time) const {
    const std::uint64_t at = ticks_at(time);
    return at > slept_ ? at - slept_ : 0;
  }
  /// Returns now() as it will be at this core cycle, if the program does not sleep before.
  std::uint64_t now_at(std::uint64_t core_cycle) const { return nanoseconds(core_cycle + slept_); }
  std::uint64_t core_cycles_computing(std::uint64_t time) const { return ticks_at(time); }
  std::uint64_t nanoseconds(std::uint64_t cycles) const {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(cycles) * kSecond / frequency_);
  }

 private:
  std::uint64_t ticks_at(std::uint64_t time) const {
    const auto cycles = (static_cast<unsigned __int128>(time) * frequency_ + kSecond - 1) / kSecond;
    return cycles > kNever / 2 ? kNever / 2 : static_cast<std::uint64_t>(cycles);
  }

  std::uint64_t frequency_;
  std::uint64_t cycles_ = 0, slept_ = 0;
};

}  // namespace psim::isa
