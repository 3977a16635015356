// SPDX-License-Identifier: Apache-2.0
#include "energy/sensitivity.h"

namespace psim::energy {

std::array<Femtojoules, kCoefficients> proportional_energy(const Config& config, const Hardware& hardware,
                                                           const pipeline::Activity& activity) {
  const Femtojoules total = Model(config, hardware).total_of(activity);
  std::array<Femtojoules, kCoefficients> parts{};
  for (std::size_t i = 0; i < kCoefficients; ++i) {
    Config doubled = config;
    doubled.coefficients.values[i] *= 2;
    parts[i] = Model(doubled, hardware).total_of(activity) - total;
  }
  return parts;
}

}  // namespace psim::energy
