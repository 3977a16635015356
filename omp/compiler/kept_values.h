// SPDX-License-Identifier: Apache-2.0
// Values that gcc keeps in registers for later iterations of a loop (-fpredictive-commoning, part of -O3).
#ifndef PSIM_OMP_COMPILER_KEPT_VALUES_H
#define PSIM_OMP_COMPILER_KEPT_VALUES_H

#include <vector>

#include "target_loop.h"

namespace psim_omp {

struct KeptValues {
  /// A stored value that is in a register when an iteration `distance` later would load it.
  struct Carried {
    tree stored, loaded;
    unsigned distance;
  };
  hash_set<gimple*> loads;  // that take a register's value
  std::vector<Carried> carried;
  unsigned unrolled =
      1;  // iterations in one of the loop that gcc makes: it renames registers in place of copies
};

/// Returns the loads and the number of iterations that gcc's pass will find in the loop.
void find_kept_values(loop_p loop, KeptValues& result);

}  // namespace psim_omp

#endif
