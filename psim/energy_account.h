// SPDX-License-Identifier: Apache-2.0
// The energy of a run: model, meter and their place in the result, for the commands on the core.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "energy/meter.h"
#include "energy/sensitivity.h"
#include "psim/machine.h"
#include "psim/region_account.h"
#include "psim/simulation.h"

namespace psim {

/// Cycles of an interval in which energy is sampled.
inline constexpr std::uint64_t kEnergyInterval = 10'000;

energy::Hardware energy_hardware(const Machine& machine);

/// "energy 12.345 nJ": of the instruction by itself, energy::Model::energy_of(). For dumps.
std::function<std::string(const pipeline::InstructionTimeline&)> energy_remark(const Machine& machine);

class EnergyAccount {
 public:
  /// Before the simulation starts. Listens to intervals and regions; outlives neither.
  EnergyAccount(const Machine& machine, Simulation& simulation, RegionAccount& regions);
  EnergyAccount(const EnergyAccount&) = delete;
  EnergyAccount& operator=(const EnergyAccount&) = delete;

  /// After the run: the key `energy`, and `energy` and `energy_joules` of each of `regions`.
  /// Regions beyond these have their joules, but not where they went.
  static constexpr std::size_t kDetailedRegions = 1000;
  void fill_in(nlohmann::ordered_json& body, const std::vector<MeasuredRegion>& regions);
  /// "0.0123 J, 38.4 W"; after fill_in().
  std::string summary() const;

 private:
  const double clock_hz_;
  const std::string gating_;
  const energy::Config& config_;
  const energy::Hardware hardware_;
  energy::Model model_;
  energy::Meter meter_;
  energy::Femtojoules total_ = 0;
  std::uint64_t cycles_ = 0;
};

}  // namespace psim
