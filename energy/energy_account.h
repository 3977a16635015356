// SPDX-License-Identifier: Apache-2.0
// The energy of a run: model, meter and result keys, for the commands on the core.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "energy/config.h"
#include "energy/meter.h"
#include "energy/sensitivity.h"
#include "pipeline/region_account.h"
#include "pipeline/wired_core.h"

namespace psim {

/// Cycles of an interval in which energy is sampled.
inline constexpr std::uint64_t kEnergyInterval = 10'000;

energy::Hardware energy_hardware(const pipeline::MachineConfig& machine);

/// Adds {"stages": {"IA": 1e-9, …}, "structures": …, "execution": …, "leakage": …}.
void add_components(nlohmann::ordered_json& to, const energy::Breakdown& energy);

/// Returns "energy 12.345 nJ", that of a single instruction by energy::Model::energy_of(), for dumps.
std::function<std::string(const pipeline::InstructionTimeline&)> energy_remark(
    const pipeline::MachineConfig& machine, const energy::Config& config);

/// For a run of several cores: adds the key `energy` of the chip, and `energy_joules` of each of
/// body["cores"]. `cores`: their activity in the same cycles. `shared`: that of L2 and memory. The energy of
/// the chip is the sum of `cores` and of `shared_joules`: L2, its leakage, and the memory interface.
void fill_in_chip_energy(nlohmann::ordered_json& body, const pipeline::MachineConfig& machine,
                         const energy::Config& config, const std::string& gating,
                         const std::vector<pipeline::Activity>& cores, const pipeline::Activity& shared);

class EnergyAccount {
 public:
  /// Construct it before the simulation starts. `gating` is spelled as in the machine file. Listens to
  /// intervals and regions, which must outlive it.
  EnergyAccount(const pipeline::MachineConfig& machine, const energy::Config& config, std::string gating,
                pipeline::WiredCore& core, pipeline::RegionAccount& regions);
  EnergyAccount(const EnergyAccount&) = delete;
  EnergyAccount& operator=(const EnergyAccount&) = delete;

  /// Call after the run: adds the key `energy`, and `energy` and `energy_joules` of each of `regions`.
  /// Regions beyond these have their joules, but no breakdown.
  static constexpr std::size_t kDetailedRegions = 1000;
  void fill_in(nlohmann::ordered_json& body, const std::vector<pipeline::MeasuredRegion>& regions);
  /// Returns "0.0123 J, 38.4 W"; call after fill_in().
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
