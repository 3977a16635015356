// SPDX-License-Identifier: Apache-2.0
// The number of iterations of loops inside a shared loop, as far as it is known before the shared loop.
#ifndef PSIM_OMP_COMPILER_LOOP_LENGTH_H
#define PSIM_OMP_COMPILER_LOOP_LENGTH_H

#include "affine.h"

namespace psim_omp {

/// Returns the number of iterations of the inner loop, of type ssizetype, in terms that are known
/// before `shared`, which has `count` iterations. It is the average where it depends on counters, and an
/// assumption where it is not known.
tree iterations_of(loop_p loop, loop_p shared, const AffineAnalysis& affine, tree count);

}  // namespace psim_omp

#endif
