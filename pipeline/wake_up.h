// SPDX-License-Identifier: Apache-2.0
// Wake-up and select: the dependences between instructions, the cycles of their dispatch, and their priority.
//
// Models the dependence side of the reservation stations (JPS1-V pp. 33-34). A producer announces the cycle
// from which a dependent may be in P. Dependents of a load are announced as if it hit L1. If the load misses,
// the announcement is retracted, and with it everything dispatched on it. Select is oldest first.
//
// The state is bit sets over slots of the commit stack: one row of consumers for each producer, a wheel of
// rows for coming cycles, a row of ready instructions for each station. Work is done when something changes,
// never by examining waiting entries.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pipeline/in_flight.h"

namespace psim::pipeline {

class TimelineRecorder;

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

  // In D call clear(c), then depend(e, c, …) for each source, then enter(e, c, …). `e` is the entry of `c`.
  template <bool kOne>
  void clear(Sequence consumer) {
    if constexpr (!kOne) {
      clear_rows(slot<kOne>(consumer));
    } else {
      Word* const rows = &consumers_[2 * slot<kOne>(consumer)];
      rows[0] = rows[1] = 0;
    }
  }
  template <bool kOne>
  [[gnu::always_inline]] void depend(InFlight& to, Sequence consumer, Sequence producer, std::uint64_t now,
                                     bool datum) {
    const InFlight& from = window_[producer];
    const bool announced = from.result != kNever;
    if (announced) {
      std::uint64_t& earliest = datum ? to.datum : to.operands;
      earliest = std::max(earliest, from.result);
      // After the last stage in which a load can still miss, an announcement is final.
      if (from.dispatched + window_.stages.settled <= now) return;
    }
    const std::size_t s = slot<kOne>(consumer);
    Word& row = consumer_row<kOne>(slot<kOne>(producer), datum)[kOne ? 0 : s >> 6];
    const Word bit = Word{1} << (s & 63);
    if (row & bit) return;  // two sources from one producer
    row |= bit;
    if (!announced) ++(datum ? to.datum_waiting : to.waiting);
  }
  /// Enters the consumer into its station; its first P is `earliest` or later.
  template <bool kOne>
  void enter(InFlight& e, Sequence consumer, std::uint64_t earliest) {
    stations_[slot<kOne>(consumer)] = static_cast<std::uint8_t>(e.station);
    e.operands = std::max(e.operands, earliest);
    if (e.waiting == 0)
      schedule<kOne>(e, consumer, e.operands);
    else
      e.progress = Progress::Waiting;
  }

  /// Announces a result: dependents of `producer` may be in P from `result` on.
  void announce(Sequence producer, std::uint64_t result) {
    if (one_word())
      announce<true>(window_[producer], producer, result);
    else
      announce<false>(window_[producer], producer, result);
  }
  template <bool kOne>
  void announce(InFlight& entry, Sequence producer, std::uint64_t result) {
    entry.result = result;
    announce_to<kOne>(producer, result);
  }
  /// Retracts the announcement. Returns the instructions that had been dispatched on it, directly or through
  /// others; they wait again. Valid until the next call.
  std::span<const Sequence> retract(Sequence producer);

  /// Starts P in cycle `now`: instructions scheduled for it become ready.
  void tick(std::uint64_t now) {
    const std::size_t turn = now % kHorizon;
    Word& used = wheel_used_[turn >> 6];
    const Word bit = Word{1} << (turn & 63);
    if (!(used & bit)) return;
    used &= ~bit;
    if (one_word())
      take_turn<true>(turn);
    else
      take_turn<false>(turn);
  }
  bool any_ready() const { return ready_stations_ != 0; }
  unsigned ready_stations() const { return ready_stations_; }  ///< a bit for each Station
  /// For kOne: returns the ready instructions of the station as bits, bit n for the sequence `head` + n.
  Word ready(Station station, Sequence head) const {
    return std::rotr(ready_[static_cast<std::size_t>(station)], static_cast<int>(head & 63));
  }
  /// Removes some of these.
  void remove_ready(Station station, Sequence head, Word gone) {
    const auto number = static_cast<unsigned>(station);
    ready_[number] &= ~std::rotl(gone, static_cast<int>(head & 63));
    if (ready_[number] == 0) ready_stations_ &= ~(1u << number);
  }
  /// Otherwise: returns the oldest ready instruction of the station at or after `from`; kNever if none.
  Sequence next_ready(Station station, Sequence from) const;
  void remove_ready(Station station, Sequence sequence) { clear_ready(station, sequence); }
  /// Postpones an instruction that was selected but may not start yet to cycle `retry`.
  void postpone(InFlight& entry, Sequence sequence, std::uint64_t retry) {
    schedule<false>(entry, sequence, retry);
  }

  /// Removes every instruction from `first` on.
  void flush(Sequence first);
  /// Returns the first cycle after `now` in which an instruction becomes ready; kNever if none is scheduled.
  std::uint64_t next_event(std::uint64_t now) const;

 private:
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
  bool empty(const Word* row) const {
    for (std::size_t i = 0; i < words_; ++i)
      if (row[i]) return false;
    return true;
  }
  /// Returns the row of consumers, or of consumers as the datum of a store, of the producer in a slot.
  template <bool kOne = false>
  Word* consumer_row(std::size_t producer, bool datum) {
    return &consumers_[(2 * producer + (datum ? 1 : 0)) * (kOne ? 1 : words_)];
  }
  void clear_rows(std::size_t slot);
  template <bool kOne>
  void schedule(InFlight& e, Sequence sequence, std::uint64_t cycle) {
    e.scheduled = cycle;
    e.progress = Progress::Scheduled;
    const std::size_t turn = cycle % kHorizon;
    const std::size_t s = slot<kOne>(sequence);
    wheel_[kOne ? turn : turn * words_ + (s >> 6)] |= Word{1} << (s & 63);
    wheel_used_[turn >> 6] |= Word{1} << (turn & 63);
  }
  void unschedule(Sequence sequence);
  /// Removes an instruction that is scheduled or ready.
  void withdraw(Sequence sequence);
  void clear_ready(Station station, Sequence sequence) {
    Word* const r = row(ready_, static_cast<std::size_t>(station));
    reset(r, slot(sequence));
    if (empty(r)) ready_stations_ &= ~(1u << static_cast<unsigned>(station));
  }
  template <bool kOne>
  [[gnu::hot]] void announce_to(Sequence producer, std::uint64_t result);
  template <bool kOne>
  [[gnu::hot]] void take_turn(std::size_t turn);
  void take_back(Sequence producer);

  InFlightRing& window_;
  std::size_t slot_mask_, words_;
  std::vector<Word> consumers_;         // [producer slot][as the datum of a store][consumer slot]
  std::vector<std::uint8_t> stations_;  // [slot]
  std::vector<Word> wheel_;             // [cycle mod kHorizon][slot]
  std::array<Word, kHorizon / 64> wheel_used_{};
  std::vector<Word> ready_;  // [station][slot]
  std::vector<Word> gone_;   // scratch of flush()
  unsigned ready_stations_ = 0;
  std::vector<Sequence> cancelled_;
  TimelineRecorder* recorder_ = nullptr;
};

}  // namespace psim::pipeline
