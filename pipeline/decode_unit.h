// SPDX-License-Identifier: Apache-2.0
// Issue, stages E and D (JPS1-V p. 33): in order, up to `decode_width` instructions a cycle from the
// instruction buffer. Each takes a place in the commit stack and all it needs to complete: rename registers,
// a reservation station entry, a fetch or store port. The first that lacks one stops those behind it. Serial
// instructions enter an empty commit stack, with all stores written, and let nothing in behind them until
// they commit.
#pragma once

#include <cstdint>
#include <string>

#include "pipeline/execution_pipes.h"
#include "pipeline/fetch_unit.h"
#include "pipeline/load_store_unit.h"
#include "pipeline/observer.h"
#include "pipeline/rename_map.h"
#include "pipeline/simd/transfer_unit.h"
#include "pipeline/wake_up.h"

namespace psim::pipeline {

class ActivityCounter;

class DecodeUnit {
 public:
  DecodeUnit(const WindowConfig& config, InFlightRing& window, RenameMap& rename, WakeUp& wake_up,
             ExecutionPipes& pipes, LoadStoreUnit& operands, TransferUnit& transfers, FetchUnit& fetch)
      : width_(config.decode_width),
        commit_stack_(config.commit_stack),
        window_(window),
        rename_(rename),
        wake_up_(wake_up),
        pipes_(pipes),
        operands_(operands),
        transfers_(transfers),
        fetch_(fetch) {}
  void set_recorder(TimelineRecorder* recorder) { recorder_ = recorder; }
  void set_activity(ActivityCounter* activity) { activity_ = activity; }

  /// One cycle of D. False if no instruction was decoded.
  bool step(std::uint64_t now);
  /// What stopped the first instruction that was not decoded in the last cycle.
  StallCause stall() const { return stall_; }
  /// The last cycle decoded less than it could because no more instructions had arrived.
  bool starved() const { return starved_; }
  /// First cycle after `now` in which an instruction reaches D that has not yet.
  std::uint64_t next_event(std::uint64_t now) const {
    if (window_.decoded == window_.fetched) return kNever;
    const std::uint64_t decodable = window_[window_.decoded].decodable;
    return decodable > now ? decodable : kNever;
  }
  /// Undoes D of the instructions from `first` on.
  void flush(Sequence first, std::uint64_t now);
  std::string describe() const;

 private:
  StallCause admit(InFlight& entry, std::uint64_t now);

  const std::uint32_t width_, commit_stack_;
  InFlightRing& window_;
  RenameMap& rename_;
  WakeUp& wake_up_;
  ExecutionPipes& pipes_;
  LoadStoreUnit& operands_;
  TransferUnit& transfers_;
  FetchUnit& fetch_;
  Sequence serial_ = 0;  // the last serial instruction decoded
  StallCause stall_ = StallCause::None;
  bool starved_ = true;
  TimelineRecorder* recorder_ = nullptr;
  ActivityCounter* activity_ = nullptr;
};

}  // namespace psim::pipeline
