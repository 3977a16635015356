// SPDX-License-Identifier: Apache-2.0
// Finds the integers that each PE has of its own, and whether PEs can do what the loop does with them.
#include "integer_operations.h"
#include "integers.h"
#include "loop_copy.h"

namespace psim_omp {
namespace {

/// True if the value is computed from the one that the loop carries.
bool comes_from(tree value, tree carried, hash_set<tree>& seen) {
  if (value == carried) return true;
  if (TREE_CODE(value) != SSA_NAME || seen.add(value)) return false;
  gimple* const def = SSA_NAME_DEF_STMT(value);
  if (const gphi* const phi = dyn_cast<gphi*>(def)) {
    for (unsigned i = 0; i < gimple_phi_num_args(phi); ++i)
      if (comes_from(gimple_phi_arg_def(phi, i), carried, seen)) return true;
    return false;
  }
  ssa_op_iter it;
  tree operand;
  FOR_EACH_SSA_TREE_OPERAND(operand, def, it, SSA_OP_USE)
  if (comes_from(operand, carried, seen)) return true;
  return false;
}

}  // namespace

/// The shared counter, and what is computed from it.
void Integers::find_moving() {
  for (gphi_iterator at = gsi_start_phis(loop_->header); !gsi_end_p(at); gsi_next(&at)) {
    const tree name = gimple_phi_result(at.phi());
    if (virtual_operand_p(name) || !is_index(TREE_TYPE(name))) continue;
    if (depends_on(PHI_ARG_DEF_FROM_EDGE(at.phi(), loop_preheader_edge(loop_)), begin_)) moving_.add(name);
  }
  for (bool changed = true; changed;) {
    changed = false;
    each_statement([&](gimple* statement) {
      const tree name = gimple_code(statement) == GIMPLE_PHI ? gimple_phi_result(statement)
                        : is_gimple_assign(statement)        ? gimple_assign_lhs(statement)
                                                             : NULL_TREE;
      if (name == NULL_TREE || TREE_CODE(name) != SSA_NAME || !is_index(TREE_TYPE(name)) ||
          gimple_assign_load_p(statement))
        return;
      if (gimple_code(statement) == GIMPLE_PHI && gimple_bb(statement) == loop_->header)
        return;  // a sum of counters
      if (any_operand(statement, moving_)) changed |= !moving_.add(name);
    });
  }
}

/// The integers from which addresses are computed.
void Integers::find_addresses() {
  const auto add = [&](tree name) {
    return TREE_CODE(name) == SSA_NAME && is_index(TREE_TYPE(name)) && !addresses_.add(name);
  };
  const auto add_all = [&](tree* reference) {
    struct Found {
      hash_set<tree>* set;
    } found{&addresses_};
    walk_tree(
        reference,
        [](tree* at, int*, void* data) -> tree {
          if (TREE_CODE(*at) == SSA_NAME) static_cast<Found*>(data)->set->add(*at);
          return NULL_TREE;
        },
        &found, nullptr);
  };
  each_statement([&](gimple* statement) {
    if (gimple_assign_load_p(statement)) add_all(gimple_assign_rhs1_ptr(statement));
    if (is_gimple_assign(statement) && gimple_store_p(statement)) add_all(gimple_assign_lhs_ptr(statement));
  });
  for (bool changed = true; changed;) {
    changed = false;
    each_statement([&](gimple* statement) {
      if (gphi* const phi = dyn_cast<gphi*>(statement)) {
        if (addresses_.contains(gimple_phi_result(phi)))
          for (unsigned i = 0; i < gimple_phi_num_args(phi); ++i) changed |= add(gimple_phi_arg_def(phi, i));
      } else if (is_gimple_assign(statement) && TREE_CODE(gimple_assign_lhs(statement)) == SSA_NAME &&
                 (addresses_.contains(gimple_assign_lhs(statement)) ||
                  POINTER_TYPE_P(TREE_TYPE(gimple_assign_lhs(statement))))) {
        ssa_op_iter it;
        tree name;
        FOR_EACH_SSA_TREE_OPERAND(name, statement, it, SSA_OP_USE)
        changed |= add(name);
      }
    });
  }
}

/// True for an element by the shared counter, and for a variable of the iteration.
bool Integers::own_place(tree reference) {
  struct Look {
    Integers* self;
    bool own;
  } look{this, false};
  walk_tree(
      &reference,
      [](tree* at, int*, void* data) -> tree {
        auto* const look = static_cast<Look*>(data);
        look->own |= look->self->moves(*at) || look->self->is_data(*at);
        return NULL_TREE;
      },
      &look, nullptr);
  tree base = get_base_address(reference);
  if (base && TREE_CODE(base) == MEM_REF && TREE_CODE(TREE_OPERAND(base, 0)) == ADDR_EXPR)
    base = get_base_address(TREE_OPERAND(TREE_OPERAND(base, 0), 0));
  return look.own || (base && DECL_P(base) && !is_global_var(base));
}

/// True for a branch on data.
bool Integers::decides(gimple* statement) {
  const gcond* const c = safe_dyn_cast<gcond*>(statement);
  if (c == nullptr) return false;
  return SCALAR_FLOAT_TYPE_P(TREE_TYPE(gimple_cond_lhs(c))) || is_data(gimple_cond_lhs(c)) ||
         is_data(gimple_cond_rhs(c));
}

/// True if the statement's result is an integer that PEs have of their own.
bool Integers::makes_data(gimple* statement) {
  if (gphi* const phi = dyn_cast<gphi*>(statement)) {
    if (any_operand(phi, data_)) return true;
    const basic_block bb = gimple_bb(phi);
    if (bb == loop_->header) return !moves(gimple_phi_result(phi)) && !undefined(phi);
    if (bb->loop_father->header == bb) return false;
    for (unsigned i = 0; i < loop_->num_nodes; ++i)  // the sides of a branch on data meet here
      if (decides(last_stmt(body_[i])) && body_[i] != bb && !dominated_by_p(CDI_DOMINATORS, body_[i], bb) &&
          dominated_by_p(CDI_DOMINATORS, body_[i], get_immediate_dominator(CDI_DOMINATORS, bb)))
        return true;
    return false;
  }
  if (!is_gimple_assign(statement)) return false;
  const tree_code code = gimple_assign_rhs_code(statement);
  if (gimple_assign_load_p(statement)) return own_place(gimple_assign_rhs1(statement));
  if (any_operand(statement, data_)) return true;
  if (code == FIX_TRUNC_EXPR) return true;
  const tree a = gimple_assign_rhs1(statement);
  if (code == COND_EXPR && COMPARISON_CLASS_P(a)) return SCALAR_FLOAT_TYPE_P(TREE_TYPE(TREE_OPERAND(a, 0)));
  if (TREE_CODE_CLASS(code) == tcc_comparison) return SCALAR_FLOAT_TYPE_P(TREE_TYPE(a));
  // Values that are not linear in the shared counter, unless they are indices.
  if (!moves(gimple_assign_lhs(statement)) || addresses_.contains(gimple_assign_lhs(statement)) ||
      is_boolean(TREE_TYPE(a)))
    return false;
  if (CONVERT_EXPR_CODE_P(code))
    return TYPE_PRECISION(TREE_TYPE(a)) > TYPE_PRECISION(TREE_TYPE(gimple_assign_lhs(statement))) &&
           is_element(TREE_TYPE(gimple_assign_lhs(statement)));
  if (code == MULT_EXPR) return moves(a) && moves(gimple_assign_rhs2(statement));
  return code == TRUNC_MOD_EXPR || code == TRUNC_DIV_EXPR || code == RSHIFT_EXPR || code == BIT_AND_EXPR ||
         code == BIT_IOR_EXPR || code == BIT_XOR_EXPR;
}

namespace {

/// Returns -0.
tree first_of_or() { return build_real(double_type_node, real_value_negate(&dconst0)); }

}  // namespace

/// Notes a reduction by .neqv., or .eqv.: the PEs' numbers are 1 for values that differ from the first one,
/// and code behind the loop has the parity of their sum. False if something else in the loop uses a value.
bool Integers::counts_parity(gphi* phi, bool equal) {
  const tree next = PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop_));
  if (TREE_CODE(next) != SSA_NAME || !is_gimple_assign(SSA_NAME_DEF_STMT(next))) return false;
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST(use, it, next)
  if (!is_gimple_debug(USE_STMT(use)) && USE_STMT(use) != phi &&
      flow_bb_inside_loop_p(loop_, gimple_bb(USE_STMT(use))))
    return false;
  parities_.put(gimple_phi_result(phi), equal), parities_.put(next, equal);
  return true;
}

