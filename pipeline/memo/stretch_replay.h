// SPDX-License-Identifier: Apache-2.0
// Repeats stretches: makes their calls again, on the parts of the core themselves, while the stages stand
// still, and adds their effects.
//
//     replay.enter();
//     while (Stretch* stretch = replay.repeat(*state, entries, last)) state = stretch->end;
//     replay.leave(*state);
//     replay.feed(tape);  // calls that were made since, but end no stretch
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "isa/state/instruction_source.h"
#include "pipeline/memo/core_counts.h"
#include "pipeline/memo/outcome_tape.h"
#include "pipeline/memo/stretch_table.h"

namespace psim::pipeline {

class Core;

class StretchReplay {
 public:
  static constexpr std::size_t kRing = 4096;  // records

  explicit StretchReplay(Core& core) : core_(core), counts_(core) {}

  /// Takes over the core in its present cycle, and the records that `tape` has not delivered.
  void enter(OutcomeTape& tape);
  /// Repeats one of the stretches of the present state, whose cycles end by `last`. Returns null if none of
  /// them happens.
  Stretch* repeat(StoredState& state, const StretchTable::Entries& entries, std::uint64_t last);
  /// Returns where what happened left the stretches that the last repeat() tried.
  const Fork& fork() const { return fork_; }
  /// Returns true if the last repeat() left out a stretch that would end after `last`.
  bool left_out() const { return left_out_; }
  /// Returns true if calls were made since the last stretch, which the core has to be fed with.
  bool has_calls() const { return !actual_.empty() || !samples_.empty() || pending_ != isa::Pull::Record; }
  /// Puts the core into the state in which the last stretch has ended.
  void leave(const StoredState& state);
  /// Moves only the core's cycle and counts there; the core must not be stepped until leave().
  void rest();
  /// Goes on after rest().
  void go_on() { find_event(); }
  /// Returns the cycle in which the last stretch has ended.
  std::uint64_t now() const { return start_; }
  /// Prepares the tape to feed the calls made since the last stretch, and to deliver the records pulled
  /// ahead.
  void feed(OutcomeTape& tape);
  /// Returns the instructions of all stretches repeated.
  std::uint64_t repeated() const { return repeated_; }

 private:
  bool fits(const Stretch& stretch, std::uint64_t last);
  bool matches(const Stretch& stretch) const;
  /// Returns the key of the calls made so far.
  std::uint64_t key(const StoredState& from) const {
    ForkKey key(from);
    for (const TapedCall& call : actual_) key.add(call);
    for (std::size_t i = 0; i < taken_; ++i) key.add(ring_[(first_pulled_ + i) % kRing]);
    return key.value();
  }
  [[gnu::hot]] bool run(const Stretch& stretch, std::size_t call);
  bool pass(const Stretch& stretch, std::size_t& call, std::uint64_t cycle);
  [[gnu::hot]] bool pull(const Stretch& stretch, const TapedCall& call, std::size_t index);
  std::uint32_t follow(const Stretch& stretch, std::uint64_t cycle);
  bool next(const Stretch& stretch, const TapedCall& call, std::size_t index);
  bool differ(const Stretch& stretch, std::size_t call);
  bool differ(const Stretch& stretch, std::size_t call, const TapedCall& actual);
  void apply(Stretch& stretch);
  void take_samples(const Stretch& stretch);
  void sample_until(std::uint64_t cycle);
  void find_event();
  isa::InstructionRecord& record(std::uint64_t sequence) { return ring_[sequence % kRing]; }

  /// Returns room for kMostWidth records after those pulled.
  isa::RecordSlots next_slots() { return {&ring_[pulled_ % kRing], sizeof(isa::InstructionRecord)}; }
  /// Takes over `count` records in next_slots(). Returns their number.
  std::uint32_t keep(std::uint32_t count) {
    for (std::size_t i = kRing; i < pulled_ % kRing + count; ++i) ring_[i - kRing] = ring_[i];
    pulled_ += count;
    return count;
  }

  static constexpr std::uint32_t kMostWidth =
      64;  // records requested at once, which may lie beyond the ring's end

  Core& core_;
  CoreCounts counts_;
  std::vector<isa::InstructionRecord> ring_;
  std::uint64_t start_ = 0, head_ = 0;  // of the present stretch
  // The records from first_pulled_ to pulled_ were pulled for this stretch, some of them ahead. Its calls
  // have taken the first `taken_`. The first `checked_` are as remembered.
  std::uint64_t first_pulled_ = 0, pulled_ = 0;
  std::size_t taken_ = 0, checked_ = 0;
  std::uint64_t start_fetches_ = 0, fetches_ = 0;
  std::uint64_t event_ = 0;                                     // the next cycle with a fill or sample
  std::uint64_t sample_at_ = 0;                                 // the next sample
  std::vector<std::pair<std::uint8_t, std::uint8_t>> samples_;  // of this stretch: miss registers in use
  std::vector<TapedCall> actual_;                               // the calls made, if the next one differs
  bool answered_ = false;  // the last of them was made, and answered otherwise
  Fork fork_;
  isa::Pull pending_ = isa::Pull::Record;
  isa::InstructionRecord pending_record_;
  bool left_out_ = false;
  std::vector<Stretch*> used_;
  std::uint64_t repeated_ = 0;  // instructions
};

}  // namespace psim::pipeline
