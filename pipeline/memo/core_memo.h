// SPDX-License-Identifier: Apache-2.0
// Fast-forwarding of a core by remembered pipeline states (Schnarr, Larus: FastSim, ASPLOS 1998). The result
// is exactly that of the core alone.
//
// At a branch back that commits, the timing state of the core is written in canonical form and looked up. A
// stretch is what followed such a state until the next one: the calls to the parts outside (OutcomeTape) with
// their answers, and the effects: cycles, and what was added to each count. When a state comes back, its
// stretches are tried: their calls are made again, in the same order and cycles, on the source of
// instructions, the caches and the branch history themselves. As long as these answer as before, the core
// would do the same, so its stages need not be stepped; at the end of the stretch its effects are added. At
// the first other answer the state is put back into the core, which is fed with the answers so far, and
// records a new stretch from there.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pipeline/cycle_repeater.h"
#include "pipeline/memo/outcome_tape.h"

namespace psim::statistics {
class Distribution;
class Group;
}  // namespace psim::statistics

namespace psim::pipeline {

class Core;

class CoreMemo final : public CycleRepeater {
 public:
  static constexpr std::size_t kMostWindow = 1024;  ///< instructions in flight

  explicit CoreMemo(Core& core);
  ~CoreMemo() override;
  /// Returns true if the states of `core` can be stored.
  static bool can_store(const Core& core);
  std::uint64_t repeated() const override { return replayed_; }
  void before_cycle() override {
    if (!attached_)
      wait();
    else
      follow();
  }

 private:
  struct Node;
  /// Values of all sampled distributions, by the cycles since the start from which they hold.
  struct Occupancy {
    std::vector<std::uint32_t> from;
    std::vector<std::uint16_t> values;
  };
  struct Stretch {
    Node* end = nullptr;
    std::unique_ptr<Stretch> next;  ///< from the same state
    std::uint32_t cycles = 0, committed = 0, instructions = 0;
    std::vector<TapedCall> calls;
    std::vector<isa::InstructionRecord> records;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> deltas;
    Occupancy occupancy;
    std::uint64_t uses = 0;  ///< whose effects are not added yet
  };
  struct Node {
    std::vector<std::uint8_t> state;
    std::unique_ptr<Stretch> first;
    std::uint32_t stretches = 0;
  };

  void attach(bool on);
  void wait();
  void follow() {
    if (tape_.recording()) note_occupancy();
    if (tape_.turned_back) at_boundary();
  }
  void at_boundary();
  void find_words();
  void begin(Node& node);
  void finish(Node& end);
  bool pauses();
  std::span<const std::uint8_t> present_state();
  Node* node_of(std::span<const std::uint8_t> state);
  void note_occupancy();
  void load_records();
  void put_back(const Node& node);
  bool eligible() const;
  Stretch* try_stretches(Node& node);
  bool fits(const Stretch& stretch) const;
  bool matches(const Stretch& stretch) const;
  bool run(const Stretch& stretch, std::size_t call);
  bool pass(const Stretch& stretch, std::size_t& call, std::uint64_t cycle);
  bool pull(const Stretch& stretch, const TapedCall& call, std::size_t index);
  bool next(const Stretch& stretch, const TapedCall& call, std::size_t index);
  bool differ(const Stretch& stretch, std::size_t call);
  bool differ(const Stretch& stretch, std::size_t call, const TapedCall& actual);
  void apply(Stretch& stretch);
  void add_effects();
  void sample_until(std::uint64_t cycle);
  void find_event();
  static bool same(const isa::InstructionRecord& a, const isa::InstructionRecord& b);
  isa::InstructionRecord& record(std::uint64_t sequence) { return ring_[sequence % kRing]; }

  static constexpr std::size_t kRing = 4096;  // records
  static constexpr std::uint32_t kMostWidth =
      64;  // records requested at once, which may lie beyond the ring's end
  static constexpr std::uint64_t kLeastCycles = 16;   // of a stretch
  static constexpr std::uint64_t kMostLength = 1000;  // its cycles, and the records that it pulls
  static constexpr std::size_t kMostCalls = 8192;
  static constexpr std::uint32_t kMostStretches = 12;  // from one state
  static constexpr std::size_t kMostBytes = std::size_t{24} << 20;
  // After kTrial instructions it is decided whether enough of them were repeated.
  static constexpr std::uint64_t kTrial = 2048, kWorthwhilePercent = 60;
  static constexpr std::uint64_t kLeastPause = 1024, kMostPause = std::uint64_t{1} << 19;  // cycles

  Core& core_;
  OutcomeTape tape_;
  bool attached_ = false;
  std::uint64_t try_at_ = 1000;        // the cycle from which boundaries are looked for
  std::uint64_t pause_ = kLeastPause;  // cycles without
  std::uint64_t judged_ = 0, judged_replayed_ = 0,
                judge_at_ = 0;  // instructions, of the last decision and next
  std::unordered_multimap<std::uint64_t, std::unique_ptr<Node>> nodes_;
  std::size_t bytes_ = 0;
  std::vector<std::uint8_t> state_;  // scratch

  // Recording.
  Node* from_ = nullptr;
  std::uint64_t rec_cycle_ = 0, rec_instructions_ = 0, rec_head_ = 0;
  std::vector<std::uint64_t*> words_;
  std::vector<std::uint64_t> before_;
  Occupancy occupancy_;

  // Replaying.
  std::vector<isa::InstructionRecord> ring_;
  std::uint64_t start_ = 0, head_ = 0;  // of the present stretch
  std::uint64_t first_pulled_ = 0,
                pulled_ = 0;  // the records from first_pulled_ to pulled_ are of this stretch
  std::uint64_t start_fetches_ = 0, fetches_ = 0, instructions_ = 0;
  std::uint64_t event_ = 0;                                     // the next cycle with a fill or sample
  std::uint64_t sample_at_ = 0;                                 // the next sample
  std::vector<std::pair<std::uint8_t, std::uint8_t>> samples_;  // of this stretch: miss registers in use
  std::vector<TapedCall> actual_;  // the calls made, if one was answered otherwise
  isa::Pull pending_ = isa::Pull::Record;
  isa::InstructionRecord pending_record_;
  std::vector<Stretch*> used_;

  std::uint64_t replayed_ = 0;  // instructions
};

}  // namespace psim::pipeline
