// SPDX-License-Identifier: Apache-2.0
// How a shared loop is distributed: the references to memory that move with its counter, and the numbers that
// outlive it.
#ifndef PSIM_OMP_COMPILER_DISTRIBUTION_H
#define PSIM_OMP_COMPILER_DISTRIBUTION_H

#include <utility>
#include <vector>

#include "alignment.h"

namespace psim_omp {

/// How one reference to memory moves with the shared loop.
struct Access {
  gimple* statement;
  tree* reference;
  tree root;  // the pointer from which its address comes, or the variable
  tree low;   // address of the lowest byte in the first iteration, and that behind the highest
  tree high;
  tree stride;  // bytes from iteration to iteration
  // A column, or a few, of a matrix that is stored by rows: low and high are of the first row. The loops that
  // go from row to row, outermost first, and whether they go down; none: no rows.
  struct RowLoop {
    loop_p loop;
    bool down;
  };
  std::vector<RowLoop> row_loops;
  tree before_first;    // rows between the lowest row and that of the first access
  HOST_WIDE_INT above;  // rows between the lowest row and that of the array's first reference in the code
  tree row_stride;      // bytes from row to row
  tree rows;
  bool read, write, dense;
  bool open;       // the range is not known: low is the array's address
  unsigned index;  // of its array
};

/// References that move alike, and are not far from each other.
struct Array {
  tree root, stride, row_stride;
  tree low;                   // of the first of them
  HOST_WIDE_INT least_above;  // of their rows
  bool written_alike;         // every iteration writes the same value to the same place
  bool open;                  // the range of the first of them is not known
  bool near;                  // it may be near another
};

struct Distribution {
  gcall* iterations = nullptr;  // the call that begins the loop; null: the function has no shared loop
  loop_p loop = nullptr;
  edge exit = nullptr;
  std::vector<Access> accesses;
  std::vector<Array> arrays;
  std::vector<std::pair<gassign*, tree>> index_values;  // conversions of the index to a number, and its step
  std::vector<std::pair<tree, Runtime>> results;  // numbers that are combined over the PEs after the loop
  std::vector<gassign*> stores_after;
  std::vector<std::pair<tree, tree>>
      written_after;  // address and size of the memory that code after the loop writes
  Pieces pieces;
  std::vector<Work> work;
  loop_p uneven = nullptr;  // an inner loop whose length depends on the shared counter, which is the reason
  bool last = false;        // the last iteration is the scalar core's
  std::string reason;       // why PEs cannot do the loop; empty: they can
  location_t where = UNKNOWN_LOCATION;
};

/// Returns the reference of a load that does not fault, whose address is its other operand; null for other
/// code.
tree* loaded_by(gasm* code);

/// Returns the place that the store of an integer of 8 or 16 bits writes; null for other code.
tree* stored_by(gasm* code);

/// Analyses the function's shared loop, with loops and dominators known. Aligns inner loops whose length
/// depends on the shared counter.
Distribution distribution_of(function* fun, Alignment& alignment);

}  // namespace psim_omp

#endif
