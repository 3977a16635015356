// SPDX-License-Identifier: Apache-2.0
// When a link that carries nothing goes to its low power state, and what that costs the packet that ends its
// rest. A policy is one function, called when a packet asks for a link that has been idle; nothing happens in
// between, for all of it can be told then.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace psim::net {

enum class SleepPolicy : std::uint8_t {
  Off,      ///< links have no low power state, and nothing is counted
  Never,    ///< they have one and do not use it: what others are compared with
  Fixed,    ///< low power after a fixed time without packets (paper 002, figure 1)
  Known,    ///< fixed, but every packet is known in time to wake the link: what prediction can reach at most
  Port,     ///< fixed, but a port sleeps and wakes with both of its directions
  Predict,  ///< fixed, but wakes by itself when earlier rests let it expect a packet
};

/// A time without packets, as it turns out when one comes.
struct Rest {
  std::uint64_t low = 0;    ///< ps in the low power state, of which the first is `after` from its beginning
  std::uint64_t delay = 0;  ///< ps from the packet's asking until the link can take it
  std::uint64_t again = 0;  ///< ps in low power once more, of one that woke in vain, until the packet asks
};

/// How long a link rests, from how long it did, in integers; as Jacobson (SIGCOMM 1988) estimates round
/// trips, but for the early side: waking too late costs time, waking too early only power.
struct Habit {
  std::uint64_t mean = 0;       ///< ps
  std::uint64_t deviation = 0;  ///< ps, mean of its size

  /// When the next packet may come, ps since the link became idle; 0: nobody knows.
  constexpr std::uint64_t expected() const { return mean > 2 * deviation ? mean - 2 * deviation : 0; }
  /// It was idle for `idle` ps, long enough to sleep.
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

/// SleepPolicy::Predict: begins to wake T_w before `expected`, and if nobody comes then, sleeps again after
/// T_s more.
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

/// Of a link idle for `idle` ps, > 0, that sleeps `after` that long (T_s) and takes `wake` to wake (T_w).
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

/// The names of topology files and --set.
inline std::vector<std::pair<std::string, SleepPolicy>> sleep_policies() {
  return {{"off", SleepPolicy::Off},     {"never", SleepPolicy::Never}, {"fixed", SleepPolicy::Fixed},
          {"known", SleepPolicy::Known}, {"port", SleepPolicy::Port},   {"predict", SleepPolicy::Predict}};
}

}  // namespace psim::net
