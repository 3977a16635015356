// SPDX-License-Identifier: Apache-2.0
// Replaces integers of PEs by numbers.
#include <vector>

#include "integer_operations.h"
#include "integers.h"
#include "loop_copy.h"
#include "select.h"

namespace psim_omp {

/// Returns the number that stands for an integer.
tree Integers::number_of(tree value, gimple_stmt_iterator* at) {
  if (SCALAR_FLOAT_TYPE_P(TREE_TYPE(value))) return value;
  if (TREE_CODE(value) == INTEGER_CST) return build_real_from_int_cst(double_type_node, value);
  // That of a value of .eqv. means the opposite: it is for the next iteration only.
  if (tree* const known = parities_.get(value) ? nullptr : numbers_.get(value)) return *known;
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
    if ((!is_data(a) && !is_data(b)) || (is_boolean(TREE_TYPE(a)) && !differs(c))) return;
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
    const bool truth = is_boolean(type);
    const auto keep = [&](tree value) {
      if (!truth) return void(numbers_.put(result, value));
      gimple_assign_set_rhs_with_ops(at, NE_EXPR, value, build_zero_cst(double_type_node));
      update_stmt(gsi_stmt(*at));
    };
    if (is_narrow(type) || (truth && TYPE_MODE(type) == QImode)) {
      const tree access =
          build2(MEM_REF, truth ? unsigned_char_type_node : type, address,
                 build_int_cst(build_pointer_type_for_mode(char_type_node, ptr_mode, true), 0));
      if (loads) return keep(operations.narrow_loaded(address, access, gimple_location(statement)));
      operations.narrow_store(number_of(gimple_assign_rhs1(statement), at), address, access,
                              gimple_location(statement));
      unlink_stmt_vdef(statement);
      gsi_replace(at, gimple_build_nop(), true);
      return release_defs(statement);
    }
    const tree access =
        fold_build2(MEM_REF, float_type_node, address, build_int_cst(reference_alias_ptr_type(place), 0));
    if (loads) {
      const tree bits = make_ssa_name(float_type_node);
      gassign* const load = gimple_build_assign(bits, access);
      gimple_set_location(load, gimple_location(statement));
      gsi_insert_before(at, load, GSI_SAME_STMT);
      return keep(operations.value_of(bits, truth ? integer_type_node : type));
    }
    const tree bits =
        operations.bits_of(number_of(gimple_assign_rhs1(statement), at), truth ? integer_type_node : type);
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
    if (!differs(statement) && (TREE_CODE_CLASS(code) != tcc_comparison || SCALAR_FLOAT_TYPE_P(TREE_TYPE(a))))
      return;
    const tree left = number_of(a, at), right = number_of(gimple_assign_rhs2(statement), at);
    gimple_assign_set_rhs_with_ops(at, code == BIT_XOR_EXPR ? NE_EXPR : code, left, right);
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
    const unsigned bits = TYPE_PRECISION(type), other_bits = TYPE_PRECISION(from);
    const bool signs =
        TYPE_UNSIGNED(from) != TYPE_UNSIGNED(type) && !(TYPE_UNSIGNED(from) && bits > other_bits);
    if (!is_boolean(from) && !is_long(type) && (bits < other_bits || signs))
      value = operations.wrapped(value, type);
  } else {
    const tree b = gimple_num_ops(statement) > 2 ? gimple_assign_rhs2(statement) : NULL_TREE;
    value = operations.operation(code, type, number_of(a, at), b ? number_of(b, at) : NULL_TREE, b);
  }
  numbers_.put(result, value);
}

