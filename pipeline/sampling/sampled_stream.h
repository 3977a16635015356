// SPDX-License-Identifier: Apache-2.0
// The instructions of the windows of a sampled run. skip() moves from the end of a window to the next one and
// gives the core the state that functional execution between them leaves.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "isa/state/instruction_source.h"
#include "isa/state/region_marker.h"
#include "pipeline/region_account.h"
#include "pipeline/sampling/work.h"
#include "pipeline/wired_core.h"

namespace psim::pipeline {

class SampledStream : public isa::InstructionSource {
 public:
  /// Follows the regions that open and close in program order, outside of windows.
  class RegionFollower {
   public:
    virtual void on_marker(const isa::RegionMarker& marker) = 0;
    /// Replaces the regions that are open, by their rows.
    virtual void set_open(const std::vector<std::size_t>& rows) = 0;
    virtual std::vector<std::size_t> open() const = 0;

   protected:
    ~RegionFollower() = default;
  };

  /// Connects the core. Call it once, before the simulation starts. `regions` outlives the stream.
  virtual void attach(WiredCore& core, RegionFollower& regions) = 0;
  /// An episode of block transfers that ran functionally (predict/episode_sample.h).
  struct Passed {
    std::uint64_t kind, instructions;
  };
  struct Window {
    std::uint64_t skipped = 0;  ///< instructions since the last window
    std::uint64_t weight =
        0;  ///< instructions that its unit stands for; 0: it has none, only transfers, new code or a loop
    std::uint64_t loop = 0;      ///< head of a loop whose code runs for the first time; 0: none
    bool burst = false;          ///< a burst is under way
    std::uint64_t lost = 0;      ///< instructions of that burst before the window
    bool watch = false;          ///< a burst that begins in the window counts as such
    std::uint64_t episode = 0;   ///< kind of the episode of block transfers that begins; 0: none
    std::vector<Passed> passed;  ///< since the last window
    Work work;                   ///< likewise, of functional execution
  };
  /// Misses and replaced lines of L2.
  struct L2Counts {
    std::uint64_t misses = 0, evictions = 0;
  };
  /// Moves to the next window; the core is drained, but for block transfers. At the program's end, the next
  /// record is Pull::End. `counted`: the last window has counted exactly, and needs no unit. `late`: it went
  /// on after its unit, and has passed the places of units that are left out.
  virtual Window skip(bool counted, bool late) = 0;
  /// Call if the core has idled for `cycles` of the time of the last skip().
  virtual void passed([[maybe_unused]] std::uint64_t cycles) {}
  /// Returns the instructions of the program up to the last record.
  virtual std::uint64_t position() const = 0;
  /// Returns true if `record`, the last one or one of the last next_straight(), is the first of its line of
  /// code in the program, and such code counts exactly. Call it in order, for each instruction that is the
  /// first of its line since a jump, and for each branch.
  virtual bool first_run(const isa::InstructionRecord& record) = 0;
  /// Returns true if a window may end after the last record.
  virtual bool between_instructions() const = 0;
  /// Returns true if the next record is that of a block transfer.
  virtual bool at_transfer() = 0;
  /// Returns true if the window has no further records.
  virtual bool exhausted() const = 0;

  /// Returns and removes the marker of the oldest record with region_marker set.
  virtual isa::RegionMarker take_region() = 0;
  /// Returns the row of a region.
  virtual std::size_t row_of(const isa::RegionMarker& marker) = 0;
  /// Returns the regions of the whole program after its end: executions and instructions, which are exact.
  virtual const std::vector<MeasuredRegion>& regions() const = 0;
  virtual std::vector<std::string> notes() const = 0;
  /// Returns the instructions of the whole program after its end.
  virtual std::uint64_t instructions() const = 0;
  /// Returns the counts of the whole program after its end, those of functional execution among them. The
  /// first number of the statistics of a region is that of misses in the first data cache.
  virtual L2Counts l2() const = 0;
  /// Returns true if the run ended at its limit of instructions.
  virtual bool limit_reached() const = 0;
};

}  // namespace psim::pipeline
