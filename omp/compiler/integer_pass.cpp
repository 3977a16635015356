// SPDX-License-Identifier: Apache-2.0
// Makes numbers of the integers that each PE has of its own: elements of arrays by the shared counter, values
// converted from numbers, counts and sums of them. PEs have no integer unit, but a double holds an int, and
// their floating-point pipes convert (fitod, fdtoi) and have the logical instructions of VIS. A copy of the
// loop with its integers remains for the scalar core.
#include <algorithm>
#include <vector>

#include "integer_operations.h"
#include "loop_copy.h"
#include "target_loop.h"

namespace psim_omp {
namespace {

bool is_int(tree type) {
  return INTEGRAL_TYPE_P(type) && TYPE_MODE(type) == SImode && TYPE_PRECISION(type) == 32;
}
bool is_long(tree type) { return INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) == 64; }
bool is_boolean(tree type) {
  return INTEGRAL_TYPE_P(type) && (TREE_CODE(type) == BOOLEAN_TYPE || TYPE_PRECISION(type) == 1);
}
bool is_index(tree type) { return INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type); }

/// The integers of one shared loop.
class Integers {
 public:
  Integers(loop_p loop, tree begin) : loop_(loop), begin_(begin), body_(get_loop_body_in_dom_order(loop)) {}
  ~Integers() { free(body_); }
  Integers(const Integers&) = delete;
  Integers& operator=(const Integers&) = delete;

  /// True if there are any, and PEs can do all that the loop does with them.
  bool found();
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
  bool any_operand(gimple* statement, hash_set<tree>& set);
  bool is_data(tree name) { return TREE_CODE(name) == SSA_NAME && data_.contains(name); }
  bool moves(tree name) { return TREE_CODE(name) == SSA_NAME && moving_.contains(name); }
  void find_moving();
  void find_addresses();
  bool own_place(tree reference);
  bool decides(gimple* statement);
  bool makes_data(gimple* statement);
  bool can(gimple* statement);
  bool can_reduce(gphi* phi);
  /// True for a variable of the iteration: it has no value when the loop begins.
  bool undefined(gphi* phi) {
    const tree start = PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(loop_));
    return gimple_bb(phi) == loop_->header && TREE_CODE(start) == SSA_NAME &&
           ssa_undefined_value_p(start, false);
  }
  void rewrite(gimple* statement, gimple_stmt_iterator* at);
  tree number_of(tree value, gimple_stmt_iterator* at);
  tree number_on(tree value, edge e);
  void give_outside(tree name);

  loop_p loop_;
  tree begin_;
  basic_block* body_;
  hash_set<tree> moving_, data_, addresses_;
  hash_map<tree, tree> numbers_;
};

bool Integers::any_operand(gimple* statement, hash_set<tree>& set) {
  if (gphi* const phi = dyn_cast<gphi*>(statement)) {
    for (unsigned i = 0; i < gimple_phi_num_args(phi); ++i)
      if (TREE_CODE(gimple_phi_arg_def(phi, i)) == SSA_NAME && set.contains(gimple_phi_arg_def(phi, i)))
        return true;
    return false;
  }
  ssa_op_iter it;
  tree name;
  FOR_EACH_SSA_TREE_OPERAND(name, statement, it, SSA_OP_USE)
  if (set.contains(name)) return true;
  return false;
}

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
  if (TREE_CODE_CLASS(code) == tcc_comparison) return SCALAR_FLOAT_TYPE_P(TREE_TYPE(a));
  // What is not linear in the shared counter, unless it is an index.
  if (!moves(gimple_assign_lhs(statement)) || addresses_.contains(gimple_assign_lhs(statement)) ||
      is_boolean(TREE_TYPE(a)))
    return false;
  if (CONVERT_EXPR_CODE_P(code))
    return is_long(TREE_TYPE(a)) && is_int(TREE_TYPE(gimple_assign_lhs(statement)));
  if (code == MULT_EXPR) return moves(a) && moves(gimple_assign_rhs2(statement));
  return code == TRUNC_MOD_EXPR || code == TRUNC_DIV_EXPR || code == RSHIFT_EXPR || code == BIT_AND_EXPR ||
         code == BIT_IOR_EXPR || code == BIT_XOR_EXPR;
}

