// SPDX-License-Identifier: Apache-2.0
// Turns what PEs cannot do into what they can: operations (operations.cpp), and branches on numbers into
// straight code that selects.
#include <algorithm>
#include <vector>

#include "distribution.h"
#include "select.h"
#include "target_loop.h"

namespace psim_omp {
namespace {

/// Booleans that come from comparisons of numbers. PEs have no booleans of their own but in their fccs, so
/// that a combination of several is a number, 1 or 0.
class Booleans {
 public:
  /// True if the condition compares numbers, or combines such comparisons.
  static bool good(tree_code code, tree left, tree right) {
    if (is_real(TREE_TYPE(left))) return condition_of(code) != nullptr;
    return (code == NE_EXPR || code == EQ_EXPR) && integer_zerop(right) && good(left, 0);
  }
  static Predicate predicate(tree_code code, tree left, tree right, gimple_stmt_iterator* before) {
    if (is_real(TREE_TYPE(left))) return {code, left, right};
    return {code, mask(left, before), number(0)};
  }

 private:
  static gassign* definition(tree name) {
    return TREE_CODE(name) == SSA_NAME ? dyn_cast<gassign*>(SSA_NAME_DEF_STMT(name)) : nullptr;
  }
  static bool good(tree name, unsigned depth) {
    const gassign* const def = definition(name);
    if (def == nullptr || depth > 16) return false;
    const tree_code code = gimple_assign_rhs_code(def);
    const tree a = gimple_assign_rhs1(def), b = gimple_assign_rhs2(def);
    if (TREE_CODE_CLASS(code) == tcc_comparison)
      return is_real(TREE_TYPE(a)) && condition_of(code) != nullptr;
    if (code == BIT_AND_EXPR || code == BIT_IOR_EXPR) return good(a, depth + 1) && good(b, depth + 1);
    return (CONVERT_EXPR_CODE_P(code) ||
            (code == BIT_NOT_EXPR && TREE_CODE(TREE_TYPE(name)) == BOOLEAN_TYPE)) &&
           good(a, depth + 1);
  }
  static tree mask(tree name, gimple_stmt_iterator* before) {
    const gassign* const def = definition(name);
    const tree_code code = gimple_assign_rhs_code(def);
    const tree a = gimple_assign_rhs1(def), b = gimple_assign_rhs2(def);
    if (TREE_CODE_CLASS(code) == tcc_comparison)
      return insert_select(before, {code, a, b}, number(1), number(0));
    const tree first = mask(a, before);
    if (CONVERT_EXPR_CODE_P(code)) return first;
    if (code == BIT_NOT_EXPR) return insert_select(before, {NE_EXPR, first, number(0)}, number(0), number(1));
    const tree second = mask(b, before);
    if (code == BIT_AND_EXPR) return insert_select(before, {NE_EXPR, first, number(0)}, second, number(0));
    return insert_select(before, {NE_EXPR, first, number(0)}, first, second);
  }
};

/// Code between a branch on numbers (head) and the block where its sides meet (join).
class Region {
 public:
  Region(basic_block head, basic_block join) : head_(head), join_(join) {}
  /// Finds the blocks in order; false if the region has loops, other entries, or something that must not be
  /// done in vain.
  bool collect();
  /// Puts all of it into the head.
  void flatten();

 private:
  bool harmless(gimple* statement) const;
  bool mergeable(basic_block bb) const;
  bool inside(edge e) const {
    return e->src == head_ || std::find(blocks_.begin(), blocks_.end(), e->src) != blocks_.end();
  }
  Predicate predicate_at_end(basic_block bb);
  tree taken(edge e);
  tree executed(basic_block bb);
  tree merged(gphi* phi);
  void move(basic_block bb);

