// SPDX-License-Identifier: Apache-2.0
// The 64-byte lines of a page that have been decoded, so that data on the same page as code can change
// without decoding it all again.
#pragma once

#include <bitset>
#include <cstdint>
#include <unordered_map>

#include "isa/memory/guest_memory.h"

namespace psim::isa {

class CodeLines {
 public:
  static constexpr unsigned kLineBytes = 64;
  using Lines = std::bitset<GuestMemory::kPageBytes / kLineBytes>;

  void add(std::uint64_t pc) { pages_[pc / GuestMemory::kPageBytes].set(line(pc)); }
  /// Forgets the lines of [address, address + bytes), and unmarks pages without any left.
  void changed(std::uint64_t address, std::uint64_t bytes, GuestMemory& memory);

  /// Returns true if a byte of [address, address + bytes) has been decoded.
  bool decoded(std::uint64_t address, std::uint64_t bytes) const {
    for (std::uint64_t at = address & ~std::uint64_t{kLineBytes - 1}; at < address + bytes;
         at += kLineBytes) {
      const auto page = pages_.find(at / GuestMemory::kPageBytes);
      if (page != pages_.end() && page->second.test(line(at))) return true;
    }
    return false;
  }

 private:
  static unsigned line(std::uint64_t address) {
    return static_cast<unsigned>(address % GuestMemory::kPageBytes / kLineBytes);
  }
  std::unordered_map<std::uint64_t, Lines> pages_;
};

}  // namespace psim::isa
