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
  /// Greatest distance of an announced result, in cycles.
  static constexpr std::uint32_t kHorizon = 512;

  WakeUp(std::uint32_t commit_stack, InFlightRing& window);
  void set_recorder(TimelineRecorder* recorder) { recorder_ = recorder; }

  // In D call clear(c), then depend(c, …) for each source, then enter(c).
  void clear(Sequence consumer) {
    const std::size_t s = slot(consumer);
    if (words_ == 1)  // the usual size: no call of memset
      consumers_[s] = datum_consumers_[s] = 0;
    else
      clear_rows(s);
  }
  [[gnu::hot]] void depend(Sequence consumer, Sequence producer, std::uint64_t now, bool datum);
  /// Enters the consumer into its station; its first P is `earliest` or later.
  void enter(Sequence consumer, std::uint64_t earliest) {
    InFlight& e = window_[consumer];
    e.operands = std::max(e.operands, earliest);
    if (e.waiting == 0)
      schedule(consumer, e.operands);
    else
      e.progress = Progress::Waiting;
  }

  /// Announces a result: dependents of `producer` may be in P from `result` on.
  [[gnu::hot]] void announce(Sequence producer, std::uint64_t result);
  /// Retracts the announcement. Returns the instructions that had been dispatched on it, directly or through
  /// others; they wait again. Valid until the next call.
  std::span<const Sequence> retract(Sequence producer);

  /// Starts P in cycle `now`: instructions scheduled for it become ready.
  [[gnu::hot]] void tick(std::uint64_t now);
  bool any_ready() const { return ready_stations_ != 0; }
  unsigned ready_stations() const { return ready_stations_; }  ///< a bit for each Station
  /// Returns the oldest ready instruction of the station at or after `from`; kNever if none.
  [[gnu::hot]] Sequence first_ready(Station station, Sequence from) const;
  void dispatched(Sequence sequence) { clear_ready(sequence); }
  /// Postpones an instruction that was selected but may not start yet to cycle `retry`.
  void postpone(Sequence sequence, std::uint64_t retry);

  /// Removes every instruction from `first` on.
  void flush(Sequence first);
  /// Returns the first cycle after `now` in which an instruction becomes ready; kNever if none is scheduled.
  std::uint64_t next_event(std::uint64_t now) const;

 private:
  using Word = std::uint64_t;
  std::size_t slot(Sequence s) const { return s & slot_mask_; }
  Sequence sequence_of(std::size_t slot) const { return window_.head + ((slot - window_.head) & slot_mask_); }
  Word* row(std::vector<Word>& rows, std::size_t index) { return &rows[index * words_]; }
  static void set(Word* row, std::size_t slot) { row[slot >> 6] |= Word{1} << (slot & 63); }
  static void reset(Word* row, std::size_t slot) { row[slot >> 6] &= ~(Word{1} << (slot & 63)); }
  bool empty(const Word* row) const;
  void clear_rows(std::size_t slot);
  void schedule(Sequence sequence, std::uint64_t cycle) {
    InFlight& e = window_[sequence];
    e.scheduled = cycle;
    e.progress = Progress::Scheduled;
    const std::size_t turn = cycle % kHorizon;
    set(row(wheel_, turn), slot(sequence));
    wheel_used_[turn >> 6] |= Word{1} << (turn & 63);
  }
  void unschedule(Sequence sequence);
  [[gnu::hot]] void make_ready(Sequence sequence);
  [[gnu::hot]] void clear_ready(Sequence sequence);
  void take_back(Sequence producer);

  InFlightRing& window_;
  std::size_t slot_mask_, words_;
  std::vector<Word> consumers_, datum_consumers_;  // [producer slot][consumer slot]
  std::vector<Word> wheel_;                        // [cycle mod kHorizon][slot]
  std::array<Word, kHorizon / 64> wheel_used_{};
  std::vector<Word> ready_;  // [station][slot]
  std::vector<Word> gone_;   // scratch of flush()
  unsigned ready_stations_ = 0;
  std::vector<Sequence> cancelled_;
  TimelineRecorder* recorder_ = nullptr;
};

}  // namespace psim::pipeline
