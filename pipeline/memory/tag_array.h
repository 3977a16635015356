// SPDX-License-Identifier: Apache-2.0
// Models: the tags of a set-associative cache with true LRU. It has no data, since timing is separate from
// function. A set keeps its ways in order of use, so a hit on the most recently used way changes nothing.
#pragma once

#include <cstdint>

#include "base/zeroed_array.h"
#include "pipeline/memory/state_words.h"

namespace psim::pipeline {

class TagArray {
 public:
  struct Victim {
    std::uint64_t line;
    bool valid, dirty;
    bool unused = false;  ///< it was prefetched, and never used
  };

  /// `sets` is a power of two. A "line" is an address divided by the line size.
  TagArray(std::uint64_t sets, std::uint32_t ways) : mask_(sets - 1), ways_(ways), tags_(sets * ways) {}

  /// Looks the line up; a hit makes it the most recently used and, with `write`, dirty. A line that was
  /// prefetched is not found before use().
  [[gnu::always_inline]] bool touch(std::uint64_t line, bool write) {
    std::uint64_t* set = &tags_[(line & mask_) * ways_];
    const std::uint64_t key = key_of(line);
    const std::uint64_t dirty = write;
    // A line that other caches hold, too, is not found for a write.
    const std::uint64_t ignored = write ? kDirty : kDirty | kShared;
    if ((set[0] & ~ignored) == key) {
      set[0] |= dirty;
      return true;
    }
    for (std::uint32_t way = 1; way < ways_; ++way) {
      if ((set[way] & ~ignored) != key) continue;
      const std::uint64_t found = set[way] | dirty;
      for (std::uint32_t i = way; i > 0; --i) set[i] = set[i - 1];
      set[0] = found;
      return true;
    }
    return false;
  }

  /// Returns true if the line is there; does not change the order of use.
  bool contains(std::uint64_t line) const {
    const std::uint64_t* set = &tags_[(line & mask_) * ways_];
    for (std::uint32_t way = 0; way < ways_; ++way)
      if ((set[way] & ~kMarks) == key_of(line)) return true;
    return false;
  }

  /// Marks the line as used by the program. Returns true if it was prefetched and this is its first use.
  bool use(std::uint64_t line) {
    std::uint64_t* set = &tags_[(line & mask_) * ways_];
    for (std::uint32_t way = 0; way < ways_; ++way) {
      if ((set[way] & ~(kDirty | kShared)) != (key_of(line) | kPrefetched)) continue;
      set[way] &= ~kPrefetched;
      return true;
    }
    return false;
  }

  /// Makes the line clean, if it is there; returns true if it was dirty. Does not change the order of use.
  bool clean(std::uint64_t line) {
    std::uint64_t* set = &tags_[(line & mask_) * ways_];
    for (std::uint32_t way = 0; way < ways_; ++way) {
      if ((set[way] & ~kPrefetched) != (key_of(line) | kDirty)) continue;
      set[way] &= ~kDirty;
      return true;
    }
    return false;
  }

  /// Returns true if the line is there, and no other cache of the level holds it.
  bool writable(std::uint64_t line) const {
    const std::uint64_t* set = &tags_[(line & mask_) * ways_];
    for (std::uint32_t way = 0; way < ways_; ++way)
      if ((set[way] & ~(kDirty | kPrefetched)) == key_of(line)) return true;
    return false;
  }

  /// Marks the line, if it is there, as clean and held by other caches, too. Returns true if it was dirty.
  bool share(std::uint64_t line) {
    std::uint64_t* set = &tags_[(line & mask_) * ways_];
    for (std::uint32_t way = 0; way < ways_; ++way) {
      if ((set[way] & ~kMarks) != key_of(line)) continue;
      const bool dirty = (set[way] & kDirty) != 0;
      set[way] = (set[way] & ~kDirty) | kShared;
      return dirty;
    }
    return false;
  }

