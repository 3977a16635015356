// SPDX-License-Identifier: Apache-2.0
// Finds bursts: short stretches of a program whose misses of L2 are several times as frequent as its average
// cost allows. This is a cumulative sum for the detection of a change (E. S. Page, Biometrika 41, 1954):
// misses raise a level, and each instruction lowers it by kTimes the average cost.
#pragma once

#include <algorithm>
#include <cstdint>

namespace psim::pipeline {

class BurstFinder {
 public:
  /// A stretch counts if its misses cost more per instruction than this multiple of the average,
  static constexpr std::uint64_t kTimes = 4;
  /// and their cycles in excess of that are those of this number of misses.
  static constexpr std::uint64_t kMisses = 4;

  /// `wait`: cycles of a miss.
  explicit BurstFinder(std::uint64_t wait) : wait_(wait * kOne) {}

  /// Goes on at an instruction; what was before it does not count. The program takes `pace` / 65536 cycles
  /// for an instruction.
  void go_on(std::uint64_t instructions, std::uint64_t pace) { at_ = from_ = instructions, pace_ = pace; }
  /// Adds misses up to an instruction. Returns true if a burst is under way.
  bool add(std::uint64_t instructions, std::uint64_t misses) {
    const std::uint64_t less = kTimes * pace_ * (instructions - std::min(at_, instructions));
    at_ = instructions;
    level_ = level_ > less ? level_ - less : 0;
    if (level_ == 0) ended_ = true, from_ = instructions;
    // A long burst does not seem to go on after its end.
    level_ = std::min(level_ + misses * wait_, 2 * kMisses * wait_);
    return level_ >= kMisses * wait_;
  }
  /// Returns true if the level has been zero since forget_end(): the stretch found before has ended.
  bool ended() const { return ended_; }
  /// Returns the instruction of the first miss since the level was zero, or that of the last go_on().
  std::uint64_t from() const { return from_; }
  void forget_end() { ended_ = false; }

 private:
  static constexpr std::uint64_t kOne = 65'536;
  std::uint64_t wait_;
  std::uint64_t at_ = 0, from_ = 0, pace_ = 0, level_ = 0;
  bool ended_ = true;
};

}  // namespace psim::pipeline
