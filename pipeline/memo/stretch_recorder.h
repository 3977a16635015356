// SPDX-License-Identifier: Apache-2.0
// Records stretches while the core steps: what OutcomeTape does not, that is the state in which a stretch
// begins, its counts, and the occupancy of queues.
#pragma once

#include <cstdint>
#include <memory>

#include "pipeline/memo/core_counts.h"
#include "pipeline/memo/outcome_tape.h"
#include "pipeline/memo/stretch_table.h"

namespace psim::pipeline {

class Core;

class StretchRecorder {
 public:
  static constexpr std::uint64_t kLeastCycles = 16;   // of a stretch
  static constexpr std::uint64_t kMostLength = 1000;  // its cycles, and the records that it pulls

  StretchRecorder(Core& core, OutcomeTape& tape, StretchTable& table)
      : core_(core), tape_(tape), table_(table), counts_(core) {}

  /// Begins a stretch in the present state of the core, which will leave others at `fork`.
  void begin(StoredState& state, const Fork& fork = {});
  /// Records the entries in use after the last cycle. Call it before each cycle of a stretch.
  void note_occupancy();
  /// Returns true if the stretch may end in the present cycle.
  bool long_enough() const;
  /// Ends the stretch in the present state, and adds it to the table if it can be repeated.
  void finish(StoredState& end);
  /// Ends it without a result.
  void drop();

 private:
  static constexpr std::size_t kMostCalls = 8192;

  Core& core_;
  OutcomeTape& tape_;
  StretchTable& table_;
  CoreCounts counts_;
  StoredState* from_ = nullptr;  // null: nothing is recorded
  Fork fork_;
  std::shared_ptr<StretchTable::Entries> generation_;  // which holds from_
  std::uint64_t cycle_ = 0, instructions_ = 0, head_ = 0;
  Occupancy occupancy_;
};

}  // namespace psim::pipeline
