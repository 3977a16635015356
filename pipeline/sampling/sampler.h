// SPDX-License-Identifier: Apache-2.0
// Sampled simulation in the manner of SMARTS (Wunderlich et al., ISCA 2003): windows of cycles at places that
// a plan chooses; between them the program runs functionally and keeps the core's state warm.
//
//   ├── start ──┼ unit ┼ unit ┤drain│ … functional …  ├─ warm-up ─┼── unit ──┤drain│ … functional …
//     measured    measured                             in cycles,    measured
//                                                      not measured
//
// The first two units follow the start, so that a program that is hardly longer has units, or has run in
// cycles as a whole. A unit there with code that runs for the first time, or shortly after such code, counts
// like the start, and another one follows.
//
// A client may have a window go on after its unit, to measure a late unit at its end: the core may need more
// than a warm-up to reach its steady state (predict/late_units.h).
//
// The core sees one stream of instructions. At the end of a window the source holds the next instruction back
// until nothing is under way, executes functionally, and goes on at the start of the next window; no cycle of
// the core passes meanwhile. A unit ends in the cycle in which its last instruction commits, while younger
// instructions are under way.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "pipeline/region_account.h"
#include "pipeline/sampling/burst_finder.h"
#include "pipeline/sampling/loop_finder.h"
#include "pipeline/sampling/sampled_stream.h"
#include "pipeline/sampling/seen_numbers.h"

namespace psim::pipeline {

struct SamplerConfig {
  std::uint64_t start = 20'000;   ///< instructions measured completely at the start of the program
  std::uint64_t warm_up = 1'000;  ///< instructions in cycles before a unit
  std::uint64_t unit = 1'000;     ///< instructions
  std::uint64_t wait = 140;       ///< cycles of a wait for memory, to find bursts
};

/// Whole iterations of a loop. `head` 0: there was none.
struct MeasuredLoop {
  std::uint64_t head = 0;
  bool nest = false;               ///< the loops inside count, too
  std::uint64_t instructions = 0;  ///< of the loop alone
  Totals totals;                   ///< from the first to the last of these iterations
  std::uint64_t l1d_misses = 0;    ///< likewise
};

/// The counts of one unit.
struct MeasuredUnit {
  struct Region {
    std::size_t row;  ///< of SampledStream::regions()
    Totals totals;
    std::vector<Activity> activity;
  };
  std::uint64_t weight = 0;  ///< instructions of the program that it stands for
  Totals whole, first_half;
  Work work;                       ///< of `whole`
  MeasuredLoop loop;               ///< that has most of its instructions
  MeasuredLoop nest;               ///< the outermost loop that has kInNest of its instructions
  bool enters_loop = false;        ///< the window has the start of that loop, too
  bool in_one_loop = false;        ///< the window has no other loop, and that one calls nothing
  bool burst = false;              ///< measured as a burst
  bool transfers = false;          ///< measured with an episode of block transfers that began in its window
  bool new_code = false;           ///< has code that ran for the first time
  bool complete = false;           ///< an episode that has ended
  std::vector<Activity> activity;  ///< one if it is measured: it has 17 KiB
  /// Regions that executed in the unit. Counts of a region that is open more than once, by recursion, appear
  /// once for each opening.
  std::vector<Region> regions;
};

/// The counts of a late unit.
struct MeasuredLateUnit {
  Totals totals;
  Work work;
  MeasuredLoop loop, nest;  ///< as those of a unit
};

/// Block transfers and the waits for them, in all windows.
struct MeasuredWaits {
  std::uint64_t cycles = 0;
  TransferActivity transfers;  ///< if activity is measured
};

class Sampler final : public isa::SourceBefore,
                      private RegionListener,
                      private Core::CommitListener,
                      private SampledStream::RegionFollower {
 public:
  class Client {
   public:
    virtual ~Client() = default;
    /// Receives the start of the program, which is measured completely.
    virtual void on_start(const MeasuredUnit& start) = 0;
    virtual void on_unit(const MeasuredUnit& unit) = 0;
    /// Returns the instructions from the end of the next unit to that of a late unit in its window; 0: none.
    /// The window begins after `instructions` of the program.
    virtual std::uint64_t late_unit(std::uint64_t instructions) = 0;
    /// Receives a late unit, which counts for nothing else, and the unit before it.
    virtual void on_late_unit(const MeasuredUnit& unit, const MeasuredLateUnit& late) = 0;
    /// Receives a part of the program that was measured because its code ran for the first time, or as a
    /// burst.
    virtual void on_new_code(const MeasuredUnit& part) = 0;
    /// Receives the first measured part of a burst, before the burst itself, and the `lost` instructions
    /// before that part that the burst has, too.
    virtual void on_start_of_burst(const MeasuredUnit& part, std::uint64_t lost) = 0;
    /// Receives an episode of block transfers. It is measured completely, whether it stands for others or
    /// not.
    virtual void on_episode(std::uint64_t kind, const MeasuredUnit& episode) = 0;
    /// Receives the episodes that ran functionally since the last call.
    virtual void on_passed(const std::vector<SampledStream::Passed>& passed) = 0;
    /// Receives iterations of a loop that the core has entered as in a run without samples.
    virtual void on_entered_loop(const MeasuredLoop& loop) = 0;
    /// Receives waits for block transfers, all of which run in cycles: those of the whole program after its
    /// start, without a row, and of the regions that were open.
    virtual void on_waits(const MeasuredWaits& waits, const std::vector<std::size_t>& rows) = 0;
    /// Returns the cycles per instruction of the program after `instructions`, × 65536.
    virtual std::uint64_t pace(std::uint64_t instructions) = 0;
  };

  /// Units that follow the start at once.
  static constexpr std::uint64_t kFirstUnits = 2;
  /// A window for block transfers ends when this number of instructions follow the last one or its wait, and
  /// none is under way. It also ends when kLongTransfer of them follow, if the program has not waited by
  /// then.
  static constexpr std::uint64_t kAfterTransfer = 256, kLongTransfer = 100'000;

  /// All outlive the sampler.
  Sampler(SampledStream& stream, const SamplerConfig& config, Client& client);
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  /// Makes units measure activity, too. `sample` returns all activity up to now.
  void measure_activity(std::function<Activity()> sample) { sample_ = std::move(sample); }
  /// Counts the work of units and of the program, which costs 8 bytes for each instruction of a window.
  void count_work() { counts_work_ = true; }
  /// Connects the core, which was made with this source. Call it once, before the simulation starts.
  void attach(WiredCore& core);
  /// Call after the simulation: a program that ended in its start has been measured completely.
  void finish();

  isa::Pull next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) override;
  std::uint32_t next_straight(std::uint64_t cycle, std::uint64_t pc, std::uint64_t block_bytes,
                              std::uint32_t count, isa::RecordSlots out) override;

