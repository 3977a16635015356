// SPDX-License-Identifier: Apache-2.0
// The time that bytes take on a channel.
#pragma once

#include <cstdint>

#include "base/units.h"

namespace psim::net {

class Rate {
 public:
  Rate() = default;
  explicit Rate(BytesPerSecond bandwidth)
      : bandwidth_(bandwidth.count), whole_(kSecond % bandwidth.count == 0 ? kSecond / bandwidth.count : 0) {}

  /// Returns ⌈bytes · 10¹² / bandwidth⌉ ps: exact, for up to 2^64 ps.
  std::uint64_t time(std::uint64_t bytes) const {
    if (whole_ != 0) return bytes * whole_;
    const auto product = static_cast<unsigned __int128>(bytes) * kSecond + bandwidth_ - 1;
    return static_cast<std::uint64_t>(product / bandwidth_);
  }
  /// Returns the share of a message's time that bytes `from` … `from + bytes` take. The shares of a message
  /// add up to its whole time, even if a packet's time is not a whole number of ps.
  std::uint64_t part(std::uint64_t from, std::uint64_t bytes) const {
    return whole_ != 0 ? bytes * whole_ : time(from + bytes) - time(from);
  }
  bool operator==(const Rate&) const = default;

 private:
  static constexpr std::uint64_t kSecond = 1'000'000'000'000;
  std::uint64_t bandwidth_ = 1;
  std::uint64_t whole_ = 0;  ///< ps per byte, if that is a whole number
};

}  // namespace psim::net