/// True for sums from 0, products from 1, and minima and maxima from the largest and the least int: what the
/// runtime combines.
bool Integers::can_reduce(gphi* phi) {
  const tree carried = gimple_phi_result(phi), type = TREE_TYPE(carried);
  const tree start = PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(loop_));
  if ((!is_element(type) && !is_boolean(type)) || TREE_CODE(start) != INTEGER_CST) return false;
  bool sum = true, product = true, other = true, logical = true;
  tree_code bits = ERROR_MARK;  // the operator of all paths; EQ_EXPR: .eqv.; NOP_EXPR: several
  hash_set<tree> seen;
  const auto walk = [&](auto& self, tree value) -> void {
    if (value == carried || (TREE_CODE(value) == SSA_NAME && seen.add(value))) return;
    gimple* const def = TREE_CODE(value) == SSA_NAME ? SSA_NAME_DEF_STMT(value) : nullptr;
    tree_code code = def && is_gimple_assign(def) ? gimple_assign_rhs_code(def) : ERROR_MARK;
    const bool booleans =
        (code == NE_EXPR || code == EQ_EXPR) && is_boolean(TREE_TYPE(gimple_assign_rhs1(def)));
    if (booleans && code == NE_EXPR) code = BIT_XOR_EXPR;
    if (gphi* const inner = def ? dyn_cast<gphi*>(def) : nullptr) {
      if (!flow_bb_inside_loop_p(loop_, gimple_bb(inner))) return;
      for (unsigned i = 0; i < gimple_phi_num_args(inner); ++i) self(self, gimple_phi_arg_def(inner, i));
    } else if (booleans || code == BIT_IOR_EXPR || code == BIT_AND_EXPR || code == BIT_XOR_EXPR) {
      sum = product = other = logical = false;
      bits = bits == ERROR_MARK || bits == code ? code : NOP_EXPR;
      hash_set<tree> looked;
      const tree a = gimple_assign_rhs1(def), b = gimple_assign_rhs2(def);
      self(self, comes_from(a, carried, looked) ? a : b);
    } else if (code == PLUS_EXPR || code == MULT_EXPR || code == MINUS_EXPR) {
      (code == MULT_EXPR ? sum : product) = other = logical = false;
      const tree a = gimple_assign_rhs1(def), b = gimple_assign_rhs2(def);
      hash_set<tree> looked;
      const bool first = comes_from(a, carried, looked);
      if (code == MINUS_EXPR && !first) sum = false;
      self(self, first ? a : b);
    } else if (CONVERT_EXPR_CODE_P(code) && is_element(TREE_TYPE(gimple_assign_rhs1(def)))) {
      self(self, gimple_assign_rhs1(def));  // to unsigned and back
    } else {
      // A boolean, or 0 or 1: what is left of && and ||.
      sum = product = false;
      if (bits != ERROR_MARK) bits = NOP_EXPR;
      logical &= integer_zerop(value) || integer_onep(value) ||
                 (CONVERT_EXPR_CODE_P(code) && is_boolean(TREE_TYPE(gimple_assign_rhs1(def))));
    }
  };
  walk(walk, PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop_)));
  const auto named = [&](tree first) { return first_.put(carried, first), true; };
  REAL_VALUE_TYPE smallest;
  real_2expN(&smallest, -1074, DFmode);
  if (bits == BIT_IOR_EXPR && integer_zerop(start)) return named(first_of_or());
  if (bits == BIT_XOR_EXPR && integer_zerop(start) && !is_boolean(type))
    return named(build_real(double_type_node, smallest));
  if (bits == BIT_AND_EXPR && is_boolean(type)) return integer_onep(start);  // a product
  const bool parity = bits == EQ_EXPR || (bits == BIT_XOR_EXPR && is_boolean(type));
  if (parity)
    return (bits == EQ_EXPR ? integer_onep(start) : integer_zerop(start)) &&
           counts_parity(phi, bits == EQ_EXPR);
  if (bits != ERROR_MARK)
    return bits == BIT_AND_EXPR && integer_all_onesp(start) && named(build_real(double_type_node, dconstm1));
  if (sum && integer_zerop(start)) return true;
  if (product && integer_onep(start) && is_int(type)) return true;
  if (logical && !sum && integer_onep(start)) return true;  // a product of zeros and ones
  if (logical && !sum && integer_zerop(start)) return named(first_of_or());
  return other && !TYPE_UNSIGNED(type) &&
         (operand_equal_p(start, TYPE_MAX_VALUE(type), 0) || operand_equal_p(start, TYPE_MIN_VALUE(type), 0));
}

