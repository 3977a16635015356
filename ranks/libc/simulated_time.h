// SPDX-License-Identifier: Apache-2.0
// Deadlines of waiting threads, as programs give them.
#pragma once

#include <time.h>

#include <cstdint>

namespace psim::net {

/// Seconds since 1970 that clocks of day show at simulated time 0, 2000-01-01; all others start at 0.
constexpr time_t kEpoch = 946'684'800;
constexpr std::uint64_t kSecond = 1'000'000'000'000;  ///< ps

inline bool is_of_day(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

inline bool valid_nanoseconds(const timespec& time) {
  return time.tv_nsec >= 0 && time.tv_nsec < 1'000'000'000;
}

/// Returns the simulated time in ps at which `clock` shows `time`; 0 if that is before the start.
inline std::uint64_t simulated_time(clockid_t clock, const timespec& time) {
  const time_t seconds = time.tv_sec - (is_of_day(clock) ? kEpoch : 0);
  constexpr time_t kFarthest = 1'000'000;  // seconds, more than any run has
  if (seconds < 0) return 0;
  if (seconds > kFarthest) return static_cast<std::uint64_t>(kFarthest) * kSecond;
  return static_cast<std::uint64_t>(seconds) * kSecond + static_cast<std::uint64_t>(time.tv_nsec) * 1000;
}

}  // namespace psim::net
