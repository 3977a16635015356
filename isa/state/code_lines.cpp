// SPDX-License-Identifier: Apache-2.0
#include "isa/state/code_lines.h"

#include <algorithm>

namespace psim::isa {

void CodeLines::changed(std::uint64_t address, std::uint64_t bytes, GuestMemory& memory) {
  constexpr std::uint64_t kPage = GuestMemory::kPageBytes;
  for (auto page = pages_.begin(); page != pages_.end();) {
    const std::uint64_t begin = std::max(address, page->first * kPage),
                        end = std::min(address + bytes, (page->first + 1) * kPage);
    for (std::uint64_t at = begin; at < end; at = (at / kLineBytes + 1) * kLineBytes)
      page->second.reset(line(at));
    if (begin < end && page->second.none()) {
      memory.unmark_code(page->first * kPage);
      page = pages_.erase(page);
    } else {
      ++page;
    }
  }
}

}  // namespace psim::isa
