// SPDX-License-Identifier: Apache-2.0
// The load of each link over time and its senders: busy time and low power in at most 64 slices, the sources
// that sent most bytes, the owners of these bytes. A link is a channel between routers, or the channels that
// a picture shows as one.
//
// A link that carried or slept takes about 1 kB, whatever the length of the run: when time exceeds the last
// slice, pairs of slices are merged. Sources are counted by the Space-Saving algorithm (Metwally et al., ICDT
// 2005): each of a link's 16 counters is at most `over` bytes too high, and every source with more than a
// sixteenth of the bytes has one. Each host process records its own channels; process 0 gathers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "netsim/parallel/parcel.h"

namespace psim::net {

class LinkHistory {
 public:
  static constexpr std::uint32_t kSlices = 64, kNoLink = 0xffffffff;
  static constexpr std::size_t kSources = 16;

  struct Source {
    std::uint32_t node = 0;
    std::uint64_t bytes = 0;  ///< 0: the counter is free
    std::uint64_t over = 0;   ///< of these, bytes that may be of others
  };
  using Slices = std::array<std::uint64_t, kSlices>;
  struct Link {
    Slices busy{};                   ///< ps, all of its channels
    std::vector<std::uint64_t> low;  ///< ps in low power, by slice; empty: never
    std::array<Source, kSources> sources{};
    std::vector<std::uint64_t> of_owner;  ///< bytes, by Message::owner
  };

  /// `link_of_channel`: by channel of the graph, the link that it belongs to, 0 … `links` - 1, or kNoLink.
  LinkHistory(std::vector<std::uint32_t> link_of_channel, std::uint32_t links)
      : link_of_channel_(std::move(link_of_channel)), links_(links) {}

  /// Notes that a packet was granted a channel at `now` for `length` ps.
  void granted(std::uint32_t channel, std::uint64_t now, std::uint64_t length, std::uint32_t source,
               std::uint8_t owner, std::uint64_t bytes);
  /// Notes low power of a direction (netsim/sleep/link_sleep.h) for `length` ps from `begin`.
  void rested(std::size_t direction, std::uint64_t begin, std::uint64_t length);
  /// Merges slices until the last one reaches to `end`, ps.
  void reach(std::uint64_t end);

  /// Pass the history of one host process to another, which then has the sums.
  void write(Parcel& parcel) const;
  void read(Parcel& parcel);

  std::uint64_t slice() const { return std::uint64_t{1} << shift_; }  ///< ps
  std::uint32_t links() const { return static_cast<std::uint32_t>(links_.size()); }
  /// Returns the history of a link; null if it neither carried anything nor slept.
  const Link* link(std::uint32_t number) const { return links_[number].get(); }

 private:
  Link& at(std::uint32_t number);
  template <class Sums>
  void spread(Sums& sums, std::uint64_t begin, std::uint64_t length) const;
  static void count(Link& link, const Source& source);
  void fold();

  std::vector<std::uint32_t> link_of_channel_;
  std::vector<std::unique_ptr<Link>> links_;
  std::uint32_t shift_ = 16;  // 65.5 ns at first
};

}  // namespace psim::net