/// True for sums from 0, products from 1, and minima and maxima from the largest and the least int: what the
/// runtime combines.
bool Integers::can_reduce(gphi* phi) {
  const tree carried = gimple_phi_result(phi), type = TREE_TYPE(carried);
  const tree start = PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(loop_));
  if (!is_int(type) || TREE_CODE(start) != INTEGER_CST) return false;
  bool sum = true, product = true, other = true;
  hash_set<tree> seen;
  const auto walk = [&](auto& self, tree value) -> void {
    if (value == carried || (TREE_CODE(value) == SSA_NAME && seen.add(value))) return;
    gimple* const def = TREE_CODE(value) == SSA_NAME ? SSA_NAME_DEF_STMT(value) : nullptr;
    const tree_code code = def && is_gimple_assign(def) ? gimple_assign_rhs_code(def) : ERROR_MARK;
    if (gphi* const inner = def ? dyn_cast<gphi*>(def) : nullptr) {
      if (!flow_bb_inside_loop_p(loop_, gimple_bb(inner))) return;
      for (unsigned i = 0; i < gimple_phi_num_args(inner); ++i) self(self, gimple_phi_arg_def(inner, i));
    } else if (code == PLUS_EXPR || code == MULT_EXPR || code == MINUS_EXPR) {
      (code == MULT_EXPR ? sum : product) = other = false;
      const tree a = gimple_assign_rhs1(def), b = gimple_assign_rhs2(def);
      hash_set<tree> looked;
      const bool first = comes_from(a, carried, looked);
      if (code == MINUS_EXPR && !first) sum = false;
      self(self, first ? a : b);
    } else if (CONVERT_EXPR_CODE_P(code) && is_int(TREE_TYPE(gimple_assign_rhs1(def)))) {
      self(self, gimple_assign_rhs1(def));  // to unsigned and back
    } else {
      sum = product = false;
    }
  };
  walk(walk, PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop_)));
  if (sum && integer_zerop(start)) return true;
  if (product && integer_onep(start)) return true;
  return other && !TYPE_UNSIGNED(type) &&
         (operand_equal_p(start, TYPE_MAX_VALUE(type), 0) || operand_equal_p(start, TYPE_MIN_VALUE(type), 0));
}

/// False if the loop does something with its integers that PEs cannot do.
bool Integers::can(gimple* statement) {
  if (gphi* const phi = dyn_cast<gphi*>(statement)) {
    const tree name = gimple_phi_result(phi);
    if (!is_data(name)) return true;
    if (!is_int(TREE_TYPE(name)) && !is_boolean(TREE_TYPE(name))) return false;
    return gimple_bb(phi) != loop_->header || undefined(phi) || can_reduce(phi);
  }
  if (gimple_code(statement) == GIMPLE_COND) {
    const gcond* const c = as_a<gcond*>(statement);
    const tree type = TREE_TYPE(gimple_cond_lhs(c));
    return !any_operand(statement, data_) || is_int(type) || is_long(type) || is_boolean(type);
  }
  if (!is_gimple_assign(statement)) return !any_operand(statement, data_);
  const tree result = gimple_assign_lhs(statement), type = TREE_TYPE(result);
  const tree_code code = gimple_assign_rhs_code(statement);
  if (gimple_clobber_p(statement)) return true;
  if (gimple_assign_load_p(statement))
    return !any_operand(statement, data_) &&
           (!is_data(result) || (TREE_CODE(result) == SSA_NAME && is_int(type)));
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
    return !is_index(type) || !own_place(result) ||
           (is_int(type) && (code == SSA_NAME || code == INTEGER_CST));
  }
  const tree a = gimple_assign_rhs1(statement);
  if (!is_data(result)) return !any_operand(statement, data_) || code == FLOAT_EXPR || code == COND_EXPR;
  if (is_boolean(type))
    return TREE_CODE_CLASS(code) == tcc_comparison
               ? SCALAR_FLOAT_TYPE_P(TREE_TYPE(a)) || is_int(TREE_TYPE(a)) || is_long(TREE_TYPE(a))
               : code == BIT_AND_EXPR || code == BIT_IOR_EXPR || code == BIT_NOT_EXPR;
  if (!is_int(type) && !is_long(type)) return false;
  if (code == FIX_TRUNC_EXPR || code == SSA_NAME || code == COND_EXPR) return true;
  if (CONVERT_EXPR_CODE_P(code))
    return is_int(TREE_TYPE(a)) || is_boolean(TREE_TYPE(a)) || (is_long(TREE_TYPE(a)) && is_int(type));
  return IntegerOperations::can(code, type,
                                gimple_num_ops(statement) > 2 ? gimple_assign_rhs2(statement) : NULL_TREE);
}

