// SPDX-License-Identifier: Apache-2.0
// The scalar core: an out-of-order SPARC64 V (JPS1-V ch. 6; paper 003 table 1). A parts list and its wiring.
//
//   FetchUnit ─► InFlightRing (instruction buffer) ─► DecodeUnit ─► WakeUp, ExecutionPipes ─► DispatchUnit
//   IA … IR                                           E D  │        RenameMap                 P B X  │
//                                                          ▼                                         │
//   CommitUnit ◄── InFlightRing (commit stack) ◄──────────────────────────── LoadStoreUnit ◄─────────┘
//   U W                                                                      Ps Ts Ms Bs Rs, StoreQueue
//
// It is self-timed: it steps cycles until another event of the simulation is due. Cycles in which nothing can
// change are skipped, with the same result. A core whose source is idle, and in which nothing is under way,
// sleeps until wake() or the time that the source has named. Within a cycle the stages run in reverse order,
// so that each sees the state of its predecessor at the end of the cycle before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "base/statistics/registry.h"
#include "isa/state/instruction_source.h"
#include "pipeline/activity_counter.h"
#include "pipeline/commit_unit.h"
#include "pipeline/config.h"
#include "pipeline/cycle_repeater.h"
#include "pipeline/deadlock.h"
#include "pipeline/decode_unit.h"
#include "pipeline/dispatch_unit.h"
#include "pipeline/execution_pipes.h"
#include "pipeline/fetch_unit.h"
#include "pipeline/in_flight.h"
#include "pipeline/load_store_unit.h"
#include "pipeline/memory/l1_cache.h"
#include "pipeline/observer.h"
#include "pipeline/rename_map.h"
#include "pipeline/self_timed.h"
#include "pipeline/simd/transfer_unit.h"
#include "pipeline/timeline_recorder.h"
#include "pipeline/wake_up.h"

namespace psim::pipeline {

class CoreCounts;
class CoreMemo;
class FunctionalCore;
class OutcomeTape;
class StretchRecorder;
class StretchReplay;
class StretchTable;
class TimingState;

/// The options of a run. None but functional_pace changes the timing.
struct RunOptions {
  bool skip_idle = true;  ///< jump over cycles in which nothing can change
  /// Cycles between CoreObserver::on_interval, 0: never. A sleep of a grouped core in which an interval would
  /// end is an interval of its own.
  std::uint64_t interval = 0;
  /// Cycles between samples of queue occupancy. A prime, so that no loop runs in step with it.
  std::uint64_t sample_cycles = 61;
  /// Makes a WiredCore repeat remembered stretches instead of stepping their cycles (memo/core_memo.h), where
  /// that is possible.
  bool memoize = false;
  /// The stretches of cores with equal configurations, which outlives them; null: the core has its own.
  StretchTable* stretches = nullptr;
  bool grouped = false;  ///< a CoreGroup steps the core, which has no process of its own
  /// Cycles per instruction of a WiredCore that executes functionally, times FunctionalCore::kCycle. It may
  /// change during the run, and outlives the core. Null: the pipeline executes. This changes the timing.
  const std::uint64_t* functional_pace = nullptr;
};

struct CoreStats : statistics::Group {
  /// Declares the statistics. `cycles` advances with the core; `commit` holds the counts of committed
  /// instructions.
  CoreStats(const CoreConfig& config, const std::uint64_t& cycles, const CommitStats& commit);
  Watched cycles;
  Ratio ipc;
  Distribution commit_stack, instruction_buffer, integer_rename, fp_rename;
};

class Core : public SelfTimed, private CommitUnit::MarkerListener {
 public:
  /// Receives the end of the cycle in which a given instruction has committed.
  class CommitListener {
   public:
    virtual void on_committed() = 0;

   protected:
    ~CommitListener() = default;
  };

  Core(sc_core::sc_module_name name, const CoreConfig& config, isa::InstructionSource& source,
       L1Cache& instruction_cache, L1Cache& data_cache, RunOptions options = {});

  /// Attaches an observer. Call it before the simulation starts.
  void attach(CoreObserver& observer);
  /// Enables the counting of activity. Call it before the simulation starts.
  void count_activity();
  /// Returns the activity of the core and its first-level caches up to the cycle before now(). Without
  /// count_activity() all is zero but `cycles` and the caches.
  Activity activity() const;
  /// Returns the counter for other parts that count their activity, such as the SIMD part; null without
  /// count_activity().
  ActivityCounter* activity_counter() { return activity_.get(); }
  /// Calls `call` after every `cycles` cycles, and at the end of the run. Call it before the simulation
  /// starts.
  void call_every(std::uint64_t cycles, std::function<void()> call);
  /// Makes `profile`, which outlives the core, count all commits. Call it before the simulation starts.
  void set_profile(Profile& profile) {
    commit_.set_profile(&profile);
    operands_.set_profile(&profile);
  }
  void set_region_listener(RegionListener* listener) { region_listener_ = listener; }

