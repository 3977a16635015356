// SPDX-License-Identifier: Apache-2.0
// The times at which an idle link goes to its low power state, and the delay of the packet that ends its
// rest. A policy is one function, called when a packet requests an idle link; the whole rest follows from the
// idle time, so no events are needed in between.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace psim::net {

enum class SleepPolicy : std::uint8_t {
  Off,      ///< links have no low power state, and nothing is counted
  Never,    ///< they have one and do not use it: the reference for comparisons
  Fixed,    ///< low power after a fixed time without packets (paper 002, figure 1)
  Known,    ///< fixed, but every packet is known in time to wake the link: the bound of prediction
  Port,     ///< fixed, but both directions of a port sleep and wake together
  Predict,  ///< fixed, but wakes by itself when earlier rests let it expect a packet
};

/// A time without packets, evaluated when the next packet comes.
struct Rest {
  std::uint64_t low = 0;    ///< ps in the low power state, starting `after` ps after the link became idle
  std::uint64_t delay = 0;  ///< ps from the packet's request until the link can take it
  std::uint64_t again = 0;  ///< ps of a second low power state after a fruitless waking, until the request
};

/// An integer estimate of a link's idle time from past ones, as Jacobson (SIGCOMM 1988) estimates round
/// trips. It errs on the early side: waking too late costs time, waking too early only power.
struct Habit {
  std::uint64_t mean = 0;       ///< ps
  std::uint64_t deviation = 0;  ///< ps, mean of its size

  /// Returns when the next packet may come, ps since the link became idle; 0: unknown.
  constexpr std::uint64_t expected() const { return mean > 2 * deviation ? mean - 2 * deviation : 0; }
  /// Learns from an idle time of `idle` ps, long enough to sleep.
  constexpr void learn(std::uint64_t idle) {
    if (mean == 0) {
      mean = idle;
      deviation = idle / 2;
      return;
    }
    const auto error = static_cast<std::int64_t>(idle - mean);
    mean += static_cast<std::uint64_t>(error / 8);
    const auto size = static_cast<std::int64_t>(error < 0 ? -error : error);
    deviation += static_cast<std::uint64_t>((size - static_cast<std::int64_t>(deviation)) / 4);
  }
};

/// Evaluates SleepPolicy::Predict: the link begins to wake T_w before `expected`, and if no packet comes,
/// sleeps again T_s later.
constexpr Rest predicted_rest(std::uint64_t idle, std::uint64_t after, std::uint64_t wake,
                              std::uint64_t expected) {
  if (idle < after) return {};
  const std::uint64_t begin = expected < wake ? 0 : expected - wake;
  if (begin <= after || idle <= begin) return {idle - after, wake};  // unknown, or sooner than expected
  const std::uint64_t low = begin - after;
  if (idle < expected) return {low, expected - idle};
  if (idle < expected + after) return {low, 0};
  return {low, wake, idle - expected - after};
}

/// Returns the rest of a link idle for `idle` ps, > 0, that sleeps after `after` ps (T_s) and wakes in `wake`
/// ps (T_w).
constexpr Rest rest(SleepPolicy policy, std::uint64_t idle, std::uint64_t after, std::uint64_t wake,
                    std::uint64_t expected = 0) {
  switch (policy) {
    case SleepPolicy::Off:
    case SleepPolicy::Never:
      return {};
    case SleepPolicy::Fixed:
    case SleepPolicy::Port:
      return idle < after ? Rest{} : Rest{idle - after, wake};
    case SleepPolicy::Known:
      return idle < after + wake ? Rest{} : Rest{idle - after - wake, 0};
    case SleepPolicy::Predict:
      return predicted_rest(idle, after, wake, expected);
  }
  return {};
}

/// Returns the names of the policies in topology files and --set.
inline std::vector<std::pair<std::string, SleepPolicy>> sleep_policies() {
  return {{"off", SleepPolicy::Off},     {"never", SleepPolicy::Never}, {"fixed", SleepPolicy::Fixed},
          {"known", SleepPolicy::Known}, {"port", SleepPolicy::Port},   {"predict", SleepPolicy::Predict}};
}

}  // namespace psim::net
