// SPDX-License-Identifier: Apache-2.0
// Counts the steps of instructions into an Activity when they leave. The units hold a pointer to the counter
// that is null unless activity is requested, so a run without it costs one test.
#pragma once

#include "pipeline/activity.h"
#include "pipeline/config.h"
#include "pipeline/in_flight.h"

namespace psim::pipeline {

/// Registers of 64 bits that an instruction names, by file.
struct RegisterCounts {
  std::uint8_t integer_sources = 0, fp_sources = 0, integer_destinations = 0, fp_destinations = 0;
  std::uint8_t sources = 0, destinations = 0;  ///< of any kind, as the rename map sees them
};
RegisterCounts register_counts(const isa::StaticInstruction& instruction);

class ActivityCounter {
 public:
  ActivityCounter(const LatencyTable& latency, const Stages& stages);

  /// Counts an instruction at its W.
  void committed(const InFlight& entry);
  /// Counts an instruction that a flush removes at the start of cycle `now`.
  void flushed(const InFlight& entry, bool decoded, std::uint64_t now);
  /// Counts a P that is cancelled in cycle `now`.
  void cancelled(const InFlight& entry, std::uint64_t now);

  /// Counts a block transfer that goes to the engine.
  void transfer(const isa::BlockTransfer& transfer);

  Activity counts;

 private:
  void add_pe_work(PeActivity& to, const InFlight& entry, std::uint64_t now) const;
  static void add_operands(InstructionActivity& work, const InFlight& entry, bool started, bool read,
                           bool produced, bool retired);
  std::uint64_t execution_cycles(const InFlight& entry) const;

  const LatencyTable latency_;
  const Stages stages_;
};

}  // namespace psim::pipeline
