// SPDX-License-Identifier: Apache-2.0
// How a loop of a target region becomes a parallel region of its own: the variables that it uses, and how the
// region shares them with the code around it.
#ifndef PSIM_OMP_COMPILER_SEPARATION_H
#define PSIM_OMP_COMPILER_SEPARATION_H

#include <initializer_list>
#include <vector>

#include "target_loop.h"

namespace psim_omp {

/// Returns the first statement of the sequence, or inside its statements, for which `matches` is true.
gimple* find_statement(gimple_seq code, bool (*matches)(gimple*));

/// True for a loop whose iterations are shared among threads.
bool is_shared_loop(gimple* statement);

/// Returns the clause that gives the variable its place; null: there is none.
tree find_clause_of(tree clauses, tree variable);

/// Returns how often the code refers to the variable.
unsigned uses_of(gimple_seq code, tree variable);

/// True if the code writes the variable.
bool writes(gimple_seq code, tree variable);

/// True for a number or a pointer that the code neither writes nor takes the address of.
bool keeps(gimple_seq code, tree variable);

/// True if the code gives the variable only values that a reduction makes of its earlier one.
bool only_accumulates(gimple_seq code, tree variable, tree_code reduction);

/// The variables that code refers to.
struct Variables {
  std::vector<tree> used;  // in the order of the code
  hash_set<tree> own;      // declared in that code
  bool good = true;        // false: a variable, or a clause, of a kind that is left as it is

  void add(gimple_seq code);
  void add(gimple_stmt_iterator at);
  bool uses(tree variable) { return seen_.contains(variable); }

 private:
  hash_set<tree> seen_;
  static tree declared(gimple_stmt_iterator* at, bool* handled, walk_stmt_info* info);
  static tree referred(tree* at, int* deeper, void* data);
};

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
