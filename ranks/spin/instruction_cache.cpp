// SPDX-License-Identifier: Apache-2.0
#include "ranks/spin/instruction_cache.h"

namespace psim::net::spin {

const Instruction* InstructionCache::search(std::uint64_t pc) {
  if (count_ == kMost) {
    slots_ = {};
    entries_[0].successor = 0;
    count_ = 0;
    latest_ = 0;
  }
  std::array<std::uint64_t, 2> bytes;
  std::memcpy(bytes.data(), reinterpret_cast<const void*>(pc), kBytes);
  std::size_t slot =
      (bytes[0] * 0x9e3779b97f4a7c15 ^ bytes[1] * 0xc2b2ae3d27d4eb4f) >> 40 & (slots_.size() - 1);
  while (slots_[slot] != 0 && entries_[slots_[slot]].bytes != bytes) slot = (slot + 1) % slots_.size();
  if (slots_[slot] == 0) {
    if (!decode(pc, decoded_)) return nullptr;
    Entry& entry = entries_[++count_];
    entry.bytes = bytes;
    entry.code = decoded_;
    slots_[slot] = static_cast<std::uint16_t>(count_);
  }
  entries_[latest_].successor = slots_[slot];
  latest_ = slots_[slot];
  return &entries_[latest_].code;
}

}  // namespace psim::net::spin
