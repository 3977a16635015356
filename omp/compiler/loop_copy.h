// SPDX-License-Identifier: Apache-2.0
// The shared loop of a function, and a copy of it that the scalar core executes.
#ifndef PSIM_OMP_COMPILER_LOOP_COPY_H
#define PSIM_OMP_COMPILER_LOOP_COPY_H

#include "target_loop.h"

namespace psim_omp {

struct SharedLoop {
  gcall* iterations = nullptr;              // the call that begins it; null: the function has none
  tree begin = NULL_TREE, end = NULL_TREE;  // the first iteration, and the one behind the last
  loop_p loop = nullptr;                    // null: it was not found
  loop_p scalar = nullptr;                  // its copy; null: there is none
  gcall* on_pes = nullptr;                  // the call that chooses between both
};

/// Finds the function's shared loop.
SharedLoop shared_loop_of(function* fun);

/// Copies the shared loop, for the scalar core. Returns the copy, and the call that chooses.
SharedLoop copy_for_scalar_core(loop_p shared);

/// True if the value is computed from `source`.
bool depends_on(tree value, tree source, unsigned depth = 0);

/// True if a statement outside of the loop uses the name.
bool used_outside(loop_p loop, tree name);

}  // namespace psim_omp

#endif