/// False if the loop does something with its integers that PEs cannot do.
bool Integers::can(gimple* statement) {
  if (gphi* const phi = dyn_cast<gphi*>(statement)) {
    const tree name = gimple_phi_result(phi);
    if (!is_data(name)) return true;
    if (!is_element(TREE_TYPE(name)) && !is_boolean(TREE_TYPE(name))) return false;
    return gimple_bb(phi) != loop_->header || undefined(phi) || can_reduce(phi);
  }
  if (gimple_code(statement) == GIMPLE_COND) {
    const gcond* const c = as_a<gcond*>(statement);
    const tree type = TREE_TYPE(gimple_cond_lhs(c));
    return !any_operand(statement, data_) || is_element(type) || is_long(type) || is_boolean(type);
  }
  if (!is_gimple_assign(statement)) return !any_operand(statement, data_);
  const tree result = gimple_assign_lhs(statement), type = TREE_TYPE(result);
  const tree_code code = gimple_assign_rhs_code(statement);
  if (gimple_clobber_p(statement)) return true;
  if (gimple_assign_load_p(statement))
    return !any_operand(statement, data_) &&
           (!is_data(result) ||
            (TREE_CODE(result) == SSA_NAME && (is_element(type) || is_stored_boolean(type))));
  if (gimple_store_p(statement)) {
    struct Look {
      Integers* self;
      bool data;
    } look{this, false};
    walk_tree(
        gimple_assign_lhs_ptr(statement),
        [](tree* at, int*, void* data) -> tree {
          auto* const look = static_cast<Look*>(data);
          look->data |= look->self->is_data(*at);
          return NULL_TREE;
        },
        &look, nullptr);
    if (look.data) return false;  // its address
    if (!is_index(type)) return true;
    return own_place(result)
               ? (is_element(type) || is_stored_boolean(type)) && (code == SSA_NAME || code == INTEGER_CST)
               : !any_operand(statement, data_);
  }
  const tree a = gimple_assign_rhs1(statement);
  if (!is_data(result)) return !any_operand(statement, data_) || code == FLOAT_EXPR || code == COND_EXPR;
  if (is_boolean(type))
    return TREE_CODE_CLASS(code) == tcc_comparison
               ? SCALAR_FLOAT_TYPE_P(TREE_TYPE(a)) || is_element(TREE_TYPE(a)) || is_long(TREE_TYPE(a)) ||
                     (is_boolean(TREE_TYPE(a)) && (code == EQ_EXPR || code == NE_EXPR))
               : code == BIT_XOR_EXPR || code == BIT_AND_EXPR || code == BIT_IOR_EXPR || code == BIT_NOT_EXPR;
  if (!is_element(type) && !is_long(type)) return false;
  if (code == FIX_TRUNC_EXPR) return !is_narrow(type);
  if (code == SSA_NAME || code == COND_EXPR) return true;
  if (CONVERT_EXPR_CODE_P(code))
    return is_element(TREE_TYPE(a)) || is_boolean(TREE_TYPE(a)) ||
           (is_long(TREE_TYPE(a)) && is_element(type));
  return IntegerOperations::can(code, type,
                                gimple_num_ops(statement) > 2 ? gimple_assign_rhs2(statement) : NULL_TREE);
}