  basic_block head_, join_;
  std::vector<basic_block> blocks_;   // without head and join, predecessors first
  hash_map<basic_block, tree> when_;  // a number that is not 0 where the block is executed; null: always
  gimple_stmt_iterator at_;           // the end of the head
};

bool Region::harmless(gimple* statement) const {
  const auto kind = gimple_code(statement);
  if (is_gimple_debug(statement) || kind == GIMPLE_LABEL || kind == GIMPLE_PREDICT || kind == GIMPLE_NOP)
    return true;
  if (gasm* const code = dyn_cast<gasm*>(statement))
    return (gimple_vdef(code) == NULL_TREE && !gimple_asm_volatile_p(code)) || stored_by(code) != nullptr;
  if (kind == GIMPLE_CALL)
    return !gimple_has_side_effects(statement) &&
           (gimple_call_flags(statement) & (ECF_CONST | ECF_PURE)) != 0;
  if (!is_gimple_assign(statement) || gimple_has_volatile_ops(statement)) return false;
  if (gimple_clobber_p(statement)) return true;
  if (gimple_store_p(statement)) return is_real(TREE_TYPE(gimple_assign_lhs(statement)));
  const tree_code code = gimple_assign_rhs_code(statement);
  return code != TRUNC_DIV_EXPR && code != TRUNC_MOD_EXPR && code != FLOOR_DIV_EXPR && code != FLOOR_MOD_EXPR;
}

/// Numbers are selected. Other values must be the same from all sides.
bool Region::mergeable(basic_block bb) const {
  for (gphi_iterator at = gsi_start_phis(bb); !gsi_end_p(at); gsi_next(&at)) {
    const tree result = gimple_phi_result(at.phi());
    if (virtual_operand_p(result) || is_real(TREE_TYPE(result))) continue;
    tree only = NULL_TREE;
    for (unsigned i = 0; i < gimple_phi_num_args(at.phi()); ++i) {
      if (!inside(gimple_phi_arg_edge(at.phi(), i))) continue;
      const tree value = gimple_phi_arg_def(at.phi(), i);
      if (only != NULL_TREE && !operand_equal_p(only, value, 0)) return false;
      only = value;
    }
  }
  return true;
}

bool Region::collect() {
  if (join_ == nullptr || join_ == EXIT_BLOCK_PTR_FOR_FN(cfun)) return false;
  hash_set<basic_block> seen;
  const auto visit = [&](auto& self, basic_block bb) -> bool {
    if (bb == join_ || seen.add(bb)) return true;
    if (blocks_.size() > 64) return false;
    edge e;
    edge_iterator it;
    if (bb != head_) {
      if (bb->loop_father != head_->loop_father || bb->loop_father->header == bb) return false;
      FOR_EACH_EDGE(e, it, bb->preds)
      if (!dominated_by_p(CDI_DOMINATORS, e->src, head_)) return false;
    }
    FOR_EACH_EDGE(e, it, bb->succs) {
      if ((e->flags & (EDGE_ABNORMAL | EDGE_EH | EDGE_FAKE)) != 0 || e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun))
        return false;
      if (e->dest == head_ || !self(self, e->dest)) return false;
    }
    if (bb != head_) blocks_.push_back(bb);
    return true;
  };
  if (!visit(visit, head_)) return false;
  std::reverse(blocks_.begin(), blocks_.end());
  for (const basic_block bb : blocks_) {
    if (!mergeable(bb)) return false;
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      if (const gcond* const c = dyn_cast<gcond*>(gsi_stmt(at))) {
        if (!Booleans::good(gimple_cond_code(c), gimple_cond_lhs(c), gimple_cond_rhs(c))) return false;
      } else if (!harmless(gsi_stmt(at))) {
        return false;
      }
    }
  }
  return mergeable(join_);
}

Predicate Region::predicate_at_end(basic_block bb) {
  const gcond* const c = safe_dyn_cast<gcond*>(last_stmt(bb));
  if (c == nullptr) return {};
  return Booleans::predicate(gimple_cond_code(c), gimple_cond_lhs(c), gimple_cond_rhs(c), &at_);
}

/// Returns a number that is not 0 where the edge is taken; null: always.
tree Region::taken(edge e) {
  const tree before = e->src == head_ ? NULL_TREE : executed(e->src);
  const Predicate p = predicate_at_end(e->src);
  if (p.code == ERROR_MARK) return before;
  const bool when_true = (e->flags & EDGE_TRUE_VALUE) != 0;
  const tree mask = insert_select(&at_, p, number(when_true), number(!when_true));
  return before == NULL_TREE ? mask : insert_select(&at_, {NE_EXPR, before, number(0)}, mask, number(0));
}

tree Region::executed(basic_block bb) {
  if (tree* const known = when_.get(bb)) return *known;
  tree mask = NULL_TREE;
  edge e;
  edge_iterator it;
  FOR_EACH_EDGE(e, it, bb->preds) {
    const tree own = taken(e);
    mask = mask == NULL_TREE ? own : insert_select(&at_, {NE_EXPR, mask, number(0)}, mask, own);
  }
  when_.put(bb, mask);
  return mask;
}

