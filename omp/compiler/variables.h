// SPDX-License-Identifier: Apache-2.0
// Finds what code of target regions does with its variables, before gcc lowers OpenMP.
#ifndef PSIM_OMP_COMPILER_VARIABLES_H
#define PSIM_OMP_COMPILER_VARIABLES_H

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

}  // namespace psim_omp

#endif
