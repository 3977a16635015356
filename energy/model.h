// SPDX-License-Identifier: Apache-2.0
// Converts activity into energy: after paper 003, the latches that move in each stage; in addition, accesses
// to arrays, operations, and leakage by time.
//
// Every count of an Activity has a fixed energy, a whole number of femtojoules, so energy is linear: the
// energy of a sum of activities is exactly the sum of their energies. The same holds for intervals and
// regions.
#pragma once

#include <vector>

#include "energy/breakdown.h"
#include "energy/config.h"
#include "pipeline/activity.h"
#include "pipeline/config.h"

namespace psim::energy {

/// The sizes that determine the clocked bits, the comparisons and the leakage.
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
  /// Returns the energy of the instructions of one class alone: their latches, stations, registers and
  /// operations, as with ideal gating. Fetch blocks, caches and leakage are not included.
  Femtojoules energy_of(isa::LatencyClass latency, const pipeline::InstructionActivity& work) const;
  /// Returns the same for one instruction.
  Femtojoules energy_of(const pipeline::InstructionTimeline& timeline) const;

 private:
  friend class ModelBuilder;
  struct Term {
    std::uint32_t count;  ///< index of a count of an Activity
    std::uint8_t component, owner;
    Femtojoules each;
  };
  std::vector<Term> terms_;
  std::vector<Femtojoules> weights_;  ///< of each count, summed over its terms
  std::vector<Femtojoules> own_;      ///< by class, of each count of an InstructionActivity, without gating
};

}  // namespace psim::energy
