// SPDX-License-Identifier: Apache-2.0
// Errors of links, repaired by the link. The receiver checks a packet when its tail is there; the sender
// repeats a bad one, with all that it has sent since (go back N). So a packet with k bad copies holds its
// link k · (length + retry delay) longer, and its head arrives that much later. A bad copy goes no further,
// and packets stay in order. The number of bad copies depends on the seed, the channel and the number of the
// packet on it.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "base/random.h"
#include "netsim/config/network_config.h"

namespace psim::net {

class LinkErrors {
 public:
  LinkErrors(const NetworkConfig& config, std::uint64_t seed)
      : seed_(mix(seed ^ kStream)), log_good_(std::log1p(-config.link.bit_error_rate)) {
    for (std::size_t i = 0; i < kCableClasses; ++i)
      delays_[i] = delay(config, link_of(config.link, static_cast<CableClass>(i)).delay);
    delays_[kCableClasses] = delay(config, config.nic.delay);
  }

  /// The key of channels from nodes; those from routers have smaller ones.
  static constexpr std::uint64_t kFromNodes = std::uint64_t{1} << 32;
  /// The class of links between nodes and routers.
  static constexpr std::size_t kOfNode = kCableClasses;

  /// Returns the bad copies of packet number `count` of a channel.
  std::uint64_t bad_copies(std::uint64_t channel, std::uint64_t count, std::uint32_t bytes) const {
    const double bad = -std::expm1(8.0 * bytes * log_good_);
    const auto limit = static_cast<std::uint64_t>(std::ldexp(bad, 64));
    const std::uint64_t packet = mix(mix(seed_ ^ channel) ^ count);
    std::uint64_t copies = 0;
    while (mix(packet + copies) < limit) ++copies;
    return copies;
  }
  /// Returns the delay by that number of bad copies, each of `length` ps.
  std::uint64_t delay(std::uint64_t copies, std::uint64_t length, std::size_t cable) const {
    return copies * (length + delays_[cable]);
  }

 private:
  static constexpr std::uint64_t kStream = 0x6c696e6b20657272;  // apart from the streams of routings

  static std::uint64_t delay(const NetworkConfig& config, Picoseconds cable) {
    const Picoseconds retry = config.link.retry_delay;
    return static_cast<std::uint64_t>((retry.count() != 0 ? retry : 2 * cable).count());
  }

  std::uint64_t seed_;
  double log_good_;  ///< of the probability that a bit arrives right
  std::array<std::uint64_t, kCableClasses + 1> delays_{};
};

}  // namespace psim::net
