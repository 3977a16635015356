// SPDX-License-Identifier: Apache-2.0
// The return address stack, searched with the branch history (JPS1-V p. 31). Calls push and returns pop when
// they are fetched, on the right or a wrong path. A flush restores the top to its position after the
// mispredicted branch. Entries below it that the wrong path overwrote stay wrong, as in a circular hardware
// stack.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/memory/state_words.h"

namespace psim::pipeline {

class ReturnStack {
 public:
  explicit ReturnStack(std::uint32_t entries) : entries_(entries) {}

  struct Mark {
    std::uint64_t top = 0;
    std::uint64_t address = 0;
  };
  void push(std::uint64_t address) { entries_[++top_ % entries_.size()] = address; }
  std::uint64_t pop() { return entries_[top_-- % entries_.size()]; }
  Mark mark() const { return {top_, entries_[top_ % entries_.size()]}; }
  void restore(Mark mark) {
    top_ = mark.top;
    entries_[top_ % entries_.size()] = mark.address;
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
      std::uint64_t& entry = entries_[(top_ - back) % entries_.size()];
      state.near(entry, last);
      last = entry;
    }
  }
  void warm_state(StateWords& words) { words.value(top_), words.block(entries_); }

 private:
  std::vector<std::uint64_t> entries_;
  std::uint64_t top_ = std::uint64_t{1} << 32;  // far from 0, so that returns without calls do not wrap
};

}  // namespace psim::pipeline
