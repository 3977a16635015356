// SPDX-License-Identifier: Apache-2.0
#include "papers/phase_models.h"

#include <fmt/format.h>

namespace psim::reproduce {

double PhaseSystem::transforms() const {
  const long whole = (bands / p + q - 1) / q;
  return 2.0 * static_cast<double>(whole);
}

double shared_columns(long block, long columns) {
  return static_cast<double>((block + columns - 1) / columns * columns) / static_cast<double>(block);
}

std::string phase_models(double multiply_add, double transform) {
  return fmt::format(
      "[region.zgemm]\nparameters = \"n m blocks\"\nseconds = \"{:.17g} * n^2 * m * blocks\"\n"
      "[region.fft]\nparameters = \"points\"\nseconds = \"{:.17g} + 0 * points\"\n",
      multiply_add, transform);
}

NetworkRun phase_run(const PhaseSystem& system, const RegionModels& models, const std::string& machine,
                     std::vector<std::string> settings) {
  NetworkRun run{
      "phase",
      {fmt::format("bands={}", system.bands), fmt::format("waves={}", system.waves),
       fmt::format("p={}", system.p), fmt::format("q={}", system.q), fmt::format("block={}", system.block)},
      static_cast<std::uint32_t>(system.p * system.q),
      machine,
      std::move(settings)};
  run.options = {"--compute", "model:" + models.path()};
  return run;
}

double phase_seconds(const NetworkCost& cost) { return cost.printed(" s; product"); }

}  // namespace psim::reproduce
