// SPDX-License-Identifier: Apache-2.0
// Estimates how long the code of a shared loop takes on the scalar core and on the PEs.
#ifndef PSIM_OMP_COMPILER_WORK_H
#define PSIM_OMP_COMPILER_WORK_H

#include <vector>

#include "affine.h"

namespace psim_omp {

/// The code of one loop of the nest, without that of its inner loops.
struct Work {
  location_t where;
  tree times;         // executions in one iteration of the shared loop, of type ssizetype
  long scalar, pes;   // of one execution, in sixteenths of a cycle; less than 0: what overlaps
  long instructions;  // likewise, in sixteenths
};

/// Returns the shared loop's code, then that of its inner loops. `count`: iterations of the shared loop.
std::vector<Work> work_of(loop_p shared, const AffineAnalysis& affine, tree count);

}  // namespace psim_omp

#endif
