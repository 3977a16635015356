// SPDX-License-Identifier: Apache-2.0
// The timing state of the core's parts as bytes, in one direction: written, or put back. It is canonical:
// cycles are relative to the present one, sequence numbers to the oldest instruction in flight, and what can
// no longer have an effect is left out, so that equal bytes mean an equal future. A part has one function
// for both directions, timing_state():
//
//     void timing_state(TimingState& state) {
//       state.cycle(resume_);
//       state.value(waiting_);
//     }
#pragma once

#include <cstdint>
#include <span>

#include "isa/state/instruction_source.h"
#include "pipeline/in_flight.h"

namespace psim::pipeline {

class TimingState {
 public:
  /// Writes the state of cycle `now` to `out`, which has room for it; `head` is the oldest instruction.
  TimingState(std::uint8_t* out, std::uint64_t now, Sequence head) : out_(out), now_(now), head_(head) {}
  /// Puts back the state `in` as that of cycle `now` with the oldest instruction `head`.
  TimingState(std::span<const std::uint8_t> in, std::uint64_t now, Sequence head)
      : in_(in.data()), now_(now), head_(head) {}

  bool writes() const { return out_ != nullptr; }
  std::uint64_t now() const { return now_; }
  Sequence head() const { return head_; }
  /// Returns the end of what is written.
  const std::uint8_t* end() const { return out_; }

  /// Copies a small number.
  template <class T>
  void value(T& value) {
    if (out_ != nullptr)
      put(static_cast<std::uint64_t>(value));
    else
      value = static_cast<T>(take());
  }
  /// Copies a cycle. All cycles that are `reach` or more before the present one are alike.
  void cycle(std::uint64_t& cycle, std::uint64_t reach = 0) {
    if (out_ != nullptr) {
      put(cycle == kNever ? 0 : cycle + reach <= now_ ? 1 : cycle + reach - now_ + 1);
      return;
    }
    const std::uint64_t word = take();
    cycle = word == 0 ? kNever : now_ - reach + (word - 1);
  }
  /// Copies a sequence number. The numbers of committed instructions are all alike, and become 0.
  void in_flight(Sequence& sequence) {
    if (out_ != nullptr) {
      put(sequence < head_ ? 0 : sequence - head_ + 1);
      return;
    }
    const std::uint64_t word = take();
    sequence = word == 0 ? 0 : head_ + word - 1;
  }
  /// Copies a number that is near `base`, such as an address near the one before, or a sequence number.
  void near(std::uint64_t& value, std::uint64_t base) {
    if (out_ != nullptr) {
      const auto difference = static_cast<std::int64_t>(value - base);
      put(static_cast<std::uint64_t>(difference << 1 ^ difference >> 63));
      return;
    }
    const std::uint64_t word = take();
    value = base + (word >> 1 ^ -(word & 1));
  }

 private:
  void put(std::uint64_t word) {
    for (; word >= 0x80; word >>= 7) *out_++ = static_cast<std::uint8_t>(word | 0x80);
    *out_++ = static_cast<std::uint8_t>(word);
  }
  std::uint64_t take() {
    std::uint64_t word = *in_ & 0x7F;
    for (unsigned shift = 7; *in_++ & 0x80; shift += 7)
      word |= static_cast<std::uint64_t>(*in_ & 0x7F) << shift;
    return word;
  }

  std::uint8_t* out_ = nullptr;
  const std::uint8_t* in_ = nullptr;
  const std::uint64_t now_;
  const Sequence head_;
};

}  // namespace psim::pipeline
