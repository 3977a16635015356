// SPDX-License-Identifier: Apache-2.0
// The analysis of a shared loop, in three parts: its statements (distribution_analysis.cpp), its references
// to memory (access_analysis.cpp), and the values that code behind it uses (result_analysis.cpp).
#ifndef PSIM_OMP_COMPILER_ANALYSIS_H
#define PSIM_OMP_COMPILER_ANALYSIS_H

#include <string>
#include <utility>
#include <vector>

#include "affine.h"
#include "distribution.h"

namespace psim_omp {

class Analysis {
 public:
  Analysis(function* fun, Alignment& alignment) : fun_(fun), alignment_(alignment) {
    found_.pieces.calls = alignment.keeps;
  }
  Distribution run();
  /// Aligns the loop that the analysis has found to be uneven; returns the reason why it cannot.
  std::string align(const Distribution& found);

 private:
  /// Returns false and keeps the reason, which the first call gives.
  bool refuse(gimple* where, const char* reason) {
    if (found_.reason.empty())
      found_.reason = reason,
      found_.where = where ? LOCATION_LOCUS(gimple_location(where)) : UNKNOWN_LOCATION;
    return false;
  }
  AffineAnalysis affine() { return {found_.loop, moving_, found_.pieces, alignment_}; }
  bool refuse_uneven(gimple* where, loop_p loop);
  bool fits_stack();
  bool find_loop();
  bool settles(gphi* carried);
  bool find_moving();
  bool look_at(gimple* statement);
  bool look_at_condition(gcond* condition);
  bool splits(tree_code code, tree left, tree right);
  bool steady(gimple* statement);
  bool look_at_call(gcall* call);
  bool add_access(gimple* statement, tree* reference, bool write);
  bool writes_alike(gimple* statement, tree reference);
  bool check_still_stores();
  bool far_apart(tree a, tree b, tree stride, bool& near);
  bool bounds(gimple* statement, tree reference, tree size, Access& access);
  bool returns_of(loop_p loop, gimple* statement, Affine& count);
  bool span(gimple* statement, const std::vector<Affine::Term>& terms, tree& low, tree& high);
  bool find_results();
  bool repeatable(gcall* call, bool before);
  bool from_loop(tree value);
  bool tests_end(const gcond* condition);
  bool from_integers(tree value, hash_set<tree>& seen);
  bool of_last_iteration(basic_block bb);
  bool check_outside();

  bool moves(tree name) { return TREE_CODE(name) == SSA_NAME && moving_.contains(name); }
  bool is_data(tree name) { return TREE_CODE(name) == SSA_NAME && data_.contains(name); }

  function* fun_;
  Alignment& alignment_;
  Distribution found_;
  tree begin_ = NULL_TREE, end_ = NULL_TREE;
  hash_set<tree> moving_;  // integers and addresses that differ among PEs by the distance of their iterations
  hash_set<tree> steady_;  // moving booleans that do not change in the iterations of the PEs
  hash_set<tree> data_;    // numbers that PEs have of their own
  std::vector<tree> still_loads_;  // of integers, from the same place in all iterations
  std::vector<std::pair<gimple*, tree>> still_stores_;
};

inline bool is_number(tree type) { return SCALAR_FLOAT_TYPE_P(type) || TREE_CODE(type) == COMPLEX_TYPE; }
/// True for a private variable before an iteration has set it: what earlier iterations have left there is not
/// used.
inline bool undefined(tree start) {
  return TREE_CODE(start) == SSA_NAME && ssa_undefined_value_p(start, false);
}

/// True if the reference is one to a variable of the iteration, on the PE's stack.
bool on_stack(tree reference);

/// Returns the name of the function that is called.
std::string callee_of(gcall* call);

}  // namespace psim_omp

#endif
