// SPDX-License-Identifier: Apache-2.0
// How the simulations of an experiment are run.
#pragma once

#include <string>

namespace psim::reproduce {

struct SimulationOptions {
  unsigned jobs = 1;  ///< number of concurrent simulations
  bool quiet = false;
  bool sample = false;  ///< estimate runs on the core from units (docs/sampling.md)
  std::string into =
      {};  ///< folder that keeps results of simulations, which are then not run again; empty: none
};

}  // namespace psim::reproduce