  bool finished() const { return finished_; }
  /// Returns the totals up to the cycle before now().
  Totals totals() const;
  std::uint64_t now() const { return now_; }
  /// Registers the statistics of the core, its caches and TLBs.
  void register_statistics(statistics::Registry& registry) const;
  const FetchUnit& fetch() const { return fetch_; }
  const LoadStoreUnit& operands() const { return operands_; }
  FetchUnit& fetch() { return fetch_; }
  /// Calls `listener` once, at the end of the cycle in which the count of committed instructions reaches
  /// `instructions`. Replaces an earlier request.
  void call_at(std::uint64_t instructions, CommitListener& listener);
  /// Returns true if nothing is under way but block transfers: no instruction, store or line.
  bool drained() const;
  /// Returns true if block transfers are under way.
  bool transfers_under_way() const { return !transfers_.idle(); }
  /// Returns the statistics of the SIMD part, for a core with PEs.
  const SimdStats& simd_stats() const { return commit_.simd_stats(); }
  const TransferStats& transfer_stats() const { return transfers_.stats(); }
  /// Returns the unit for the port that serves its block transfers. Call it before the simulation starts.
  TransferUnit& transfers() { return transfers_; }
  /// Connects registers of devices, before the simulation starts. `device` outlives the core.
  void connect(DeviceWindow& device) { operands_.connect(device); }
  /// Makes a core continue whose source has reported Pull::Idle.
  void wake();
  /// Returns the cycles up to now() in which the core had no thread to run.
  std::uint64_t idle_cycles() const { return commit_.idle_cycles(); }

  // For CoreGroup, which steps cores in turn.
  /// Steps the cycle `now`, after cycles in which nothing changed. Returns the next cycle to step, unless an
  /// outside event comes before; kNever: none, or the program has ended.
  std::uint64_t step(std::uint64_t now);
  /// Returns the next cycle to step after an event outside the group, as step() does.
  std::uint64_t next_step();
  bool parked() const { return fetch_.parked(); }  ///< it has no thread to run
  /// Continues to fetch from cycle `from` on, if the core has no thread to run. Returns the next cycle to
  /// step.
  std::uint64_t unpark(std::uint64_t from);
  /// Counts the cycles up to `end`, in which nothing changes.
  void idle_until(std::uint64_t end) {
    if (end > now_) skip_to(end);
  }
  /// Returns a count that grows whenever the core sends a request to another module.
  [[gnu::hot]] std::uint64_t traffic() const;

  std::uint64_t stepped_cycles() const { return stepped_; }  ///< of `now`, those not skipped
  /// Makes the core call `repeater` before each cycle that it steps.
  void set_repeater(std::unique_ptr<CycleRepeater> repeater) { repeater_ = std::move(repeater); }
  /// Returns the number of instructions that the repeater has repeated.
  std::uint64_t repeated_instructions() const;
  std::string describe() const;

 private:
  friend class CoreCounts;
  friend class CoreMemo;
  friend class FunctionalCore;
  friend class StretchRecorder;
  friend class StretchReplay;
  void timing_state(TimingState& state);
  template <class Visit>
  void occupancies(Visit visit);
  [[gnu::hot]] std::uint64_t step_cycles() override;
  // The stages become part of it: their calls would cost an eighth of all host instructions.
  [[gnu::hot, gnu::flatten]] bool cycle();
  void watch(bool busy);
  [[gnu::hot]] std::uint64_t next_event() const;
  [[gnu::hot]] void rest(std::uint64_t limit);
  [[gnu::hot]] void skip_to(std::uint64_t next);
  void flush(Sequence first);
  void end_interval();
  void sample(std::uint64_t times);
  void at_stop();
  void find_next_stop() { next_stop_ = std::min({next_sample_, next_interval_, next_call_}); }
  void on_marker(Sequence sequence, std::uint64_t now) override;

  const CoreConfig config_;
  const RunOptions options_;
  InFlightRing window_;
  L1Cache& instruction_cache_;
  L1Cache& data_cache_;
  FetchUnit fetch_;
  RenameMap rename_;
  WakeUp wake_up_;
  ExecutionPipes pipes_;
  DispatchUnit dispatch_;
  LoadStoreUnit operands_;
  TransferUnit transfers_;
  DecodeUnit decode_;
  CommitUnit commit_;

  std::unique_ptr<CycleRepeater> repeater_;
  OutcomeTape* tape_ = nullptr;
  std::uint64_t now_ = 0;        // the next cycle to step
  std::uint64_t idle_from_ = 0;  // until then, an earlier action still progresses by itself
  std::uint64_t due_ = 0;        // the next cycle in which the core has an action without an outside event
  std::uint64_t stepped_ = 0;
  std::uint64_t progress_ = 0, busy_ = 0;  // for the watchdog: completed items, busy cycles since
  CoreStats stats_;
  bool finished_ = false;

  std::vector<CoreObserver*> observers_;
  std::unique_ptr<TimelineRecorder> recorder_;
  std::unique_ptr<ActivityCounter> activity_;
  RegionListener* region_listener_ = nullptr;
  Totals interval_start_;
  std::function<void()> call_;
  std::uint64_t call_cycles_ = 0;
  CommitListener* commit_listener_ = nullptr;
  std::uint64_t call_at_ = kNever;  // committed instructions
  // Values of now_ at which other actions are due in addition to the cycle; kNever: never.
  std::uint64_t next_sample_, next_interval_, next_call_ = kNever, next_stop_ = 0;
};

template <class Visit>
void Core::occupancies(Visit visit) {
  visit(stats_.commit_stack, window_.in_commit_stack());
  visit(stats_.instruction_buffer, window_.in_instruction_buffer());
  visit(stats_.integer_rename, config_.window.integer_rename - rename_.integer_free());
  visit(stats_.fp_rename, config_.window.fp_rename - rename_.fp_free());
  pipes_.occupancies(visit);
  operands_.occupancies(visit);
}

}  // namespace psim::pipeline
