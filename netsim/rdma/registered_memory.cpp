// SPDX-License-Identifier: Apache-2.0
#include "netsim/rdma/registered_memory.h"

#include <bit>

namespace psim::net::rdma {

GlobalAddresses::GlobalAddresses(std::uint32_t ranks)
    : offset_bits_(64 - kKeyBits - static_cast<std::uint32_t>(std::bit_width(ranks))) {}

std::uint32_t RegisteredMemory::add(std::byte* base, std::uint64_t size) {
  for (std::uint32_t tried = 0; tried < GlobalAddresses::kKeys; ++tried) {
    const std::uint32_t key = (next_ + tried) % GlobalAddresses::kKeys;
    if (key >= regions_.size()) regions_.resize(key + 1);
    if (regions_[key].used) continue;
    regions_[key] = {base, size, true};
    next_ = key + 1;
    return key;
  }
  return kNone;
}

bool RegisteredMemory::remove(std::uint32_t key) {
  if (key >= regions_.size() || !regions_[key].used) return false;
  regions_[key] = {};
  return true;
}

std::byte* RegisteredMemory::find(std::uint32_t key, std::uint64_t offset, std::uint64_t bytes) const {
  if (key >= regions_.size() || !regions_[key].used) return nullptr;
  const Region& region = regions_[key];
  if (offset > region.size || bytes > region.size - offset) return nullptr;
  return region.base + offset;
}

std::uint64_t RegisteredMemory::offset(std::uint32_t key, const std::byte* address,
                                       std::uint64_t most) const {
  if (key >= regions_.size() || !regions_[key].used) return most;
  const auto base = reinterpret_cast<std::uintptr_t>(regions_[key].base);
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  return at >= base && at - base < regions_[key].size ? at - base : most;
}

}  // namespace psim::net::rdma
