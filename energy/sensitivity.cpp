// SPDX-License-Identifier: Apache-2.0
#include "energy/sensitivity.h"

namespace psim::energy {

std::vector<EnergyParts> proportional_energies(const Config& config, const Hardware& hardware,
                                               std::span<const pipeline::Activity> activities) {
  const Model model(config, hardware);
  std::vector<Femtojoules> totals;
  for (const pipeline::Activity& activity : activities) totals.push_back(model.total_of(activity));
  std::vector<EnergyParts> parts(activities.size());
  for (std::size_t c = 0; c < kCoefficients; ++c) {
    Config doubled = config;
    doubled.coefficients.values[c] *= 2;
    const Model other(doubled, hardware);
    for (std::size_t i = 0; i < activities.size(); ++i)
      parts[i][c] = other.total_of(activities[i]) - totals[i];
  }
  return parts;
}

EnergyParts proportional_energy(const Config& config, const Hardware& hardware,
                                const pipeline::Activity& activity) {
  return proportional_energies(config, hardware, {&activity, 1}).front();
}

}  // namespace psim::energy