void Integers::find() {
  find_moving();
  find_addresses();
  for (bool changed = true; changed;) {
    changed = false;
    each_statement([&](gimple* statement) {
      const tree name =
          gimple_code(statement) == GIMPLE_PHI ? gimple_phi_result(statement) : gimple_get_lhs(statement);
      if (name == NULL_TREE || TREE_CODE(name) != SSA_NAME || !INTEGRAL_TYPE_P(TREE_TYPE(name))) return;
      if (makes_data(statement)) changed |= !data_.add(name);
    });
  }
}

bool Integers::good() {
  bool any = false, good = true;
  each_statement([&](gimple* statement) {
    const tree name =
        gimple_code(statement) == GIMPLE_PHI ? gimple_phi_result(statement) : gimple_get_lhs(statement);
    const bool carried = gimple_code(statement) == GIMPLE_PHI && gimple_bb(statement) == loop_->header;
    if (name != NULL_TREE && is_data(name) &&
        (!is_boolean(TREE_TYPE(name)) || carried || gimple_assign_load_p(statement)))
      any = true;
    if (is_gimple_assign(statement) && gimple_store_p(statement) && is_index(TREE_TYPE(name)) &&
        own_place(name))
      any = true;
    if (differs(statement) && any_operand(statement, data_)) any = true;
    good = good && can(statement);
  });
  return any && good;
}

}  // namespace psim_omp