bool Integers::found() {
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
  bool any = false, good = true;
  each_statement([&](gimple* statement) {
    const tree name =
        gimple_code(statement) == GIMPLE_PHI ? gimple_phi_result(statement) : gimple_get_lhs(statement);
    if (name != NULL_TREE && is_data(name) && !is_boolean(TREE_TYPE(name))) any = true;
    if (is_gimple_assign(statement) && gimple_store_p(statement) && is_index(TREE_TYPE(name)) &&
        own_place(name))
      any = true;
    good = good && can(statement);
  });
  return any && good;
}

/// Returns the number that stands for an integer.
tree Integers::number_of(tree value, gimple_stmt_iterator* at) {
  if (SCALAR_FLOAT_TYPE_P(TREE_TYPE(value))) return value;
  if (TREE_CODE(value) == INTEGER_CST) return build_real_from_int_cst(double_type_node, value);
  if (tree* const known = numbers_.get(value)) return *known;
  IntegerOperations operations(at);
  return is_boolean(TREE_TYPE(value)) ? operations.of_boolean(value) : operations.of_index(value);
}

tree Integers::number_on(tree value, edge e) {
  gimple* const last = last_stmt(e->src);
  gimple_stmt_iterator at;
  gimple* mark = nullptr;
  if (last != nullptr && stmt_ends_bb_p(last)) {
    at = gsi_for_stmt(last);
  } else {
    at = gsi_last_bb(e->src);
    mark = gimple_build_nop();
    gsi_insert_after(&at, mark, GSI_NEW_STMT);
  }
  const tree number = number_of(value, &at);
  if (mark != nullptr) at = gsi_for_stmt(mark), gsi_remove(&at, true);
  return number;
}

