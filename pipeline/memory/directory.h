// SPDX-License-Identifier: Apache-2.0
// Models: the directory of an inclusive second level that several first-level caches share: for each of its
// lines, the caches that may hold it, and whether one of them may have written it.
//
// A first-level cache drops clean lines without a message, so a recorded holder need not have the line.
#pragma once

#include <cstdint>

#include "base/zeroed_array.h"

namespace psim::pipeline {

class Directory {
 public:
  /// One line. A cache's bit is that of its number.
  struct Entry {
    std::uint64_t tag = 0;      ///< line + 1; 0: free
    std::uint64_t settled = 0;  ///< tick at which the latest holder has the line
    std::uint32_t holders = 0;
    bool exclusive = false;  ///< the only holder may write the line without a message
  };

  /// A directory for a cache of `sets` (a power of two) × `ways` lines.
  Directory(std::uint64_t sets, std::uint32_t ways) : mask_(sets - 1), ways_(ways), entries_(sets * ways) {}

  /// Returns the entry of a line, or null.
  Entry* find(std::uint64_t line) {
    Entry* const set = &entries_[(line & mask_) * ways_];
    for (std::uint32_t way = 0; way < ways_; ++way)
      if (set[way].tag == line + 1) return &set[way];
    return nullptr;
  }
  /// Returns the entry of a line that is in the cache, which is new if need be.
  Entry& of(std::uint64_t line) {
    if (Entry* const found = find(line)) return *found;
    Entry* const set = &entries_[(line & mask_) * ways_];
    std::uint32_t way = 0;
    while (way + 1 < ways_ && set[way].tag != 0) ++way;
    set[way] = {line + 1, 0, 0, false};
    return set[way];
  }
  /// Forgets a line that leaves the cache. Returns its holders.
  std::uint32_t remove(std::uint64_t line) {
    Entry* const entry = find(line);
    if (entry == nullptr) return 0;
    const std::uint32_t holders = entry->holders;
    *entry = {};
    return holders;
  }

 private:
  std::uint64_t mask_;
  std::uint32_t ways_;
  ZeroedArray<Entry> entries_;
};

}  // namespace psim::pipeline