  /// With count_work(), returns the work of all instructions for which units stand: those of the program
  /// after its start, except in windows that were measured for themselves.
  const Work& sampled_work() const { return sampled_work_; }
  /// Returns the instructions executed in cycles so far: measured, or for warm-up.
  std::uint64_t detailed_instructions() const { return core_->core.totals().instructions; }

 private:
  enum class Phase : std::uint8_t {
    Start,
    Transfers,
    NewCode,
    Loop,
    WarmUp,
    FirstHalf,
    SecondHalf,
    Late,
    Done
  };
  /// Likewise, instructions after the last one at new code.
  static constexpr std::uint64_t kAfterNewCode = 1'024;
  /// Instructions of a unit that an episode cuts off.
  static constexpr std::uint64_t kShortestUnit = 100;
  /// Instructions between two looks for a burst, those of a burst's window that stand for the instructions
  /// before it, and the most of its window.
  static constexpr std::uint64_t kWatch = 64, kBurstStart = 256, kMostBurst = 16'384;
  /// The window of a loop: instructions until its rate is steady, and until its end. It ends earlier if no
  /// branch to the loop's head is among kLeftLoop instructions. A unit that follows a loop enters it if
  /// kLeftLoop instructions of the window precede the first branch to its head.
  static constexpr std::uint64_t kSteady = 4'096, kLoopWindow = 6'144, kLeftLoop = 512;
  /// The part of a unit that whole iterations of its nest have.
  static constexpr double kInNest = 0.75;
  struct Open {
    std::size_t row;
    std::string name;
  };

