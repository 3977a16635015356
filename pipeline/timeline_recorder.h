// SPDX-License-Identifier: Apache-2.0
// Records the steps of each instruction in flight and announces its whole timeline when it leaves. A recorder
// exists only while a CoreObserver is attached; otherwise the components' pointer to it is null.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/in_flight.h"
#include "pipeline/observer.h"

namespace psim::pipeline {

class TimelineRecorder {
 public:
  /// Creates the recorder. `fetch_latency`: from IA to the end of the first cycle of IB on an instruction
  /// cache hit.
  TimelineRecorder(InFlightRing& window, const std::vector<CoreObserver*>& observers,
                   std::uint64_t fetch_latency);

  void fetched(Sequence sequence) { of(sequence).clear(next_identity_++); }
  /// Records the cause that stopped decode in the cycles [begin, end).
  void decode_stall(StallCause cause, std::uint64_t begin, std::uint64_t end);
  /// Records P. `operands` is the first cycle of P that the operands of the instruction allowed.
  void dispatched(Sequence sequence, std::uint64_t now, std::uint64_t operands) {
    of(sequence).dispatches.push_back({now, kNever, operands});
  }
  void cancelled(Sequence sequence, std::uint64_t now) { of(sequence).dispatches.back().cancelled = now; }
  void wake_up(Sequence consumer, Sequence producer, std::uint64_t cycle) {
    of(consumer).wakeups.push_back({of(producer).identity, cycle});
  }
  void load_waits(Sequence load, Progress why, std::uint64_t now);
  void load_goes_on(Sequence load, std::uint64_t now);
  /// Ends an instruction: by W in cycle `now`, or by a flush at its start.
  void leave(Sequence sequence, std::uint64_t now, bool flushed);
  /// Returns the fetch order of an instruction in flight; it never goes back.
  std::uint64_t identity(Sequence sequence) const { return lives_[window_.index(sequence)].identity; }

 private:
  struct Dispatch {
    std::uint64_t at, cancelled, operands;
  };
  struct Wait {
    std::uint64_t begin, end;
    Progress why;
  };
  struct Life {
    std::uint64_t identity = 0;
    std::vector<Dispatch> dispatches;
    std::vector<Wait> waits;
    std::vector<Wakeup> wakeups;
    void clear(std::uint64_t id) { identity = id, dispatches.clear(), waits.clear(), wakeups.clear(); }
  };
  Life& of(Sequence sequence) { return lives_[window_.index(sequence)]; }
  void stage(std::uint64_t cycle, Stage stage, std::uint64_t end, std::uint32_t depth = 1);
  void stall(std::uint64_t begin, std::uint64_t end, StallCause cause);
  void ending(const InFlight& e, std::uint64_t end);
  void sbm_access(const InFlight& e, const Life& life, std::uint64_t end);
  void execution(const InFlight& entry, const Life& life, std::uint64_t end);

  InFlightRing& window_;
  const std::vector<CoreObserver*>& observers_;
  const std::uint64_t fetch_latency_;
  std::vector<Life> lives_;
  std::vector<StallSpan> decode_stalls_;  // of the instructions in flight, oldest first
  std::uint64_t next_identity_ = 0, retired_ = 0;
  std::vector<StageEvent> stages_;  // scratch of leave()
  std::vector<StallSpan> stalls_;
};

}  // namespace psim::pipeline