/// Gives a truth value that the loop carries, or leaves, a number, which code behind the loop can have from
/// all PEs.
void Integers::number_carried_boolean(gimple* statement, gimple_stmt_iterator* at) {
  const tree name = is_gimple_assign(statement) ? gimple_assign_lhs(statement) : NULL_TREE;
  if (name == NULL_TREE || TREE_CODE(name) != SSA_NAME || !is_data(name) || !is_boolean(TREE_TYPE(name)))
    return;
  bool needed = used_outside(loop_, name);
  for (gphi_iterator phi = gsi_start_phis(loop_->header); !gsi_end_p(phi); gsi_next(&phi))
    needed |= PHI_ARG_DEF_FROM_EDGE(phi.phi(), loop_latch_edge(loop_)) == name;
  if (!needed) return;
  const tree number = make_ssa_name(double_type_node);
  const bool* const equal = parities_.get(name);
  const tree test = build2(equal != nullptr && *equal ? EQ_EXPR : NE_EXPR, boolean_type_node, name,
                           build_zero_cst(TREE_TYPE(name)));
  gsi_insert_after(at,
                   gimple_build_assign(number, COND_EXPR, test, build_one_cst(double_type_node),
                                       build_zero_cst(double_type_node)),
                   GSI_NEW_STMT);
  numbers_.put(name, number);
}

/// Code behind the loop has the integer again. It has any one for what the last iteration leaves, which is
/// the scalar core's.
void Integers::give_outside(tree name, bool carried) {
  tree value = NULL_TREE;
  const tree type = TREE_TYPE(name);
  gimple* user;
  imm_use_iterator it;
  FOR_EACH_IMM_USE_STMT(user, it, name) {
    if (is_gimple_debug(user) || flow_bb_inside_loop_p(loop_, gimple_bb(user))) continue;
    if (value == NULL_TREE) {
      gimple_seq code = nullptr;
      value = make_ssa_name(type);
      if (!carried) {
        gcall* const any = build_call(Runtime::AnyActive, {*numbers_.get(name)});
        const tree whole = make_ssa_name(long_integer_type_node, any);
        gimple_call_set_lhs(any, whole);
        gimple_seq_add_stmt(&code, any);
        gimple_seq_add_stmt(&code, gimple_build_assign(value, NOP_EXPR, whole));
      } else if (const bool* const equal = parities_.get(name)) {
        const tree whole = make_ssa_name(long_integer_type_node),
                   last = make_ssa_name(long_integer_type_node);
        gimple_seq_add_stmt(&code, gimple_build_assign(whole, FIX_TRUNC_EXPR, *numbers_.get(name)));
        gimple_seq_add_stmt(
            &code, gimple_build_assign(last, BIT_AND_EXPR, whole, build_one_cst(long_integer_type_node)));
        gimple_seq_add_stmt(&code, gimple_build_assign(value, *equal ? EQ_EXPR : NE_EXPR, last,
                                                       build_zero_cst(long_integer_type_node)));
      } else if (is_boolean(type)) {
        gimple_seq_add_stmt(&code, gimple_build_assign(value, GE_EXPR, *numbers_.get(name),
                                                       build_real(double_type_node, dconsthalf)));
      } else {
        const tree whole = make_ssa_name(long_integer_type_node);
        gimple_seq_add_stmt(&code, gimple_build_assign(whole, FIX_TRUNC_EXPR, *numbers_.get(name)));
        gimple_seq_add_stmt(&code, gimple_build_assign(value, NOP_EXPR, whole));
      }
      gsi_insert_seq_on_edge_immediate(single_exit(loop_), code);
    }
    use_operand_p use;
    FOR_EACH_IMM_USE_ON_STMT(use, it) SET_USE(use, value);
    update_stmt(user);
  }
}

