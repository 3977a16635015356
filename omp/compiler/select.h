// SPDX-License-Identifier: Apache-2.0
#ifndef PSIM_OMP_COMPILER_SELECT_H
#define PSIM_OMP_COMPILER_SELECT_H

#include "gcc_headers.h"

namespace psim_omp {

/// A comparison of two numbers.
struct Predicate {
  tree_code code = ERROR_MARK;
  tree left = NULL_TREE, right = NULL_TREE;
};

/// Inserts `predicate ? yes : no`, which each PE decides for itself; returns its name.
tree insert_select(gimple_stmt_iterator* before, const Predicate& p, tree yes, tree no);

}  // namespace psim_omp

#endif
