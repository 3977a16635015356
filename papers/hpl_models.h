// SPDX-License-Identifier: Apache-2.0
// Runs of the HPL skeleton (workloads/skeletons/hpl.c) whose computing follows from the time of a
// multiply-add.
#pragma once

#include <string>
#include <vector>

#include "papers/network_run.h"
#include "papers/region_models.h"

namespace psim::reproduce {

/// A system of equations of order n in blocks of nb on a grid of p x q processes.
struct HplSystem {
  long n = 0, nb = 0, p = 1, q = 1;
  std::vector<std::string> forms = {"swap=collective"};  ///< of its messages, for the skeleton

  /// Returns HPL's number of operations.
  double operations() const;
};

/// Returns the models of all regions of the skeleton. `multiply_add`: seconds of one in a matrix product.
/// Triangular systems take the same, unblocked columns of panels `panel` times as much; copies of rows take
/// no time.
std::string hpl_models(double multiply_add, double panel);

/// Returns the run of a skeleton that is shortened as for large systems: pivots of four columns per panel,
/// and four pieces per update.
NetworkRun hpl_run(const HplSystem& system, const RegionModels& models, const std::string& machine,
                   std::vector<std::string> settings);
/// Returns HPL's time from the skeleton's output, s.
double hpl_seconds(const NetworkCost& cost);

}  // namespace psim::reproduce
