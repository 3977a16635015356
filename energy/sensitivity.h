// SPDX-License-Identifier: Apache-2.0
// How energy depends on each coefficient. Energy is linear in every single one, so what is proportional to it
// is exact, and with it every derivative: one per cent more of a coefficient makes the total grow by
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
/// The same of several activities, in less time.
std::vector<EnergyParts> proportional_energies(const Config& config, const Hardware& hardware,
                                               std::span<const pipeline::Activity> activities);

}  // namespace psim::energy
