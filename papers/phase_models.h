// SPDX-License-Identifier: Apache-2.0
// Runs of the PHASE skeleton (workloads/skeletons/phase.c) whose computing follows from two times.
#pragma once

#include <string>
#include <vector>

#include "papers/network_run.h"
#include "papers/region_models.h"

namespace psim::reproduce {

/// A step of PHASE with its bands and plane waves on p x q processes.
struct PhaseSystem {
  long bands = 0, waves = 0, p = 1, q = 1;
  long block = 64;  ///< bands of a block

  /// Returns the number of transforms of each process.
  double transforms() const;
};

/// Returns the number of columns of a product's results that cores compute, as a multiple of the `block` that
/// they need, if they share whole groups of `columns`.
double shared_columns(long block, long columns);

/// Returns the models of the skeleton's regions. `multiply_add`: seconds of a complex one in a product of
/// matrices; `transform`: seconds of a three-dimensional transform.
std::string phase_models(double multiply_add, double transform);

NetworkRun phase_run(const PhaseSystem& system, const RegionModels& models, const std::string& machine,
                     std::vector<std::string> settings);
/// Returns the time of the step from the skeleton's output, s.
double phase_seconds(const NetworkCost& cost);

}  // namespace psim::reproduce
