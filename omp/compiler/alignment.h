// SPDX-License-Identifier: Apache-2.0
// Inner loops whose length depends on the shared counter. All PEs execute such a loop until the last of them
// is done, and a PE that has not begun, or that is done, keeps its values.
#ifndef PSIM_OMP_COMPILER_ALIGNMENT_H
#define PSIM_OMP_COMPILER_ALIGNMENT_H

#include <string>
#include <utility>
#include <vector>

#include "affine.h"
#include "work.h"

namespace psim_omp {

/// One of those loops. Its steps have numbers that begin with the first step of any iteration of the shared
/// loop; in the same step, all PEs have the same counter.
struct AlignedLoop {
  loop_p loop;
  HOST_WIDE_INT ahead;  // the steps by which the next iteration of the shared loop begins later
  Affine count;         // of branches back, from the first step of any iteration to the last of any
  tree lowest;  // the first step of any iteration, less that of the first iteration; of type ssizetype
  tree passed;  // a name: the number of the step with which this execution begins
  std::vector<std::pair<tree, tree>> starts;  // counters, and their values as the source begins

  /// Null: the loop's counters do not have it.
  tree start_of(tree counter) const;
};

/// The changes of a shared loop with such loops: a copy of it remains for the scalar core.
struct Alignment {
  loop_p shared = nullptr, scalar = nullptr;  // the PEs' and the scalar core's; null: there is one for both
  gcall* on_pes = nullptr;                    // the call that chooses
  tree first = NULL_TREE;                     // number of a PE's first iteration, less that of the integers
  tree iteration = NULL_TREE;                 // number of the iteration to which the integers belong
  std::vector<AlignedLoop> loops;
  std::vector<Pieces::Call> keeps;  // of iterations in which the loops are executed
  hash_set<gimple*> own;            // statements that the analysis need not look at
  std::vector<Work> scalar_work;

  const AlignedLoop* of(loop_p loop) const;
};

/// Returns how often a loop returns to its beginning, if it is entered. gcc's number is 0 where its condition
/// does not hold at first.
tree latches_where_entered(tree latches);

/// Aligns one more loop. `begin`: number of the first iteration; `count`: of iterations. Returns false, with
/// the reason, before it has changed anything. `pieces`: those of `affine`.
bool align_loop(Alignment& alignment, loop_p shared, loop_p loop, const AffineAnalysis& affine,
                const Pieces& pieces, tree begin, tree count, std::string& reason);

/// Leaves all to the copy of the scalar core.
void give_up(Alignment& alignment);

/// Returns a value that grows by `step` in each iteration of the loop.
tree counted(loop_p loop, tree start, tree step);

}  // namespace psim_omp

#endif
