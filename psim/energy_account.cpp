// SPDX-License-Identifier: Apache-2.0
#include "psim/energy_account.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace psim {

using energy::Breakdown;
using energy::joules;
using Json = nlohmann::ordered_json;

namespace {

/// {"stages": {"IA": 1e-9, …}, "structures": …, "execution": …, "leakage": …}
void add_places(Json& to, const Breakdown& energy) {
  for (std::size_t i = 0; i < energy::kPlaces; ++i) {
    const auto place = static_cast<energy::Place>(i);
    to[std::string(name(group_of(place)))][std::string(name(place))] = joules(energy[place]);
  }
}

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

Json slices_json(const std::vector<energy::Slice>& slices) {
  Json end = Json::array(), total = Json::array();
  std::array<Json, energy::kPlaceGroups> groups;
  groups.fill(Json::array());
  for (const energy::Slice& slice : slices) {
    std::array<energy::Femtojoules, energy::kPlaceGroups> sums{};
    for (std::size_t i = 0; i < energy::kPlaces; ++i)
      sums[static_cast<std::size_t>(group_of(static_cast<energy::Place>(i)))] += slice.energy.places[i];
    end.push_back(slice.end_cycle);
    total.push_back(joules(slice.energy.total));
    for (std::size_t g = 0; g < sums.size(); ++g) groups[g].push_back(joules(sums[g]));
  }
  Json series{{"end_cycle", std::move(end)}, {"joules", std::move(total)}};
  for (std::size_t g = 0; g < groups.size(); ++g)
    series[std::string(name(static_cast<energy::PlaceGroup>(g)))] = std::move(groups[g]);
  return series;
}

}  // namespace

energy::Hardware energy_hardware(const Machine& machine) {
  return {.core = machine.core, .pes = machine.simd.pes, .simd_station = machine.core.simd.station};
}

EnergyAccount::EnergyAccount(const Machine& machine, Simulation& simulation, RegionAccount& regions)
    : clock_hz_(machine.core.clock_hz),
      gating_(machine.schema.find("energy.gating")->text()),
      config_(machine.energy),
      hardware_(energy_hardware(machine)),
      model_(config_, hardware_),
      meter_(model_, [&simulation] { return simulation.activity(); }) {
  simulation.core.count_activity();
  simulation.core.attach(meter_);
  regions.measure_activity([&simulation] { return simulation.activity(); });
}

void EnergyAccount::fill_in(Json& body, const std::vector<MeasuredRegion>& regions) {
  const pipeline::Activity& activity = meter_.finish();
  const Breakdown energy = model_.energy_of(activity);
  total_ = energy.total;
  cycles_ = activity.cycles;
  Json& to = body["energy"];
  to["total_joules"] = joules(energy.total);
  to["average_watts"] = cycles_ == 0 ? 0.0 : joules(total_) * clock_hz_ / static_cast<double>(cycles_);
  to["gating"] = gating_;
  add_places(to, energy);
  to["classes"] = owners_json(energy);
  to["by_coefficient"] = coefficients_json(energy::proportional_energy(config_, hardware_, activity));
  to["over_time"] = slices_json(meter_.slices());
  for (std::size_t i = 0; i < regions.size(); ++i)
    body["regions"][i]["energy_joules"] = joules(model_.total_of(regions[i].activity));
}

std::string EnergyAccount::summary() const {
  const double seconds = static_cast<double>(cycles_) / clock_hz_;
  return fmt::format("{:.6g} J, {:.4g} W", joules(total_), cycles_ == 0 ? 0.0 : joules(total_) / seconds);
}

}  // namespace psim
