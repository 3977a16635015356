// SPDX-License-Identifier: Apache-2.0
#include "netsim/engine/event_wheel.h"

#include <bit>

namespace psim::net {

EventWheel::EventWheel(std::uint64_t window)
    : window_(window), inverse_(~std::uint64_t{0} / window), slots_(kSlots), occupied_(kSlots / 64) {}

std::uint64_t EventWheel::next() {
  for (std::uint64_t i = 0; i <= kSlots / 64; ++i) {
    const std::uint64_t word = (present_ / 64 + i) % (kSlots / 64);
    std::uint64_t bits = occupied_[word];
    if (i == 0) bits &= ~std::uint64_t{0} << present_ % 64;
    if (i == kSlots / 64) bits &= ~(~std::uint64_t{0} << present_ % 64);
    if (bits == 0) continue;
    const std::uint64_t slot = word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits));
    return present_ + (slot - present_ % kSlots + kSlots) % kSlots;
  }
  return far_.empty() ? kNever : far_.begin()->first;
}

Bucket& EventWheel::open(std::uint64_t number) {
  present_ = number;
  start_ = number * window_;
  // The windows between the old and the new present one are empty, so their slots are free for far windows.
  while (!far_.empty() && far_.begin()->first < present_ + kSlots) {
    const std::uint64_t slot = far_.begin()->first % kSlots;
    Bucket& far = far_.begin()->second;
    far.credits.each([&](const Event& event) { slots_[slot].credits.grow(store_) = event; });
    far.rest.each([&](const Event& event) { slots_[slot].rest.grow(store_) = event; });
    far.credits.clear(store_);
    far.rest.clear(store_);
    mark(slot);
    far_.erase(far_.begin());
  }
  const Bucket& following = slots_[following_slot()];
  following.credits.prefetch();
  following.rest.prefetch();
  return slots_[present_ % kSlots];
}

std::uint64_t EventWheel::following_slot() const {
  const std::uint64_t from = (present_ + 1) % kSlots;
  const std::uint64_t bits = occupied_[from / 64] >> from % 64;
  return bits == 0 ? from : from + static_cast<std::uint64_t>(std::countr_zero(bits));
}

void EventWheel::close() {
  Bucket& bucket = slots_[present_ % kSlots];
  bucket.credits.clear(store_);
  bucket.rest.clear(store_);
  unmark(present_ % kSlots);
}

}  // namespace psim::net
