// SPDX-License-Identifier: Apache-2.0
// The return address stack, searched with the branch history (JPS1-V p. 31). Calls push and returns pop when
// they are fetched, on the right or a wrong path. A flush restores the top to its position after the
// mispredicted branch. Entries below it that the wrong path overwrote stay wrong, as in a circular hardware
// stack.
#pragma once

#include <cstdint>
#include <vector>

namespace psim::isa {

class ReturnStack {
 public:
  explicit ReturnStack(std::uint32_t entries)
      : entries_(entries), mask_((entries & (entries - 1)) == 0 ? entries - 1 : 0) {}

  struct Mark {
    std::uint64_t top = 0;
    std::uint64_t address = 0;
  };
  void push(std::uint64_t address) { at(++top_) = address; }
  std::uint64_t pop() { return at(top_--); }
  Mark mark() const { return {top_, entries_[slot(top_)]}; }
  void restore(Mark mark) {
    top_ = mark.top;
    at(top_) = mark.address;
  }

  /// Copies the timing state, from the top down.
  template <class State>
  void timing_state(State& state, Mark* mark = nullptr) {
    if (!state.writes()) top_ = std::uint64_t{1} << 32;
    if (mark != nullptr) {
      state.near(mark->top, top_);
      state.near(mark->address, 0);
    }
    std::uint64_t last = 0;
    for (std::uint64_t back = 0; back < entries_.size(); ++back) {
      std::uint64_t& entry = at(top_ - back);
      state.near(entry, last);
      last = entry;
    }
  }
  template <class Words>
  void warm_state(Words& words) {
    words.value(top_), words.block(entries_);
  }

 private:
  /// A division takes as long as the rest.
  std::uint64_t slot(std::uint64_t top) const { return mask_ != 0 ? top & mask_ : top % entries_.size(); }
  std::uint64_t& at(std::uint64_t top) { return entries_[slot(top)]; }

  std::vector<std::uint64_t> entries_;
  std::uint64_t mask_;                          // 0: the size is no power of two
  std::uint64_t top_ = std::uint64_t{1} << 32;  // far from 0, so that returns without calls do not wrap
};

}  // namespace psim::isa
