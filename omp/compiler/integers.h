// SPDX-License-Identifier: Apache-2.0
// Makes numbers of the integers that each PE has of its own: elements of arrays by the shared counter, values
// converted from numbers, counts and sums of them. PEs have no integer unit, but a double holds an int, and
// their floating-point pipes convert (fitod, fdtoi) and have the logical instructions of VIS. A copy of the
// loop with its integers remains for the scalar core.
#ifndef PSIM_OMP_COMPILER_INTEGERS_H
#define PSIM_OMP_COMPILER_INTEGERS_H

#include "target_loop.h"

namespace psim_omp {

inline bool is_int(tree type) {
  return INTEGRAL_TYPE_P(type) && TYPE_MODE(type) == SImode && TYPE_PRECISION(type) == 32;
}
/// An integer of 8 or 16 bits.
inline bool is_narrow(tree type) {
  return INTEGRAL_TYPE_P(type) && TREE_CODE(type) != BOOLEAN_TYPE &&
         ((TYPE_MODE(type) == QImode && TYPE_PRECISION(type) == 8) ||
          (TYPE_MODE(type) == HImode && TYPE_PRECISION(type) == 16));
}
/// The integers that PEs load and store.
inline bool is_element(tree type) { return is_int(type) || is_narrow(type); }
inline bool is_long(tree type) { return INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) == 64; }
inline bool is_boolean(tree type) {
  return INTEGRAL_TYPE_P(type) && (TREE_CODE(type) == BOOLEAN_TYPE || TYPE_PRECISION(type) == 1);
}
/// A truth value that PEs load and store as an integer: LOGICAL of Fortran, and _Bool.
inline bool is_stored_boolean(tree type) {
  return is_boolean(type) && (TYPE_MODE(type) == SImode || TYPE_MODE(type) == QImode);
}

/// True if the statement compares two booleans, or combines them by exclusive or.
inline bool differs(gimple* statement) {
  if (const gcond* const c = dyn_cast<gcond*>(statement))
    return is_boolean(TREE_TYPE(gimple_cond_lhs(c))) && TREE_CODE(gimple_cond_rhs(c)) == SSA_NAME;
  if (!is_gimple_assign(statement) || !is_boolean(TREE_TYPE(gimple_assign_lhs(statement)))) return false;
  const tree_code code = gimple_assign_rhs_code(statement);
  return code == BIT_XOR_EXPR ||
         ((code == EQ_EXPR || code == NE_EXPR) && is_boolean(TREE_TYPE(gimple_assign_rhs1(statement))));
}

/// The integers of one shared loop.
class Integers {
 public:
  Integers(loop_p loop, tree begin) : loop_(loop), begin_(begin), body_(get_loop_body_in_dom_order(loop)) {}
  ~Integers() { free(body_); }
  Integers(const Integers&) = delete;
  Integers& operator=(const Integers&) = delete;

  /// Finds them.
  void find();
  /// True if there are any, and PEs can do all that the loop does with them.
  bool good();
  /// True for a branch on data.
  bool decides(gimple* statement);
  void rewrite();

 private:
  template <class Visit>
  void each_statement(Visit visit) {
    for (unsigned i = 0; i < loop_->num_nodes; ++i) {
      for (gphi_iterator at = gsi_start_phis(body_[i]); !gsi_end_p(at); gsi_next(&at))
        if (!virtual_operand_p(gimple_phi_result(at.phi()))) visit(static_cast<gimple*>(at.phi()));
      for (gimple_stmt_iterator at = gsi_start_nondebug_bb(body_[i]); !gsi_end_p(at); gsi_next_nondebug(&at))
        visit(gsi_stmt(at));
    }
  }
  bool is_data(tree name) { return TREE_CODE(name) == SSA_NAME && data_.contains(name); }
  bool moves(tree name) { return TREE_CODE(name) == SSA_NAME && moving_.contains(name); }
  void find_moving();
  void find_addresses();
  bool own_place(tree reference);
  bool makes_data(gimple* statement);
  bool can(gimple* statement);
  bool can_reduce(gphi* phi);
  bool counts_parity(gphi* phi, bool equal);
  /// True for a variable of the iteration: it has no value when the loop begins.
  bool undefined(gphi* phi) {
    const tree start = PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(loop_));
    return gimple_bb(phi) == loop_->header && TREE_CODE(start) == SSA_NAME &&
           ssa_undefined_value_p(start, false);
  }
  void hoist_pointers();
  void number_carried_boolean(gimple* statement, gimple_stmt_iterator* at);
  void rewrite(gimple* statement, gimple_stmt_iterator* at);
  tree number_of(tree value, gimple_stmt_iterator* at);
  tree number_on(tree value, edge e);
  void give_outside(tree name, bool carried);

  loop_p loop_;
  tree begin_;
  basic_block* body_;
  hash_set<tree> moving_, data_, addresses_;
  hash_map<tree, tree> numbers_;
  hash_map<tree, bool> parities_;  // of reductions by .eqv. and .neqv.: true for the former
  hash_map<tree, tree>
      first_;  // of reductions by bits: a number that has the integer's value, and names the operator
};

}  // namespace psim_omp

#endif
