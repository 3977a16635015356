// SPDX-License-Identifier: Apache-2.0
// The dependence of energy on each coefficient. Energy is linear in every single one, so its proportional
// part is exact, and so is every derivative. One per cent more of a coefficient increases the total by
// proportional ÷ total per cent.
#pragma once

#include <span>

#include "energy/model.h"

namespace psim::energy {

/// The part of the energy of `activity` that is proportional to each coefficient. Latch energy is
/// proportional to a width and to the energy of a latch and counts for both, so the parts do not sum to the
/// total.
using EnergyParts = std::array<Femtojoules, kCoefficients>;
EnergyParts proportional_energy(const Config& config, const Hardware& hardware,
                                const pipeline::Activity& activity);
/// Returns the same for several activities, in less time.
std::vector<EnergyParts> proportional_energies(const Config& config, const Hardware& hardware,
                                               std::span<const pipeline::Activity> activities);

}  // namespace psim::energy
