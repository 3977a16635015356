// SPDX-License-Identifier: Apache-2.0
// Divides the time that a rank is blocked into transfer, while a message for it (or one that is read from its
// memory) is in flight, and wait, while none is. Messages in flight are known only at their arrival, so the
// gaps between messages are kept until then. Of more than four gaps, the oldest remain waits.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace psim::net {

class BlockedTime {
 public:
  /// Begins the blocked time at `now`, ps.
  void begin(std::uint64_t now) {
    last_ = now;
    settled_ = 0;
    open_ = 0;
  }
  /// Takes the arrival of a message that was handed over at `sent`. Times ascend.
  void message(std::uint64_t sent, std::uint64_t now) {
    if (sent > last_) {
      add({last_, std::min(sent, now)});
    } else {
      while (open_ > 0 && gaps_[open_ - 1].begin >= sent) --open_;
      if (open_ > 0) gaps_[open_ - 1].end = std::min(gaps_[open_ - 1].end, sent);
    }
    last_ = now;
  }
  /// Returns the time since begin() in which no message was in flight, when the rank resumes.
  std::uint64_t wait(std::uint64_t now) {
    std::uint64_t sum = settled_ + (now - last_);
    for (std::uint32_t i = 0; i < open_; ++i) sum += gaps_[i].end - gaps_[i].begin;
    return sum;
  }

 private:
  struct Gap {
    std::uint64_t begin, end;
  };
  void add(Gap gap) {
    if (open_ == gaps_.size()) {
      settled_ += gaps_[0].end - gaps_[0].begin;
      std::move(gaps_.begin() + 1, gaps_.end(), gaps_.begin());
      --open_;
    }
    gaps_[open_++] = gap;
  }

  std::uint64_t last_ = 0;     ///< arrival of the last message, or begin
  std::uint64_t settled_ = 0;  ///< ps of gaps that are no longer kept
  std::uint32_t open_ = 0;
  std::array<Gap, 4> gaps_;
};

}  // namespace psim::net
