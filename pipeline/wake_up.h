// SPDX-License-Identifier: Apache-2.0
// Wake-up and select: the dependences between instructions, the cycles of their dispatch, and their priority.
//
// Models the dependence side of the reservation stations (JPS1-V pp. 33-34). A producer announces the cycle
// from which a dependent may be in P. Dependents of a load are announced as if it hit L1. If the load misses,
// the announcement is retracted, and with it everything dispatched on it. Select is oldest first.
//
// The state is a line for each slot of the commit stack, and bit sets over these slots: a row of consumers
// for each producer, a wheel of rows for coming cycles, a row of the ready instructions. Work is done when
// something changes, never by examining waiting entries.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/in_flight.h"

namespace psim::pipeline {

class TimelineRecorder;
class TimingState;

class WakeUp {
 public:
  using Word = std::uint64_t;
  /// Greatest distance of an announced result, in cycles.
  static constexpr std::uint32_t kHorizon = 512;

  WakeUp(std::uint32_t commit_stack, InFlightRing& window);
  void set_recorder(TimelineRecorder* recorder) { recorder_ = recorder; }

  /// Returns true if rows are one word, the usual size. The functions of the template parameter kOne, which
  /// take nearly all time, are then called with true.
  bool one_word() const { return words_ == 1; }

  /// The state of some operands of an instruction in D.
  struct Operands {
    std::uint64_t announced = 0;  ///< first P of the instruction, by those announced
    std::uint32_t waiting = 0;    ///< producers that have announced nothing
  };

  // In D call depend_on(…, c, …) for the sources of instruction c, and then enter(c, …).
  /// Adds a dependence on an instruction in flight.
  template <bool kOne>
  [[gnu::always_inline]] void depend_on(Operands& to, Sequence consumer, Sequence producer, std::uint64_t now,
                                        bool datum) {
    const std::size_t c = slot<kOne>(consumer);
    const Word bit = Word{1} << (c & 63);
    const Slot& from = slots_[slot<kOne>(producer)];
    Word& consumers = consumer_row<kOne>(slot<kOne>(producer), datum)[kOne ? 0 : c >> 6];
    if (from.result == kNever) {
      to.waiting += (consumers & bit) == 0;  // unless it is another source from this producer
    } else {
      to.announced = std::max(to.announced, from.result);
      if (from.certain <= now) return;
    }
    consumers |= bit;
  }
  /// Enters an instruction into its station; its first P is `earliest` or later.
  template <bool kOne>
  [[gnu::always_inline]] void enter(Sequence sequence, Station station, const Operands& operands,
                                    std::uint64_t earliest) {
    Slot& at = clear<kOne>(sequence);
    at.station = station;
    at.operands = std::max(operands.announced, earliest);
    at.waiting = operands.waiting;
    if (operands.waiting == 0) schedule<kOne>(at, slot<kOne>(sequence), at.operands);
  }
  /// Announces the result of an instruction that needs no station; kNever: it has none.
  void complete(Sequence sequence, std::uint64_t result) {
    Slot& at = clear<false>(sequence);
    at.result = result;
    at.certain = 0;
    at.waiting = 0;
  }

  /// Announces a result: dependents of `producer` may be in P from `result` on. `entry` is its entry.
  void announce(InFlight& entry, Sequence producer, std::uint64_t result) {
    if (one_word())
      announce<true>(entry, producer, result);
    else
      announce<false>(entry, producer, result);
  }
  template <bool kOne>
  [[gnu::always_inline]] void announce(const InFlight& entry, Sequence producer, std::uint64_t result) {
    Slot& from = slots_[slot<kOne>(producer)];
    from.result = result;
    from.certain = entry.dispatched + window_.stages.settled;
    if (!kOne || (from.consumers[0] | from.consumers[1]) != 0) wake<kOne>(producer, result);
  }
  /// Retracts the announcement. Returns the instructions that had been dispatched on it, directly or through
  /// others; they wait again. Valid until the next call.
  std::span<const Sequence> retract(Sequence producer);

  /// Starts P in cycle `now`: instructions scheduled for it become ready. Returns false if none is ready.
  bool tick(std::uint64_t now) {
    if (one_word()) {
      ready_[0] |= std::exchange(wheel_[now % kHorizon], 0);
      return ready_[0] != 0;
    }
    Word* const turn = row(wheel_, now % kHorizon);
    for (std::size_t w = 0; w < words_; ++w) ready_[w] |= std::exchange(turn[w], 0);
    return std::any_of(ready_.begin(), ready_.end(), [](Word word) { return word != 0; });
  }
  /// For kOne: returns the ready instructions as bits, bit n for the sequence `head` + n.
  Word ready(Sequence head) const { return std::rotr(ready_[0], static_cast<int>(head & 63)); }
  /// Removes some of these.
  void remove_ready(Sequence head, Word gone) { ready_[0] &= ~std::rotl(gone, static_cast<int>(head & 63)); }
  /// Otherwise: returns the oldest ready instruction at or after `from`; kNever if none.
  Sequence next_ready(Sequence from) const;
  void remove_ready(Sequence sequence) { reset(ready_.data(), slot(sequence)); }
  template <bool kOne>
  Station station(Sequence sequence) const {
    return slots_[slot<kOne>(sequence)].station;
  }
  /// Postpones an instruction that was selected but may not start yet to cycle `retry`.
  void postpone(Sequence sequence, std::uint64_t retry) {
    schedule<false>(slots_[slot(sequence)], slot(sequence), retry);
  }

