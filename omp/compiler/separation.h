// SPDX-License-Identifier: Apache-2.0
// How a loop of a target region becomes a parallel region of its own: the variables that it uses, and how the
// region shares them with the code around it.
#ifndef PSIM_OMP_COMPILER_SEPARATION_H
#define PSIM_OMP_COMPILER_SEPARATION_H

#include <initializer_list>
#include <vector>

#include "variables.h"

namespace psim_omp {

/// A region whose shared loops become parallel regions of their own.
class Separation {
 public:
  /// `clauses` are those of the region and of the regions around it that belong to it, innermost first.
  Separation(gimple* region, std::initializer_list<tree> clauses) : region_(region), clauses_(clauses) {
    all_.add(gimple_omp_body(region));
  }
  /// Returns the loop's region without its body; null if the loop is to stay where it is.
  gomp_parallel* region_of(gimple_stmt_iterator at);
  /// True if only the loop uses the variable.
  bool only_in(tree variable, gomp_for* loop);

 private:
  omp_clause_code kind_of(tree variable, gomp_for* loop);
  tree outer_clause(tree variable) const;

  gimple* region_;
  std::vector<tree> clauses_;
  Variables all_;
};

/// Puts the loop at `at` into the parallel region, in its place.
void wrap_loop(gimple_stmt_iterator* at, gomp_parallel* region);

/// Makes one thread execute the region where libgomp starts it.
void use_one_thread(gomp_parallel* region);

}  // namespace psim_omp

#endif