  /// Removes the marks of share() from a line that is there, and makes it dirty if `dirty`. Returns false if
  /// it is not there.
  bool own(std::uint64_t line, bool dirty) {
    std::uint64_t* set = &tags_[(line & mask_) * ways_];
    for (std::uint32_t way = 0; way < ways_; ++way) {
      if ((set[way] & ~kMarks) != key_of(line)) continue;
      set[way] = (set[way] & ~kShared) | static_cast<std::uint64_t>(dirty);
      return true;
    }
    return false;
  }

  /// Puts an absent line in as the most recently used, in place of the least recently used (or an empty way).
  Victim insert(std::uint64_t line, bool dirty, bool prefetched = false, bool shared = false) {
    std::uint64_t* set = &tags_[(line & mask_) * ways_];
    const std::uint64_t last = set[ways_ - 1];
    for (std::uint32_t i = ways_ - 1; i > 0; --i) set[i] = set[i - 1];
    set[0] = key_of(line) | static_cast<std::uint64_t>(dirty) | (prefetched ? kPrefetched : 0) |
             (shared ? kShared : 0);
    return victim_of(last);
  }

  /// Removes the line and returns it with its dirty state, if it was there. The empty way is the next to be
  /// filled.
  Victim remove(std::uint64_t line) {
    std::uint64_t* set = &tags_[(line & mask_) * ways_];
    for (std::uint32_t way = 0; way < ways_; ++way) {
      if ((set[way] & ~kMarks) != key_of(line)) continue;
      const Victim victim = victim_of(set[way]);
      for (std::uint32_t i = way; i + 1 < ways_; ++i) set[i] = set[i + 1];
      set[ways_ - 1] = kInvalid;
      return victim;
    }
    return {line, false, false};
  }

  /// Inserts as insert(), clean, over the least recently used way that is empty or whose line `may_leave`.
  /// Returns false, without effect, if there is none.
  template <typename F>
  bool insert_over(std::uint64_t line, F&& may_leave, Victim& victim) {
    std::uint64_t* set = &tags_[(line & mask_) * ways_];
    for (std::uint32_t way = ways_; way-- > 0;) {
      const std::uint64_t old = set[way];
      if (old != kInvalid && !may_leave(line_of(old))) continue;
      for (std::uint32_t i = way; i > 0; --i) set[i] = set[i - 1];
      set[0] = key_of(line);
      victim = victim_of(old);
      return true;
    }
    return false;
  }

  /// Returns the line of `set` that was used last, in the form of isa::ExecutionWarmer::RecentLines:
  /// 2 × line, + 1 if it is dirty.
  /// Returns ~0 if there is none, or if the line was prefetched and not used.
  std::uint64_t most_recent(std::uint64_t set) const {
    const std::uint64_t tag = tags_[set * ways_];
    return tag == kInvalid || (tag & kPrefetched) != 0 ? ~std::uint64_t{0}
                                                       : line_of(tag) << 1 | (tag & kDirty);
  }

  void warm_state(StateWords& words) { words.block({&tags_[0], (mask_ + 1) * ways_}); }

 private:
  static constexpr std::uint64_t kDirty = 1, kPrefetched = 2, kShared = 4,
                                 kMarks = kDirty | kPrefetched | kShared;
  static constexpr unsigned kShift = 3;
  // An empty way is zero, like fresh memory. A line is at most 2^60 − 1 (lines are of 16 bytes or more).
  static constexpr std::uint64_t kInvalid = 0;
  static std::uint64_t key_of(std::uint64_t line) { return (line + 1) << kShift; }
  static std::uint64_t line_of(std::uint64_t tag) { return (tag >> kShift) - 1; }
  static Victim victim_of(std::uint64_t tag) {
    return {line_of(tag), tag != kInvalid, (tag & kDirty) != 0, (tag & kPrefetched) != 0};
  }

  std::uint64_t mask_;
  std::uint32_t ways_;
  ZeroedArray<std::uint64_t> tags_;  ///< (line + 1) << 3 | shared << 2 | prefetched << 1 | dirty
};

}  // namespace psim::pipeline