void Integers::rewrite(gimple* statement, gimple_stmt_iterator* at) {
  IntegerOperations operations(at);
  if (gcond* const c = dyn_cast<gcond*>(statement)) {
    const tree a = gimple_cond_lhs(c), b = gimple_cond_rhs(c);
    if ((!is_data(a) && !is_data(b)) || is_boolean(TREE_TYPE(a))) return;
    const tree left = number_of(a, at), right = number_of(b, at);
    gimple_cond_set_lhs(c, left), gimple_cond_set_rhs(c, right);
    return update_stmt(statement);
  }
  if (!is_gimple_assign(statement) || gimple_clobber_p(statement)) return;
  const tree result = gimple_assign_lhs(statement), type = TREE_TYPE(result);
  const tree_code code = gimple_assign_rhs_code(statement);
  const bool loads = gimple_assign_load_p(statement) && is_data(result), stores = gimple_store_p(statement);
  if (loads || (stores && is_index(type) && own_place(result))) {
    const tree place = loads ? gimple_assign_rhs1(statement) : result;
    const tree base = get_base_address(place);
    if (base && DECL_P(base)) mark_addressable(base);
    const tree address = force_gimple_operand_gsi(at, build_fold_addr_expr(unshare_expr(place)), true,
                                                  NULL_TREE, true, GSI_SAME_STMT);
    const tree access = build2(MEM_REF, float_type_node, address,
                               build_int_cst(build_pointer_type_for_mode(char_type_node, ptr_mode, true), 0));
    if (loads) {
      const tree bits = make_ssa_name(float_type_node);
      gassign* const load = gimple_build_assign(bits, access);
      gimple_set_location(load, gimple_location(statement));
      gsi_insert_before(at, load, GSI_SAME_STMT);
      numbers_.put(result, operations.value_of(bits, type));
      return;
    }
    const tree bits = operations.bits_of(number_of(gimple_assign_rhs1(statement), at), type);
    gimple_assign_set_lhs(statement, access);
    gimple_assign_set_rhs_from_tree(at, bits);
    return update_stmt(gsi_stmt(*at));
  }
  if (stores || gimple_assign_load_p(statement)) return;
  const tree a = gimple_assign_rhs1(statement);
  if (!is_data(result)) {
    if (code == FLOAT_EXPR && is_data(a)) {
      const bool wide = TYPE_MODE(type) == DFmode;
      gimple_assign_set_rhs_with_ops(at, wide ? SSA_NAME : NOP_EXPR,
                                     operations.without_sign_of_zero(number_of(a, at)));
      update_stmt(gsi_stmt(*at));
    }
    return;
  }
  if (is_boolean(type)) {
    if (TREE_CODE_CLASS(code) != tcc_comparison || SCALAR_FLOAT_TYPE_P(TREE_TYPE(a))) return;
    const tree left = number_of(a, at), right = number_of(gimple_assign_rhs2(statement), at);
    gimple_assign_set_rhs_with_ops(at, code, left, right);
    return update_stmt(gsi_stmt(*at));
  }
  tree value;
  if (code == FIX_TRUNC_EXPR) {
    tree from = a;
    if (TYPE_MODE(TREE_TYPE(a)) != DFmode) {
      from = make_ssa_name(double_type_node);
      gsi_insert_before(at, gimple_build_assign(from, NOP_EXPR, a), GSI_SAME_STMT);
    }
    value = operations.truncated(from, type);
  } else if (code == SSA_NAME) {
    value = number_of(a, at);
  } else if (code == COND_EXPR) {
    const tree yes = number_of(gimple_assign_rhs2(statement), at),
               no = number_of(gimple_assign_rhs3(statement), at);
    value = make_ssa_name(double_type_node);
    gsi_insert_before(at, gimple_build_assign(value, COND_EXPR, unshare_expr(a), yes, no), GSI_SAME_STMT);
  } else if (CONVERT_EXPR_CODE_P(code)) {
    value = number_of(a, at);
    const tree from = TREE_TYPE(a);
    if (!is_boolean(from) && is_int(type) && (is_long(from) || TYPE_UNSIGNED(from) != TYPE_UNSIGNED(type)))
      value = operations.wrapped(value, type);
  } else {
    const tree b = gimple_num_ops(statement) > 2 ? gimple_assign_rhs2(statement) : NULL_TREE;
    value = operations.operation(code, type, number_of(a, at), b ? number_of(b, at) : NULL_TREE, b);
  }
  numbers_.put(result, value);
}

/// Code behind the loop has the integer again.
void Integers::give_outside(tree name) {
  tree value = NULL_TREE;
  const tree type = TREE_TYPE(name);
  gimple* user;
  imm_use_iterator it;
  FOR_EACH_IMM_USE_STMT(user, it, name) {
    if (is_gimple_debug(user) || flow_bb_inside_loop_p(loop_, gimple_bb(user))) continue;
    if (value == NULL_TREE) {
      gimple_seq code = nullptr;
      const tree whole = make_ssa_name(long_integer_type_node);
      gimple_seq_add_stmt(&code, gimple_build_assign(whole, FIX_TRUNC_EXPR, *numbers_.get(name)));
      value = make_ssa_name(type);
      gimple_seq_add_stmt(&code, gimple_build_assign(value, NOP_EXPR, whole));
      gsi_insert_seq_on_edge_immediate(single_exit(loop_), code);
    }
    use_operand_p use;
    FOR_EACH_IMM_USE_ON_STMT(use, it) SET_USE(use, value);
    update_stmt(user);
  }
}

