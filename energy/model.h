// SPDX-License-Identifier: Apache-2.0
// Turns activity into energy: after paper 003, the latches that move in each stage, and beside them accesses
// to arrays, operations, and leakage by time.
//
// Every count of an Activity has a fixed energy, a whole number of femtojoules, so energy is linear: the
// energy of a sum of activities is the sum of their energies, exactly, and so for intervals and regions.
#pragma once

#include <vector>

#include "energy/breakdown.h"
#include "energy/config.h"
#include "pipeline/activity.h"
#include "pipeline/config.h"

namespace psim::energy {

/// The sizes that decide how much is clocked, compared and leaks.
struct Hardware {
  pipeline::CoreConfig core;
  std::uint32_t pes = 0;            ///< 0: no SIMD part
  std::uint32_t simd_station = 16;  ///< entries (paper 003 table 1)
};

class Model {
 public:
  Model(const Config& config, const Hardware& hardware);

  Breakdown energy_of(const pipeline::Activity& activity) const;
  Femtojoules total_of(const pipeline::Activity& activity) const;
  /// What instructions of one class cost by themselves: their latches, stations, registers and operations, as
  /// if gating were ideal. Fetch blocks, caches and leakage are not theirs.
  Femtojoules energy_of(isa::LatencyClass latency, const pipeline::InstructionActivity& work) const;
  /// The same of one instruction.
  Femtojoules energy_of(const pipeline::InstructionTimeline& timeline) const;

 private:
  friend class ModelBuilder;
  struct Term {
    std::uint32_t count;  ///< which count of an Activity
    std::uint8_t place, owner;
    Femtojoules each;
  };
  std::vector<Term> terms_;
  std::vector<Femtojoules> weights_;  ///< of each count, summed over its terms
  std::vector<Femtojoules> own_;      ///< by class, of each count of an InstructionActivity, without gating
};

}  // namespace psim::energy
