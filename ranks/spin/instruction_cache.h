// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "ranks/spin/instruction.h"

namespace psim::net::spin {

/// Decoded instructions by their bytes, so that the copies of a program share them. They are in the order of
/// their first execution, in which a loop that is executed again reads them.
class InstructionCache {
 public:
  /// Returns the instruction at `pc`, valid until the next call, or null if it is refused.
  const Instruction* find(std::uint64_t pc) {
    if (pc % kPage > kPage - kBytes) [[unlikely]]  // the next page may be unmapped
      return decode(pc, decoded_) ? &decoded_ : nullptr;
    const std::uint32_t number = entries_[latest_].successor;
    const Entry& entry = entries_[number];
    __builtin_prefetch(&entry + kAhead);
    if (number == 0 || !entry.is_at(pc)) return search(pc);
    latest_ = number;
    return &entry.code;
  }

 private:
  static constexpr std::uint32_t kMost = 8'192;  // entries in use
  static constexpr std::size_t kBytes = 16;      // an instruction has up to 15
  static constexpr std::size_t kAhead = 8;       // entries whose execution takes as long as a miss in L2
  static constexpr std::uint64_t kPage = 4'096;

  struct alignas(64) Entry {
    std::array<std::uint64_t, 2> bytes{};  ///< of the code from its start on
    std::uint32_t successor = 0;           ///< entry of the instruction that was executed after this one
    Instruction code;

    bool is_at(std::uint64_t pc) const {
      return std::memcmp(bytes.data(), reinterpret_cast<const void*>(pc), kBytes) == 0;
    }
  };
  static_assert(sizeof(Entry) == 64);  // a line of the host's caches

  const Instruction* search(std::uint64_t pc);

  std::array<Entry, 1 + kMost + kAhead>
      entries_{};                                 ///< 0 is none; all zeros, which take no space in the file
  std::array<std::uint16_t, 2 * kMost> slots_{};  ///< hash table of entries
  std::uint32_t count_ = 0, latest_ = 0;
  Instruction decoded_;  ///< the latest that was decoded; not kept if at the end of a page
};

}  // namespace psim::net::spin
