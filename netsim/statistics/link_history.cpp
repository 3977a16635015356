// SPDX-License-Identifier: Apache-2.0
#include "netsim/statistics/link_history.h"

#include <algorithm>

namespace psim::net {

LinkHistory::Link& LinkHistory::at(std::uint32_t number) {
  std::unique_ptr<Link>& link = links_[number];
  if (link == nullptr) link = std::make_unique<Link>();
  return *link;
}

/// Adds `length` ps from `begin` to the slices that they fall into.
template <class Sums>
void LinkHistory::spread(Sums& sums, std::uint64_t begin, std::uint64_t length) const {
  const std::uint64_t end = begin + length;
  while (begin < end) {
    const std::uint64_t slice = begin >> shift_, to = std::min(end, (slice + 1) << shift_);
    sums[slice] += to - begin;
    begin = to;
  }
}

/// Counts bytes of a source. If all counters are taken, it gets the lowest one with its count.
void LinkHistory::count(Link& link, const Source& source) {
  Source* lowest = link.sources.data();
  for (Source& counter : link.sources) {
    if (counter.bytes != 0 && counter.node == source.node) {
      counter.bytes += source.bytes;
      counter.over += source.over;
      return;
    }
    if (counter.bytes < lowest->bytes) lowest = &counter;
  }
  *lowest = {.node = source.node, .bytes = lowest->bytes + source.bytes, .over = lowest->bytes + source.over};
}

void LinkHistory::granted(std::uint32_t channel, std::uint64_t now, std::uint64_t length,
                          std::uint32_t source, std::uint8_t owner, std::uint64_t bytes) {
  const std::uint32_t number = link_of_channel_[channel];
  if (number == kNoLink) return;
  reach(now + length);
  Link& link = at(number);
  spread(link.busy, now, length);
  count(link, {.node = source, .bytes = bytes, .over = 0});
  if (link.of_owner.size() <= owner) link.of_owner.resize(owner + 1u);
  link.of_owner[owner] += bytes;
}

void LinkHistory::rested(std::size_t direction, std::uint64_t begin, std::uint64_t length) {
  if (direction >= link_of_channel_.size() || link_of_channel_[direction] == kNoLink) return;
  reach(begin + length);
  Link& link = at(link_of_channel_[direction]);
  link.low.resize(kSlices);
  spread(link.low, begin, length);
}

void LinkHistory::reach(std::uint64_t end) {
  while (end > std::uint64_t{kSlices} << shift_) fold();
}

void LinkHistory::fold() {
  const auto merge = [](auto& sums) {
    for (std::uint32_t i = 0; i < kSlices / 2; ++i) sums[i] = sums[2 * i] + sums[2 * i + 1];
    std::fill(sums.begin() + kSlices / 2, sums.end(), 0);
  };
  for (const std::unique_ptr<Link>& link : links_) {
    if (link == nullptr) continue;
    merge(link->busy);
    if (!link->low.empty()) merge(link->low);
  }
  ++shift_;
}

void LinkHistory::write(Parcel& parcel) const {
  parcel.put(shift_);
  parcel.put(static_cast<std::uint64_t>(
      std::ranges::count_if(links_, [](const std::unique_ptr<Link>& link) { return link != nullptr; })));
  for (std::uint32_t number = 0; number < links(); ++number) {
    const Link* const one = link(number);
    if (one == nullptr) continue;
    parcel.put(number);
    parcel.put(one->busy);
    parcel.put_all(one->low);
    parcel.put(one->sources);
    parcel.put_all(one->of_owner);
  }
}

void LinkHistory::read(Parcel& parcel) {
  const auto shift = parcel.take<std::uint32_t>();
  while (shift_ < shift) fold();
  const auto add = [by = shift_ - shift](auto& sums, const auto& more) {
    for (std::uint32_t i = 0; i < more.size(); ++i) sums[i >> by] += more[i];
  };
  for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
    Link& link = at(parcel.take<std::uint32_t>());
    add(link.busy, parcel.take<Slices>());
    if (const auto low = parcel.take_all<std::uint64_t>(); !low.empty()) {
      link.low.resize(kSlices);
      add(link.low, low);
    }
    for (const Source& source : parcel.take<std::array<Source, kSources>>())
      if (source.bytes != 0) count(link, source);
    const auto of_owner = parcel.take_all<std::uint64_t>();
    link.of_owner.resize(std::max(link.of_owner.size(), of_owner.size()));
    for (std::size_t owner = 0; owner < of_owner.size(); ++owner) link.of_owner[owner] += of_owner[owner];
  }
}

}  // namespace psim::net
