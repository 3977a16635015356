// SPDX-License-Identifier: Apache-2.0
// The energy of a sampled run: the sums of its units, and the result keys (docs/sampling.md).
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "energy/config.h"
#include "energy/model.h"
#include "pipeline/machine_config.h"

namespace psim {

/// Joules, by component and owner.
struct EnergySum {
  double total = 0;
  std::array<double, energy::kComponents> components{};
  std::array<double, energy::kOwners> owners{};
  void add(double weight, const EnergySum& other);
};

class SampledEnergy {
 public:
  /// `gating` is spelled as in the machine file.
  SampledEnergy(const pipeline::MachineConfig& machine, const energy::Config& config, std::string gating);

  EnergySum energy_of(const pipeline::Activity& activity) const;
  /// Returns the energy of an activity without the part of block transfers, which waits() has.
  EnergySum without_waits(pipeline::Activity activity, std::uint64_t cycles) const;
  /// Returns the energy of block transfers and of the core while it waits for them.
  EnergySum waits(std::uint64_t cycles, const pipeline::TransferActivity& transfers) const;

  struct Interval {
    double value, low, high;  ///< joules
  };
  /// Adds total, interval and breakdown. The parts of `shares` are scaled to the total.
  void fill_in(nlohmann::ordered_json& to, const Interval& total, const EnergySum& shares,
               double seconds) const;

 private:
  const energy::Config& config_;
  const std::string gating_;
  const std::uint32_t line_bytes_;
  energy::Model model_;
};

}  // namespace psim
