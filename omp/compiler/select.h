// SPDX-License-Identifier: Apache-2.0
#ifndef PSIM_OMP_COMPILER_SELECT_H
#define PSIM_OMP_COMPILER_SELECT_H

#include "gcc_headers.h"

namespace psim_omp {

/// The types of numbers that PEs compute with: double and float.
inline bool is_double(tree type) { return TYPE_MODE(type) == DFmode && SCALAR_FLOAT_TYPE_P(type); }
inline bool is_float(tree type) { return TYPE_MODE(type) == SFmode && SCALAR_FLOAT_TYPE_P(type); }
inline bool is_real(tree type) { return is_double(type) || is_float(type); }

/// The condition of fmovd and fmovs on a fcc, for a comparison; null: none.
const char* condition_of(tree_code code);

/// A whole number as a constant of type double.
tree number(HOST_WIDE_INT value);
/// Returns the number with these bits.
tree with_bits(unsigned HOST_WIDE_INT bits);

/// An operand of asm, in the form that gimple_build_asm_vec() takes.
tree operand(const char* constraint, tree value);

/// A comparison of two numbers.
struct Predicate {
  tree_code code = ERROR_MARK;
  tree left = NULL_TREE, right = NULL_TREE;
};

/// Inserts `predicate ? yes : no`, which each PE decides for itself; returns its name.
tree insert_select(gimple_stmt_iterator* before, const Predicate& p, tree yes, tree no);

/// Inserts an instruction of VIS on the bits of two numbers; returns the name of its result.
tree insert_logical(gimple_stmt_iterator* before, const char* instruction, tree a, tree b);

/// Replaces operations that PEs do not have (operations.cpp).
void replace_operations(function* fun);

}  // namespace psim_omp

#endif