  /// Returns true if the instruction, which is in a station, is ready or has a cycle in which it becomes
  /// ready.
  bool scheduled(Sequence sequence) const { return slots_[slot(sequence)].waiting == 0; }
  /// Returns the first P of the instruction, by the operands announced so far.
  std::uint64_t operands(Sequence sequence) const { return slots_[slot(sequence)].operands; }

  /// Removes every instruction from `first` on.
  template <bool kOne>
  void flush(Sequence first);
  /// Returns the first cycle after `now` in which an instruction becomes ready; kNever if none is scheduled.
  std::uint64_t next_event(std::uint64_t now) const;
  /// Copies the timing state of the instructions in the commit stack, with rows of one word.
  void timing_state(TimingState& state);

 private:
  /// An instruction as a producer and as a consumer.
  struct alignas(64) Slot {
    std::uint64_t result = kNever;    ///< first P of a dependent; kNever: not announced
    std::uint64_t certain = 0;        ///< from this cycle on the announced result is final
    std::array<Word, 2> consumers{};  ///< with rows of one word: its consumers; those as a store's datum
    std::uint64_t operands = 0;       ///< first P, by the operands announced so far
    std::uint64_t scheduled = 0;      ///< the cycle in which it becomes ready, if `waiting` is 0
    std::uint32_t waiting = 0;        ///< producers of operands that are not announced
    Station station = Station::None;
  };

  template <bool kOne = false>
  std::size_t slot(Sequence s) const {
    return s & (kOne ? 63 : slot_mask_);
  }
  template <bool kOne = false>
  Sequence sequence_of(std::size_t slot) const {
    return window_.head + ((slot - window_.head) & (kOne ? 63 : slot_mask_));
  }
  Word* row(std::vector<Word>& rows, std::size_t index) { return &rows[index * words_]; }
  static void set(Word* row, std::size_t slot) { row[slot >> 6] |= Word{1} << (slot & 63); }
  static void reset(Word* row, std::size_t slot) { row[slot >> 6] &= ~(Word{1} << (slot & 63)); }
  /// Returns the row of consumers, or of consumers as the datum of a store, of the producer in a slot.
  template <bool kOne = false>
  Word* consumer_row(std::size_t producer, bool datum) {
    if constexpr (kOne) return &slots_[producer].consumers[datum ? 1 : 0];
    return words_ == 1 ? &slots_[producer].consumers[datum ? 1 : 0]
                       : &consumers_[(2 * producer + (datum ? 1 : 0)) * words_];
  }
  template <bool kOne>
  Slot& clear(Sequence sequence) {
    Slot& at = slots_[slot<kOne>(sequence)];
    at.result = kNever;
    at.consumers = {};
    if constexpr (!kOne) std::fill_n(consumer_row(slot<kOne>(sequence), false), 2 * words_, Word{0});
    return at;
  }
  template <bool kOne>
  void schedule(Slot& at, std::size_t s, std::uint64_t cycle) {
    at.scheduled = cycle;
    const std::size_t turn = cycle % kHorizon;
    wheel_[kOne ? turn : turn * words_ + (s >> 6)] |= Word{1} << (s & 63);
    last_turn_ = std::max(last_turn_, cycle);
  }
  /// Removes an instruction that is scheduled or ready.
  void withdraw(Sequence sequence);
  template <bool kOne>
  [[gnu::hot]] void wake(Sequence producer, std::uint64_t result);
  [[gnu::hot, gnu::noinline]] void wake_further(Sequence producer, std::size_t word, Word woken,
                                                std::uint64_t result);
  void take_back(Sequence producer);

  InFlightRing& window_;
  std::size_t slot_mask_, words_;
  std::vector<Slot> slots_;
  std::vector<Word>
      consumers_;            // [producer slot][as the datum of a store][consumer slot], unless in `slots_`
  std::vector<Word> wheel_;  // [cycle mod kHorizon][slot]
  std::uint64_t last_turn_ = 0;  // the last cycle whose row of the wheel may hold an instruction
  std::vector<Word> ready_;      // [slot]
  std::vector<Word> gone_;       // scratch of flush()
  std::vector<Sequence> cancelled_;
  TimelineRecorder* recorder_ = nullptr;
};

}  // namespace psim::pipeline
