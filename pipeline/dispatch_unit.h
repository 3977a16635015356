// SPDX-License-Identifier: Apache-2.0
// Dispatch, stage P: from each reservation station to its pipe, oldest first (JPS1-V p. 33).
//
// X always follows B, and B follows P. A result is announced when its producer is dispatched, so that a
// dependent reaches X in the cycle in which the result can be forwarded. Atomics start only when they are the
// oldest instruction and all older stores have been written. A mispredicted branch notifies fetch when it
// resolves.
#pragma once

#include <cstdint>

#include "base/statistics/statistic.h"
#include "pipeline/execution_pipes.h"
#include "pipeline/fetch_unit.h"
#include "pipeline/load_store_unit.h"
#include "pipeline/wake_up.h"

namespace psim::pipeline {

class ActivityCounter;

struct DispatchStats : statistics::Group {
  explicit DispatchStats(const CoreConfig& config)
      : per_cycle(*this, "per_cycle", "instructions",
                  "instructions, also of wrong paths, issued to pipes in a cycle",
                  config.pipes.integer + config.pipes.fp + config.pipes.address + 1 +
                      config.simd.arithmetic_pipes) {}
  Distribution per_cycle;
  Counter cancelled{
      *this, "cancelled", "instructions",
      "instructions taken back from pipes because a load that they need did not hit; issued again"};
};

class DispatchUnit final : public LoadStoreUnit::Canceller {
 public:
  DispatchUnit(const CoreConfig& config, InFlightRing& window, WakeUp& wake_up, ExecutionPipes& pipes,
               FetchUnit& fetch)
      : window_(window), wake_up_(wake_up), pipes_(pipes), fetch_(fetch), stats_(config) {}
  void connect(LoadStoreUnit& operands) { operands_ = &operands; }
  void set_recorder(TimelineRecorder* recorder) { recorder_ = recorder; }
  void set_activity(ActivityCounter* activity) { activity_ = activity; }

  /// Steps P by one cycle. Returns false if nothing was dispatched.
  bool step(std::uint64_t now) {
    issued_ = 0;
    const bool active = wake_up_.tick(now) && select(now);
    stats_.per_cycle.add_bounded(issued_);
    return active;
  }
  /// Counts cycles in which nothing changes.
  void count_idle(std::uint64_t cycles) { stats_.per_cycle.add_bounded(0, cycles); }
  const DispatchStats& stats() const { return stats_; }
  void cancel_dispatch(Sequence sequence, std::uint64_t now) override;

 private:
  [[gnu::hot]] bool select(std::uint64_t now);
  template <bool kOne>
  [[gnu::hot]] bool select_rows(std::uint64_t now);
  bool waits(const InFlight& entry, Sequence sequence) const;
  template <bool kOne>
  [[gnu::always_inline]] bool try_start(Sequence sequence, ExecutionPipes::Widths& left, std::uint64_t now);
  template <bool kOne>
  [[gnu::always_inline]] void start(InFlight& entry, Sequence sequence, Station station,
                                    isa::LatencyClass latency, std::uint64_t now);

  InFlightRing& window_;
  WakeUp& wake_up_;
  ExecutionPipes& pipes_;
  FetchUnit& fetch_;
  LoadStoreUnit* operands_ = nullptr;
  unsigned issued_ = 0;  // in this cycle
  DispatchStats stats_;
  TimelineRecorder* recorder_ = nullptr;
  ActivityCounter* activity_ = nullptr;
};

}  // namespace psim::pipeline