  RegionMark on_region_marker(const Totals& totals) override;
  void on_committed() override;
  void skip(std::uint64_t cycle);
  void begin_unit();
  void end_unit();
  void end_cut_unit();
  void go_on_after_unit();
  void begin_or_end_late_unit();
  void end_first_unit();
  void give_up_first_units();
  void count_operations(const isa::StaticInstruction& instruction) {
    if (counts_work_)
      operations_.push_back(operations_.back() + isa::ExecutionWarmer::Counts::operations_of(instruction));
  }
  std::uint64_t least_window() const;
  void note_branch(const isa::InstructionRecord& record);
  void notice_new_code();
  void measure_until(std::uint64_t to);
  void note_transfer(const isa::InstructionRecord& record);
  bool stops_before_episode();
  std::uint64_t after_transfer() const;
  void leave_unit();
  void end_episode();
  void watch_burst(const Totals& now);
  Work work_in_cycles() const;
  void end_work();
  std::uint64_t l2_misses() const { return core_->memory.l2.stats().misses; }
  void begin_segments();
  void end_exact();
  void call_at(std::uint64_t instructions);
  void schedule();
  MeasuredLoop innermost_loop() const;
  MeasuredLoop nest() const;
  static MeasuredLoop measured(const LoopFinder::Loop& loop, std::uint64_t instructions, bool nest);
  bool enters(std::uint64_t head) const;
  MeasuredUnit::Region& part_of(std::size_t row);
  void end_segment();
  void add_activity();
  void count_waits();
  void on_marker(const isa::RegionMarker& marker) override;
  void set_open(const std::vector<std::size_t>& rows) override;
  std::vector<std::size_t> open() const override;

  SampledStream& stream_;
  const SamplerConfig config_;
  Client& client_;
  WiredCore* core_ = nullptr;
  std::uint64_t code_line_bytes_ = 0;

  Phase phase_ = Phase::Start;
  bool holds_back_ = false;        // no further record of this window
  std::uint64_t pulled_ = 0;       // instructions of the window
  std::uint64_t window_from_ = 0;  // committed instructions at the start of the window
  MeasuredUnit unit_;
  std::uint64_t unit_at_ = 0;                      // instructions of the window before the unit
  std::uint64_t late_to_ = 0;                      // likewise, before the end of its late unit; 0: none
  Totals late_from_;                               // at the start of the late unit, if it has begun
  Work late_work_;                                 // likewise
  bool first_ = false;                             // the unit is one of the first
  std::vector<MeasuredUnit> first_units_;          // until they are complete
  std::vector<std::uint64_t> early_code_;          // new code before their end: instructions of the program
  LoopFinder loops_;                               // of the unit
  std::uint64_t follow_from_ = 0, follow_to_ = 0;  // instructions of the window, for loops_
  std::vector<std::pair<std::uint64_t, std::uint64_t>> heads_;  // of the window, and their first branches
  std::uint64_t last_head_ = 0;                                 // of the last branch, in any window
  std::uint64_t loop_ = 0, in_loop_ = 0;  // of the window of a loop: its head, and the last branch to it
  std::uint64_t outer_loop_ = 0;          // head of another loop that this window has entered
  std::uint64_t next_step_ = 0;           // committed instructions at which the phase changes
  Totals segment_, unit_start_;  // counts at the start of the segment between markers, and of the unit
  bool counts_work_ = false;
  // Of each instruction of the window, and all before it there; those of earlier windows.
  std::vector<isa::ExecutionWarmer::Counts::Packed> operations_{0};
  Work earlier_operations_;
  Work unit_work_, window_work_, sampled_work_;  // before the unit, before the window, and as returned
  bool measuring_ = true;
  // The window is measured, or will be, because of new code, a burst or an episode; at least this number of
  // its instructions.
  std::uint64_t measure_to_ = 0;
  bool exact_ = false;
  bool cut_ = false;  // the instructions before an episode end as a unit when they have committed
  // The same for a burst. `watched_`: committed instructions at the next look.
  bool burst_ = false;
  BurstFinder bursts_;
  std::uint64_t watched_ = kNever, misses_ = 0;
  std::uint64_t lost_ = 0;    // instructions of the burst before the window
  MeasuredUnit burst_start_;  // the first instructions of the window
  MeasuredUnit before_unit_;  // the instructions of the window before its unit, if it is watched
  SeenNumbers entered_;       // addresses of branches that closed a loop in any window

  std::uint64_t weight_ = 0;                   // of the window
  std::uint64_t transferred_ = 0;              // instructions of the window up to its last transfer; 0: none
  std::uint64_t episode_ = 0;                  // kind of the window's episode; 0: none
  std::uint32_t tags_ = 0;                     // of its transfers for which the program has not waited
  bool new_in_episode_ = false;                // it has code that runs for the first time
  std::unordered_set<std::uint64_t> endless_;  // kinds that went on without waiting for kLongTransfer
  MeasuredWaits waits_;                        // those that are counted
  std::function<Activity()> sample_;
  Activity segment_activity_;
  std::uint64_t resume_ = 0, idle_from_ = 0;  // cycles: of the first record after a skip, and of the skip
  std::vector<Open> open_;                    // at W
  std::string marked_;
};

}  // namespace psim::pipeline