void Integers::rewrite() {
  std::vector<gphi*> phis;
  std::vector<tree> names;
  for (unsigned i = 0; i < loop_->num_nodes; ++i)
    for (gphi_iterator at = gsi_start_phis(body_[i]); !gsi_end_p(at); gsi_next(&at))
      if (is_data(gimple_phi_result(at.phi()))) phis.push_back(at.phi());
  std::vector<gphi*> numbers;
  for (gphi* const phi : phis) {
    const tree name = gimple_phi_result(phi), number = make_ssa_name(double_type_node);
    numbers.push_back(create_phi_node(number, gimple_bb(phi)));
    numbers_.put(name, number);
  }
  for (unsigned i = 0; i < loop_->num_nodes; ++i)
    for (gimple_stmt_iterator at = gsi_start_bb(body_[i]); !gsi_end_p(at); gsi_next(&at))
      if (!is_gimple_debug(gsi_stmt(at))) rewrite(gsi_stmt(at), &at);
  for (std::size_t i = 0; i < phis.size(); ++i)
    for (unsigned j = 0; j < gimple_phi_num_args(phis[i]); ++j) {
      const edge e = gimple_phi_arg_edge(phis[i], j);
      add_phi_arg(numbers[i], number_on(gimple_phi_arg_def(phis[i], j), e), e, UNKNOWN_LOCATION);
    }
  each_statement([&](gimple* statement) {
    const tree name =
        gimple_code(statement) == GIMPLE_PHI ? gimple_phi_result(statement) : gimple_get_lhs(statement);
    if (name != NULL_TREE && is_data(name) && numbers_.get(name)) names.push_back(name);
  });
  for (const tree name : names) {
    if (!is_boolean(TREE_TYPE(name))) give_outside(name);
    gimple* const def = SSA_NAME_DEF_STMT(name);
    gimple_stmt_iterator at = gsi_for_stmt(def);
    if (gphi* const phi = dyn_cast<gphi*>(def)) {
      if (is_boolean(TREE_TYPE(name))) {  // a comparison takes its place
        gimple_stmt_iterator after = gsi_after_labels(gimple_bb(phi));
        remove_phi_node(&at, false);
        gsi_insert_before(
            &after, gimple_build_assign(name, NE_EXPR, *numbers_.get(name), build_zero_cst(double_type_node)),
            GSI_SAME_STMT);
      } else {
        remove_phi_node(&at, true);
      }
    } else {
      unlink_stmt_vdef(def);
      gsi_remove(&at, true);
      release_defs(def);
    }
  }
}

const pass_data kData = {
    GIMPLE_PASS, "psim_integers", OPTGROUP_OMP, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class IntegerPass final : public gimple_opt_pass {
 public:
  explicit IntegerPass(gcc::context* context) : gimple_opt_pass(kData, context) {}
  bool gate(function* fun) final { return in_target_parallel(fun) && !starts_parallel(fun); }
  unsigned execute(function* fun) final {
    loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
    scev_initialize();
    calculate_dominance_info(CDI_DOMINATORS);
    const SharedLoop shared = shared_loop_of(fun);
    if (shared.loop != nullptr && single_exit(shared.loop) != nullptr) {
      Integers integers(shared.loop, shared.begin);
      if (integers.found() && copy_for_scalar_core(shared.loop).scalar != nullptr) {
        calculate_dominance_info(CDI_DOMINATORS);
        integers.rewrite();
        renew_function();
      }
    }
    scev_finalize();
    loop_optimizer_finalize();
    return TODO_cleanup_cfg;
  }
};

}  // namespace

gimple_opt_pass* make_integer_pass(gcc::context* context) { return new IntegerPass(context); }

}  // namespace psim_omp
