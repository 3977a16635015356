// SPDX-License-Identifier: Apache-2.0
// The scalar core: an out-of-order SPARC64 V (JPS1-V ch. 6; paper 003 table 1). A parts list and its wiring.
//
//   FetchUnit ──► InFlightRing (instruction buffer) ──► DecodeUnit ──► WakeUp, ExecutionPipes ──►
//   DispatchUnit IA … IR                                             E D  │ RenameMap P B X
//                                                            ▼                                      │
//   CommitUnit ◄── InFlightRing (commit stack) ◄──────────────────────────── LoadStoreUnit ◄────────┘
//   U W                                                                      Ps Ts Ms Bs Rs, StoreQueue
//
// One self-timed process steps cycles in a plain loop, without a clock, as far as nothing else in the
// simulation is due; cycles in which nothing can change are skipped, with the same result. Within a cycle the
// stages run in reverse order, so that each sees what the one behind it held at the end of the cycle before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "base/statistics/registry.h"
#include "isa/instruction_source.h"
#include "pipeline/activity_counter.h"
#include "pipeline/commit_unit.h"
#include "pipeline/config.h"
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
#include "pipeline/simd/transfer_unit.h"
#include "pipeline/timeline_recorder.h"
#include "pipeline/wake_up.h"

namespace psim::pipeline {

/// How a core is run; none of it changes a cycle.
struct RunOptions {
  bool skip_idle = true;       ///< jump over cycles in which nothing can change
  std::uint64_t interval = 0;  ///< cycles between CoreObserver::on_interval, 0: never
  /// Cycles between samples of how full queues are. A prime, so that no loop keeps in step with it.
  std::uint64_t sample_cycles = 61;
};

struct CoreStats : statistics::Group {
  /// `cycles` steps with the core, `commit` counts what it commits.
  CoreStats(const CoreConfig& config, const std::uint64_t& cycles, const CommitStats& commit);
  Watched cycles;
  Ratio ipc;
  Distribution commit_stack, instruction_buffer, integer_rename, fp_rename;
};

class Core : public sc_core::sc_module, private CommitUnit::MarkerListener {
 public:
  /// Hears of region markers as they commit, with the totals up to and including that cycle.
  class RegionListener {
   public:
    virtual ~RegionListener() = default;
    /// Returns the name and whether it begins, for the observers.
    virtual RegionMark on_region_marker(const Totals& totals) = 0;
  };

  Core(sc_core::sc_module_name name, const CoreConfig& config, isa::InstructionSource& source,
       L1Cache& instruction_cache, L1Cache& data_cache, RunOptions options = {});

  /// Before the simulation starts.
  void attach(CoreObserver& observer);
  /// Before the simulation starts: what happens is counted from now on.
  void count_activity();
  /// Up to the cycle before now(): what happened in the core and its first-level caches. All but `cycles` and
  /// the caches is zero without count_activity().
  Activity activity() const;
  /// For the SIMD part and others that count what they do; null without count_activity().
  ActivityCounter* activity_counter() { return activity_.get(); }
  /// Before the simulation starts: calls `call` after every `cycles` cycles, and at the end of the run.
  void call_every(std::uint64_t cycles, std::function<void()> call);
  /// Before the simulation starts: `profile`, which outlives the core, counts all that commits.
  void set_profile(Profile& profile) { commit_.set_profile(&profile); }
  void set_region_listener(RegionListener* listener) { region_listener_ = listener; }

  bool finished() const { return finished_; }
  /// Throws what ended the run early: Deadlock if nothing went on, or what the instruction source threw. For
  /// after sc_start(), through which no exception passes unchanged.
  void check() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  /// Up to the cycle before now().
  Totals totals();
  std::uint64_t now() const { return now_; }
  /// Names the statistics of the core, its caches and TLBs.
  void register_statistics(statistics::Registry& registry) const;
  const FetchUnit& fetch() const { return fetch_; }
  /// Of a core with PEs.
  const SimdStats& simd_stats() const { return commit_.simd_stats(); }
  const TransferStats& transfer_stats() const { return transfers_.stats(); }
  /// For the port that serves its block transfers; before the simulation starts.
  TransferUnit& transfers() { return transfers_; }
  /// Registers of devices, before the simulation starts; `device` outlives the core.
  void connect(DeviceWindow& device) { operands_.connect(device); }
  std::uint64_t stepped_cycles() const { return stepped_; }  ///< of `now`, those not skipped
  std::string describe() const;

 private:
  void activate();
  bool step_cycles();
  std::uint64_t last_free_cycle() const;
  std::uint64_t traffic() const;
  bool cycle();
  void watch(bool busy);
  void rest(std::uint64_t limit);
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

  std::uint64_t now_ = 0;        // the next cycle to step
  std::uint64_t idle_from_ = 0;  // until then, something started earlier goes on by itself
  std::uint64_t due_ = 0;        // the next cycle in which the core has something to do by itself
  std::uint64_t stepped_ = 0;
  std::uint64_t progress_ = 0, busy_ = 0;  // for the watchdog: what has ended, and busy cycles since
  CoreStats stats_;
  bool finished_ = false;
  std::exception_ptr failure_;
  const std::uint64_t period_;  // in units of the time resolution

  std::vector<CoreObserver*> observers_;
  std::unique_ptr<TimelineRecorder> recorder_;
  std::unique_ptr<ActivityCounter> activity_;
  RegionListener* region_listener_ = nullptr;
  Totals interval_start_;
  std::function<void()> call_;
  std::uint64_t call_cycles_ = 0;
  // Values of now_ at which something is to be done beside the cycle; kNever: never.
  std::uint64_t next_sample_, next_interval_, next_call_ = kNever, next_stop_ = 0;
};

}  // namespace psim::pipeline