/// Returns what the phi is, of the region's edges.
tree Region::merged(gphi* phi) {
  tree value = NULL_TREE;
  edge first = nullptr;
  for (unsigned i = 0; i < gimple_phi_num_args(phi); ++i) {
    const edge e = gimple_phi_arg_edge(phi, i);
    if (!inside(e)) continue;
    const tree own = gimple_phi_arg_def(phi, i);
    if (value == NULL_TREE) {
      value = own, first = e;
    } else if (!operand_equal_p(value, own, 0)) {
      // Two sides of one branch need its comparison only.
      edge yes, no;
      extract_true_false_edges_from_block(head_, &yes, &no);
      const auto on = [&](edge side, edge way) {
        return way == side || (way->src == side->dest && single_pred_p(side->dest));
      };
      const bool two = (on(yes, e) && on(no, first)) || (on(no, e) && on(yes, first));
      if (two && blocks_.size() <= 2) {
        const bool mine = on(yes, e);
        value = insert_select(&at_, predicate_at_end(head_), mine ? own : value, mine ? value : own);
      } else {
        value = insert_select(&at_, {NE_EXPR, taken(e), number(0)}, own, value);
      }
    }
  }
  return value;
}

/// Makes a load that the source does only under a condition one that does not fault: it reads 0 where nothing
/// is.
void make_harmless(gassign* load) {
  const tree place = gimple_assign_rhs1(load), result = gimple_assign_lhs(load);
  const tree base = get_base_address(place);
  if (!is_real(TREE_TYPE(result)) || base == NULL_TREE || TREE_CODE(base) != MEM_REF) return;
  gimple_stmt_iterator at = gsi_for_stmt(load);
  const tree address = make_ssa_name(ptr_type_node);
  const tree computed = force_gimple_operand_gsi(&at, build_fold_addr_expr(unshare_expr(place)), true,
                                                 NULL_TREE, true, GSI_SAME_STMT);
  gsi_insert_before(&at, gimple_build_assign(address, NOP_EXPR, computed), GSI_SAME_STMT);
  vec<tree, va_gc>*inputs = nullptr, *out = nullptr;
  const bool wide = is_double(TREE_TYPE(result));
  vec_safe_push(out, operand(wide ? "=e" : "=f", result));
  vec_safe_push(inputs, operand("r", address));
  vec_safe_push(inputs, operand("m", build2(MEM_REF, TREE_TYPE(place), address,
                                            build_int_cst(reference_alias_ptr_type(place), 0))));
  gasm* const quiet = gimple_build_asm_vec(wide ? "ldda\t[%1] 0x82, %0" : "lda\t[%1] 0x82, %0", inputs, out,
                                           nullptr, nullptr);
  gimple_set_location(quiet, gimple_location(load));
  gsi_replace(&at, quiet, false);
  SSA_NAME_DEF_STMT(result) = quiet;
}

void Region::move(basic_block bb) {
  const tree when = executed(bb);
  while (!gimple_seq_empty_p(phi_nodes(bb))) {
    gphi_iterator at = gsi_start_phis(bb);
    const tree result = gimple_phi_result(at.phi());
    if (virtual_operand_p(result)) {
      mark_virtual_phi_result_for_renaming(at.phi());
    } else {
      replace_uses_by(result, merged(at.phi()));
    }
    remove_phi_node(&at, true);
  }
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at);) {
    gimple* const statement = gsi_stmt(at);
    if (gimple_code(statement) == GIMPLE_COND || gimple_code(statement) == GIMPLE_LABEL ||
        is_gimple_debug(statement) || gimple_code(statement) == GIMPLE_PREDICT ||
        gimple_clobber_p(statement)) {
      gsi_next(&at);
      continue;
    }
    gsi_move_before(&at, &at_);
    if (gasm* const code = dyn_cast<gasm*>(statement); code != nullptr && stored_by(code) != nullptr) {
      // Nothing of the word is replaced then.
      gimple_stmt_iterator here = gsi_for_stmt(code);
      tree &own = TREE_VALUE(gimple_asm_input_op(code, 1)), &rest = TREE_VALUE(gimple_asm_input_op(code, 2));
      own = insert_select(&here, {NE_EXPR, when, number(0)}, own, number(0));
      rest = insert_select(&here, {NE_EXPR, when, number(0)}, rest, with_bits(HOST_WIDE_INT_M1U));
      update_stmt(code);
      continue;
    }
    if (!gimple_store_p(statement)) {
      if (gimple_assign_load_p(statement))
        make_harmless(as_a<gassign*>(statement));
      else if (is_gimple_assign(statement))
        reset_flow_sensitive_info(gimple_assign_lhs(statement));
      continue;
    }
    // Where the store is not to happen, the old value is stored again.
    const tree place = gimple_assign_lhs(statement);
    const tree old = make_ssa_name(TREE_TYPE(place));
    gimple_stmt_iterator here = gsi_for_stmt(statement);
    gassign* const load = gimple_build_assign(old, unshare_expr(place));
    gimple_set_location(load, gimple_location(statement));
    gsi_insert_before(&here, load, GSI_SAME_STMT);
    const tree chosen = insert_select(&here, {NE_EXPR, when, number(0)}, gimple_assign_rhs1(statement), old);
    gimple_assign_set_rhs1(statement, chosen);
    update_stmt(statement);
  }
}

