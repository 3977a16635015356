// SPDX-License-Identifier: Apache-2.0
#include "papers/hpl_models.h"

#include <fmt/format.h>

namespace psim::reproduce {

double HplSystem::operations() const {
  const auto order = static_cast<double>(n);
  return 2.0 / 3.0 * order * order * order + 1.5 * order * order;
}

std::string hpl_models(double multiply_add, double panel) {
  return fmt::format(
      "[region.dgemm]\nparameters = \"m n k\"\nseconds = \"{0:.17g} * m * n * k\"\n"
      "[region.dtrsm]\nparameters = \"m n\"\nseconds = \"{1:.17g} * m^2 * n\"\n"
      "[region.panel]\nparameters = \"m n\"\nseconds = \"{2:.17g} * m * n^2\"\n"
      "[region.rows]\nparameters = \"m n\"\nseconds = \"0 * m * n\"\n"
      "[region.dgemv]\nparameters = \"m n\"\nseconds = \"{0:.17g} * m * n\"\n",
      multiply_add, multiply_add / 2, multiply_add * panel / 2);
}

NetworkRun hpl_run(const HplSystem& system, const RegionModels& models, const std::string& machine,
                   std::vector<std::string> settings) {
  NetworkRun run{"hpl",
                 {fmt::format("n={}", system.n), fmt::format("nb={}", system.nb),
                  fmt::format("p={}", system.p), fmt::format("q={}", system.q), "columns=4", "chunks=4"},
                 static_cast<std::uint32_t>(system.p * system.q),
                 machine,
                 std::move(settings)};
  run.arguments.insert(run.arguments.end(), system.forms.begin(), system.forms.end());
  run.options = {"--compute", "model:" + models.path()};
  return run;
}

double hpl_seconds(const NetworkCost& cost) { return cost.printed(" s, "); }

}  // namespace psim::reproduce
