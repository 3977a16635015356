// SPDX-License-Identifier: Apache-2.0
#include "energy/energy_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

namespace psim {

using energy::Breakdown;
using energy::joules;
using Json = nlohmann::ordered_json;

namespace {

Json owners_json(const Breakdown& energy) {
  Json owners = Json::object();
  for (std::size_t i = 0; i < energy::kOwners; ++i) {
    const auto owner = static_cast<energy::Owner>(i);
    owners[std::string(name(owner))] = joules(energy[owner]);
  }
  return owners;
}

Json coefficients_json(const std::array<energy::Femtojoules, energy::kCoefficients>& parts) {
  Json object = Json::object();
  for (const energy::CoefficientRow& row : energy::coefficient_table())
    if (const energy::Femtojoules part = parts[static_cast<std::size_t>(row.id)]; part != 0)
      object[std::string(row.key)] = joules(part);
  return object;
}

/// Returns the joules of each slice, and of its groups and stages. A stage without any cost is left out.
Json slices_json(const std::vector<energy::Slice>& slices) {
  Json end = Json::array(), total = Json::array();
  std::array<Json, energy::kComponentGroups> groups;
  groups.fill(Json::array());
  for (const energy::Slice& slice : slices) {
    std::array<energy::Femtojoules, energy::kComponentGroups> sums{};
    for (std::size_t i = 0; i < energy::kComponents; ++i)
      sums[static_cast<std::size_t>(group_of(static_cast<energy::Component>(i)))] +=
          slice.energy.components[i];
    end.push_back(slice.end_cycle);
    total.push_back(joules(slice.energy.total));
    for (std::size_t g = 0; g < sums.size(); ++g) groups[g].push_back(joules(sums[g]));
  }
  Json series{{"end_cycle", std::move(end)}, {"joules", std::move(total)}};
  for (std::size_t g = 0; g < groups.size(); ++g)
    series[std::string(name(static_cast<energy::ComponentGroup>(g)))] = std::move(groups[g]);
  Json& stages = series["by_stage"] = Json::object();
  for (std::size_t i = 0; i < energy::kComponents; ++i) {
    const auto component = static_cast<energy::Component>(i);
    if (group_of(component) != energy::ComponentGroup::Stages) continue;
    Json row = Json::array();
    bool any = false;
    for (const energy::Slice& slice : slices) {
      row.push_back(joules(slice.energy[component]));
      any |= slice.energy[component] != 0;
    }
    if (any) stages[std::string(name(component))] = std::move(row);
  }
  return series;
}

double watts(energy::Femtojoules energy, std::uint64_t cycles, double clock_hz) {
  return cycles == 0 ? 0.0 : joules(energy) * clock_hz / static_cast<double>(cycles);
}

}  // namespace

void add_components(Json& to, const Breakdown& energy) {
  for (std::size_t i = 0; i < energy::kComponents; ++i) {
    const auto component = static_cast<energy::Component>(i);
    to[std::string(name(group_of(component)))][std::string(name(component))] = joules(energy[component]);
  }
}

energy::Hardware energy_hardware(const pipeline::MachineConfig& machine) {
  return {.core = machine.core, .pes = machine.simd.pes, .simd_station = machine.core.simd.station};
}

std::function<std::string(const pipeline::InstructionTimeline&)> energy_remark(
    const pipeline::MachineConfig& machine, const energy::Config& config) {
  const auto model = std::make_shared<energy::Model>(config, energy_hardware(machine));
  return [model](const pipeline::InstructionTimeline& timeline) {
    return fmt::format("energy {:.3f} nJ", joules(model->energy_of(timeline)) * 1e9);
  };
}

void fill_in_chip_energy(Json& body, const pipeline::MachineConfig& machine, const energy::Config& config,
                         const std::string& gating, const std::vector<pipeline::Activity>& cores,
                         const pipeline::Activity& shared) {
  const energy::Model model(config, energy_hardware(machine));
  constexpr auto kLeakageL2 = static_cast<std::size_t>(energy::Component::LeakageL2);
  constexpr auto kLeakage = static_cast<std::size_t>(energy::Owner::Leakage);
  Breakdown chip = model.energy_of(shared);
  energy::Femtojoules leakage = 0;
  for (std::size_t n = 0; n < cores.size(); ++n) {
    Breakdown core = model.energy_of(cores[n]);
    // The model is that of a core with an L2, which leaks once.
    leakage = core.components[kLeakageL2];
    core.components[kLeakageL2] = 0;
    core.owners[kLeakage] -= leakage;
    core.total -= leakage;
    body["cores"][n]["energy_joules"] = joules(core.total);
    chip += core;
  }
  chip.components[kLeakageL2] += leakage;
  chip.owners[kLeakage] += leakage;
  chip.total += leakage;
  Json& to = body["energy"];
  const std::uint64_t cycles = cores.empty() ? 0 : cores.front().cycles;
  to["total_joules"] = joules(chip.total);
  to["shared_joules"] = joules(model.total_of(shared) + leakage);
  to["average_watts"] = watts(chip.total, cycles, machine.core.clock_hz);
  to["gating"] = gating;
  add_components(to, chip);
  to["classes"] = owners_json(chip);
}

EnergyAccount::EnergyAccount(const pipeline::MachineConfig& machine, const energy::Config& config,
                             std::string gating, pipeline::WiredCore& core, pipeline::RegionAccount& regions)
    : clock_hz_(machine.core.clock_hz),
      gating_(std::move(gating)),
      config_(config),
      hardware_(energy_hardware(machine)),
      model_(config_, hardware_),
      meter_(model_, [&core] { return core.activity(); }) {
  core.core.count_activity();
  core.core.attach(meter_);
  regions.measure_activity([&core] { return core.activity(); });
}

void EnergyAccount::fill_in(Json& body, const std::vector<pipeline::MeasuredRegion>& regions) {
  const pipeline::Activity& activity = meter_.finish();
  const std::size_t detailed = std::min(regions.size(), kDetailedRegions);
  std::vector<pipeline::Activity> activities{activity};
  for (std::size_t i = 0; i < detailed; ++i) activities.push_back(regions[i].activity.unpack());
  const auto parts = energy::proportional_energies(config_, hardware_, activities);
  const auto fill = [&](Json& to, std::size_t which) {
    const Breakdown energy = model_.energy_of(activities[which]);
    to["total_joules"] = joules(energy.total);
    to["average_watts"] = watts(energy.total, activities[which].cycles, clock_hz_);
    to["gating"] = gating_;
    add_components(to, energy);
    to["classes"] = owners_json(energy);
    to["by_coefficient"] = coefficients_json(parts[which]);
  };
  total_ = model_.total_of(activity);
  cycles_ = activity.cycles;
  fill(body["energy"], 0);
  body["energy"]["over_time"] = slices_json(meter_.slices());
  for (std::size_t i = 0; i < regions.size(); ++i) {
    body["regions"][i]["energy_joules"] = joules(model_.total_of(regions[i].activity.unpack()));
    if (i < detailed) fill(body["regions"][i]["energy"], i + 1);
  }
}

std::string EnergyAccount::summary() const {
  return fmt::format("{:.6g} J, {:.4g} W", joules(total_), watts(total_, cycles_, clock_hz_));
}

}  // namespace psim