/// Moves the loads of pointers that the region has from the code around it before the loop: to gcc, the store
/// of an integer of 8 or 16 bits may change everything.
void Integers::hoist_pointers() {
  std::vector<gimple*> loads, stores;
  each_statement([&](gimple* statement) {
    if (gimple_code(statement) != GIMPLE_PHI && gimple_vdef(statement)) stores.push_back(statement);
    if (!gimple_assign_load_p(statement) || gimple_has_volatile_ops(statement) ||
        !POINTER_TYPE_P(TREE_TYPE(gimple_assign_lhs(statement))))
      return;
    const tree base = get_base_address(gimple_assign_rhs1(statement));
    if (base && TREE_CODE(base) == MEM_REF && TREE_CODE(TREE_OPERAND(base, 0)) == SSA_NAME &&
        SSA_NAME_IS_DEFAULT_DEF(TREE_OPERAND(base, 0)) &&
        TREE_CODE(gimple_assign_rhs1(statement)) == COMPONENT_REF)
      loads.push_back(statement);
  });
  for (gimple* const load : loads) {
    bool changes = false;
    for (gimple* const store : stores) changes |= stmt_may_clobber_ref_p(store, gimple_assign_rhs1(load));
    if (changes) continue;
    gimple_stmt_iterator at = gsi_for_stmt(load);
    gsi_remove(&at, false);
    gsi_insert_on_edge_immediate(loop_preheader_edge(loop_), load);
  }
}

void Integers::rewrite() {
  hoist_pointers();
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
      if (!is_gimple_debug(gsi_stmt(at))) {
        rewrite(gsi_stmt(at), &at);
        number_carried_boolean(gsi_stmt(at), &at);
      }
  for (std::size_t i = 0; i < phis.size(); ++i)
    for (unsigned j = 0; j < gimple_phi_num_args(phis[i]); ++j) {
      const edge e = gimple_phi_arg_edge(phis[i], j);
      tree* const first = e == loop_preheader_edge(loop_) ? first_.get(gimple_phi_result(phis[i])) : nullptr;
      if (first != nullptr) {
        add_phi_arg(numbers[i], *first, e, UNKNOWN_LOCATION);
        continue;
      }
      const tree value = gimple_phi_arg_def(phis[i], j);
      if (parities_.get(gimple_phi_result(phis[i])) != nullptr && gimple_bb(phis[i]) == loop_->header)
        add_phi_arg(numbers[i], e == loop_preheader_edge(loop_) ? number(0) : *numbers_.get(value), e,
                    UNKNOWN_LOCATION);
      else
        add_phi_arg(numbers[i], number_on(value, e), e, UNKNOWN_LOCATION);
    }
  each_statement([&](gimple* statement) {
    const tree name =
        gimple_code(statement) == GIMPLE_PHI ? gimple_phi_result(statement) : gimple_get_lhs(statement);
    if (name != NULL_TREE && is_data(name) && numbers_.get(name)) names.push_back(name);
  });
  hash_set<tree> carried;  // combined over all PEs
  for (gphi* const phi : phis)
    if (gimple_bb(phi) == loop_->header && !undefined(phi))
      carried.add(gimple_phi_result(phi)), carried.add(PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop_)));
  for (const tree name : names) give_outside(name, carried.contains(name));
  // Users first: with -g, gcc puts the operands of a removed statement into the debug statements that use it.
  for (auto it = names.rbegin(); it != names.rend(); ++it) {
    const tree name = *it;
    gimple* const def = SSA_NAME_DEF_STMT(name);
    if (is_boolean(TREE_TYPE(name)) && gimple_code(def) != GIMPLE_PHI) continue;
    gimple_stmt_iterator at = gsi_for_stmt(def);
    if (gphi* const phi = dyn_cast<gphi*>(def)) {
      if (is_boolean(TREE_TYPE(name))) {  // a comparison takes its place
        gimple_stmt_iterator after = gsi_after_labels(gimple_bb(phi));
        remove_phi_node(&at, false);
        const bool* const equal = parities_.get(name);
        gsi_insert_before(&after,
                          gimple_build_assign(name, equal != nullptr && *equal ? EQ_EXPR : NE_EXPR,
                                              *numbers_.get(name), build_zero_cst(double_type_node)),
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

}  // namespace psim_omp
