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
  Off,    ///< links have no low power state, and nothing is counted
  Never,  ///< they have one and do not use it: what others are compared with
  Fixed,  ///< low power after a fixed time without packets (paper 002, figure 1)
  Known,  ///< fixed, but every packet is known in time to wake the link: what prediction can reach at most
  Port,   ///< fixed, but a port sleeps and wakes with both of its directions
};

/// A time without packets, as it turns out when one comes.
struct Rest {
  std::uint64_t low = 0;    ///< ps in the low power state, of which the first is `after` from its beginning
  std::uint64_t delay = 0;  ///< ps from the packet's asking until the link can take it
};

/// Of a link idle for `idle` ps, > 0, that sleeps `after` that long (T_s) and takes `wake` to wake (T_w).
constexpr Rest rest(SleepPolicy policy, std::uint64_t idle, std::uint64_t after, std::uint64_t wake) {
  switch (policy) {
    case SleepPolicy::Off:
    case SleepPolicy::Never:
      return {};
    case SleepPolicy::Fixed:
    case SleepPolicy::Port:
      return idle < after ? Rest{} : Rest{idle - after, wake};
    case SleepPolicy::Known:
      return idle < after + wake ? Rest{} : Rest{idle - after - wake, 0};
  }
  return {};
}

/// The names of topology files and --set.
inline std::vector<std::pair<std::string, SleepPolicy>> sleep_policies() {
  return {{"off", SleepPolicy::Off},
          {"never", SleepPolicy::Never},
          {"fixed", SleepPolicy::Fixed},
          {"known", SleepPolicy::Known},
          {"port", SleepPolicy::Port}};
}

}  // namespace psim::net