void Region::flatten() {
  at_ = gsi_for_stmt(last_stmt(head_));
  for (const basic_block bb : blocks_) move(bb);
  std::vector<std::pair<gphi*, tree>> values;
  for (gphi_iterator at = gsi_start_phis(join_); !gsi_end_p(at);) {
    if (virtual_operand_p(gimple_phi_result(at.phi()))) {
      mark_virtual_phi_result_for_renaming(at.phi());
      remove_phi_node(&at, true);
    } else {
      values.emplace_back(at.phi(), merged(at.phi()));
      gsi_next(&at);
    }
  }
  at_ = gsi_for_stmt(last_stmt(head_));
  gsi_remove(&at_, true);
  while (EDGE_COUNT(head_->succs) > 0) remove_edge(EDGE_SUCC(head_, 0));
  for (const basic_block bb : blocks_)
    while (EDGE_COUNT(bb->succs) > 0) remove_edge(EDGE_SUCC(bb, 0));
  const edge e = make_edge(head_, join_, EDGE_FALLTHRU);
  e->probability = profile_probability::always();
  for (const auto& [phi, value] : values) add_phi_arg(phi, value, e, UNKNOWN_LOCATION);
  for (const basic_block bb : blocks_) delete_basic_block(bb);
}

/// Flattens one branch on numbers, an inner one first; false if none is left that can be.
bool flatten_one(function* fun) {
  calculate_dominance_info(CDI_DOMINATORS);
  calculate_dominance_info(CDI_POST_DOMINATORS);
  auto* const order = XNEWVEC(int, n_basic_blocks_for_fn(fun));
  const int count = post_order_compute(order, false, false);
  bool done = false;
  for (int i = 0; i < count && !done; ++i) {
    const basic_block head = BASIC_BLOCK_FOR_FN(fun, order[i]);
    const gcond* const c = safe_dyn_cast<gcond*>(last_stmt(head));
    if (c == nullptr || !Booleans::good(gimple_cond_code(c), gimple_cond_lhs(c), gimple_cond_rhs(c)))
      continue;
    Region region(head, get_immediate_dominator(CDI_POST_DOMINATORS, head));
    if (!region.collect()) continue;
    region.flatten();
    done = true;
  }
  free(order);
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  return done;
}

/// x = c ? a : b.
void replace_conditionals(function* fun) {
  basic_block bb;
  FOR_EACH_BB_FN(bb, fun)
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
    gassign* const statement = dyn_cast<gassign*>(gsi_stmt(at));
    if (statement == nullptr || gimple_assign_rhs_code(statement) != COND_EXPR ||
        !is_real(TREE_TYPE(gimple_assign_lhs(statement))))
      continue;
    const tree condition = gimple_assign_rhs1(statement);
    const bool compares = COMPARISON_CLASS_P(condition);
    const tree_code code = compares ? TREE_CODE(condition) : NE_EXPR;
    const tree left = compares ? TREE_OPERAND(condition, 0) : condition;
    const tree right = compares ? TREE_OPERAND(condition, 1) : build_zero_cst(TREE_TYPE(condition));
    if (!Booleans::good(code, left, right)) continue;
    const tree chosen = insert_select(&at, Booleans::predicate(code, left, right, &at),
                                      gimple_assign_rhs2(statement), gimple_assign_rhs3(statement));
    gimple_assign_set_rhs_with_ops(&at, SSA_NAME, chosen);
    update_stmt(gsi_stmt(at));
  }
}

const pass_data kConversionPass = {
    GIMPLE_PASS, "psim_conversion", OPTGROUP_OMP, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class ConversionPass final : public gimple_opt_pass {
 public:
  explicit ConversionPass(gcc::context* context) : gimple_opt_pass(kConversionPass, context) {}
  bool gate(function* fun) final { return in_target_parallel(fun) && !starts_parallel(fun); }
  unsigned execute(function* fun) final {
    replace_operations(fun);
    loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
    while (flatten_one(fun)) {
    }
    loop_optimizer_finalize();
    replace_conditionals(fun);
    renew_function();
    return TODO_cleanup_cfg;
  }
};

}  // namespace

gimple_opt_pass* make_conversion_pass(gcc::context* context) { return new ConversionPass(context); }

}  // namespace psim_omp
