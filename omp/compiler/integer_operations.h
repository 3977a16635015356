// SPDX-License-Identifier: Apache-2.0
// Operations on integers that are kept as numbers: a double has the value of the int. All results are exact.
#ifndef PSIM_OMP_COMPILER_INTEGER_OPERATIONS_H
#define PSIM_OMP_COMPILER_INTEGER_OPERATIONS_H

#include "select.h"

namespace psim_omp {

/// Inserts code before a statement.
class IntegerOperations {
 public:
  explicit IntegerOperations(gimple_stmt_iterator* before) : before_(before) {}

  /// True if PEs can do the operation, whose operands and result have this type.
  static bool can(tree_code code, tree type, tree b);
  /// Returns the result for operands `a` and `b` as numbers, where `b` was `by` before.
  tree operation(tree_code code, tree type, tree a, tree b, tree by);
  /// Makes a number of the integer one that the type has: signed or not, modulo 2^32, 2^16 or 2^8.
  tree wrapped(tree x, tree type);
  /// Returns the integer part of a number, as the conversion to the type does.
  tree truncated(tree x, tree type);
  /// Returns the bits of an int, in a float, and the reverse.
  tree bits_of(tree x, tree type);
  tree value_of(tree bits, tree type);
  /// Load and store an integer of 8 or 16 bits, `place`, at `address`. PEs move words of 64 bits: its place
  /// in its word is the same on all PEs.
  tree narrow_loaded(tree address, tree place, location_t where);
  void narrow_store(tree x, tree address, tree place, location_t where);
  /// Returns the number that a boolean stands for.
  tree of_boolean(tree condition);
  tree of_index(tree index);
  /// Returns the number as that of an integer: products may be -0.
  tree without_sign_of_zero(tree x);

 private:
  tree binary(tree_code code, tree a, tree b);
  tree instruction(const char* text, tree type, tree a, tree b = NULL_TREE);
  tree quotient(tree type, tree a, tree b, tree by);
  tree logical(const char* text, tree a, tree b);

  gimple_stmt_iterator* before_;
};

}  // namespace psim_omp

#endif
