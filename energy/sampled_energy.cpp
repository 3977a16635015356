// SPDX-License-Identifier: Apache-2.0
#include "energy/sampled_energy.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "energy/energy_account.h"

namespace psim {

void EnergySum::add(double weight, const EnergySum& other) {
  total += weight * other.total;
  for (std::size_t i = 0; i < components.size(); ++i) components[i] += weight * other.components[i];
  for (std::size_t i = 0; i < owners.size(); ++i) owners[i] += weight * other.owners[i];
}

SampledEnergy::SampledEnergy(const pipeline::MachineConfig& machine, const energy::Config& config,
                             std::string gating)
    : config_(config),
      gating_(std::move(gating)),
      line_bytes_(machine.l1d.line_bytes),
      model_(config_, energy_hardware(machine)) {}

EnergySum SampledEnergy::energy_of(const pipeline::Activity& activity) const {
  const energy::Breakdown energy = model_.energy_of(activity);
  EnergySum sum;
  sum.total = energy::joules(energy.total);
  for (std::size_t i = 0; i < sum.components.size(); ++i)
    sum.components[i] = energy::joules(energy.components[i]);
  for (std::size_t i = 0; i < sum.owners.size(); ++i) sum.owners[i] = energy::joules(energy.owners[i]);
  return sum;
}

EnergySum SampledEnergy::without_waits(pipeline::Activity activity, std::uint64_t cycles) const {
  activity.cycles -= cycles;
  // The controller counts a request some cycles after the engine of transfers does.
  activity.memory.bytes -= std::min(activity.memory.bytes, activity.transfers.requests * line_bytes_);
  activity.transfers = {};
  return energy_of(activity);
}

EnergySum SampledEnergy::waits(std::uint64_t cycles, const pipeline::TransferActivity& transfers) const {
  pipeline::Activity activity;
  activity.cycles = cycles;
  activity.memory.bytes = transfers.requests * line_bytes_;
  activity.transfers = transfers;
  return energy_of(activity);
}

void SampledEnergy::fill_in(nlohmann::ordered_json& to, const Interval& total, const EnergySum& shares,
                            double seconds) const {
  const double scale = shares.total == 0 ? 0 : total.value / shares.total;
  to["total_joules"] = total.value;
  to["total_joules_interval"] = {total.low, total.high};
  to["average_watts"] = seconds == 0 ? 0 : total.value / seconds;
  to["gating"] = gating_;
  for (std::size_t i = 0; i < energy::kComponents; ++i) {
    const auto component = static_cast<energy::Component>(i);
    to[std::string(name(group_of(component)))][std::string(name(component))] = scale * shares.components[i];
  }
  for (std::size_t i = 0; i < energy::kOwners; ++i)
    to["classes"][std::string(name(static_cast<energy::Owner>(i)))] = scale * shares.owners[i];
}

}  // namespace psim
