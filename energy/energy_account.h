// SPDX-License-Identifier: Apache-2.0
// The energy of a run: model, meter and their place in the result, for the commands on the core.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "energy/config.h"
#include "energy/meter.h"
#include "energy/sensitivity.h"
#include "pipeline/region_account.h"
#include "pipeline/wired_core.h"

namespace psim {

/// Cycles of an interval in which energy is sampled.
inline constexpr std::uint64_t kEnergyInterval = 10'000;

energy::Hardware energy_hardware(const pipeline::MachineConfig& machine);

/// "energy 12.345 nJ": of the instruction by itself, energy::Model::energy_of(). For dumps.
std::function<std::string(const pipeline::InstructionTimeline&)> energy_remark(
    const pipeline::MachineConfig& machine, const energy::Config& config);

class EnergyAccount {
 public:
  /// Before the simulation starts. `gating` as the machine file names it. Listens to intervals and regions;
  /// outlives neither.
  EnergyAccount(const pipeline::MachineConfig& machine, const energy::Config& config, std::string gating,
                pipeline::WiredCore& core, pipeline::RegionAccount& regions);
  EnergyAccount(const EnergyAccount&) = delete;
  EnergyAccount& operator=(const EnergyAccount&) = delete;

  /// After the run: the key `energy`, and `energy` and `energy_joules` of each of `regions`.
  /// Regions beyond these have their joules, but not where they went.
  static constexpr std::size_t kDetailedRegions = 1000;
  void fill_in(nlohmann::ordered_json& body, const std::vector<pipeline::MeasuredRegion>& regions);
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
