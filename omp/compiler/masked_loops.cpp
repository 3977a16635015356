// SPDX-License-Identifier: Apache-2.0
// A number is 1 while the PE is active, and 0 from the end on that the source has for it. At each end, a PE
// that was active keeps the values that code behind the loop uses. The last of an iteration's ends that
// depend on data requests the sum over all PEs.
#include "masked_loops.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "select.h"

namespace psim_omp {
namespace {

bool usable(tree type) {
  if (SCALAR_FLOAT_TYPE_P(type)) return TYPE_MODE(type) == DFmode || TYPE_MODE(type) == SFmode;
  return INTEGRAL_TYPE_P(type);
}

/// The ends of a loop, in the order in which an iteration comes to them.
struct Ends {
  std::vector<edge> all;
  int by_data = 0;
};

Ends ends_of(loop_p loop, const Decides& decides) {
  Ends ends;
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  for (const edge e : exits) {
    ends.all.push_back(e);
    ends.by_data += decides(last_stmt(e->src));
  }
  std::sort(ends.all.begin(), ends.all.end(), [](edge a, edge b) {
    return a->src != b->src && dominated_by_p(CDI_DOMINATORS, b->src, a->src);
  });
  return ends;
}

bool can_mask(loop_p loop, const Ends& ends) {
  for (const edge e : ends.all) {
    if (e->dest != ends.all[0]->dest || (e->flags & (EDGE_ABNORMAL | EDGE_EH)) != 0 ||
        !is_a<gcond*>(last_stmt(e->src)) || e->src->loop_father != loop ||
        !dominated_by_p(CDI_DOMINATORS, loop->latch, e->src))
      return false;
  }
  for (gphi_iterator at = gsi_start_phis(ends.all[0]->dest); !gsi_end_p(at); gsi_next(&at))
    if (!virtual_operand_p(gimple_phi_result(at.phi())) && !usable(TREE_TYPE(gimple_phi_result(at.phi()))))
      return false;
  basic_block* const body = get_loop_body(loop);
  bool good = true;
  for (unsigned i = 0; i < loop->num_nodes; ++i)
    for (gimple_stmt_iterator at = gsi_start_bb(body[i]); !gsi_end_p(at); gsi_next(&at)) {
      gimple* const statement = gsi_stmt(at);
      if (is_gimple_debug(statement)) continue;
      if (gimple_code(statement) == GIMPLE_ASM && gimple_vdef(statement)) good = false;
      if (is_gimple_call(statement) && gimple_has_side_effects(statement) &&
          (gimple_call_flags(statement) & (ECF_CONST | ECF_PURE)) == 0)
        good = false;
      if (is_gimple_assign(statement) && gimple_store_p(statement) && !gimple_clobber_p(statement))
        good = good && usable(TREE_TYPE(gimple_assign_lhs(statement)));
    }
  free(body);
  return good;
}

class Masking {
 public:
  Masking(loop_p loop, const Ends& ends, const Decides& decides)
      : loop_(loop), ends_(ends), decides_(decides) {}
  void rewrite();

 private:
  tree chosen(gimple_stmt_iterator* before, tree active, tree yes, tree no) {
    const tree result = make_ssa_name(TREE_TYPE(yes));
    gsi_insert_before(before,
                      gimple_build_assign(result, COND_EXPR,
                                          build2(NE_EXPR, boolean_type_node, active, number(0)), yes, no),
                      GSI_SAME_STMT);
    return result;
  }
  void mask_stores(basic_block block, tree active);

  loop_p loop_;
  const Ends& ends_;
  const Decides& decides_;
};

/// A PE that is not active stores the old value.
void Masking::mask_stores(basic_block block, tree active) {
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
    gassign* const store = dyn_cast<gassign*>(gsi_stmt(at));
    if (store == nullptr || !gimple_store_p(store) || gimple_clobber_p(store)) continue;
    const tree place = gimple_assign_lhs(store), old = make_ssa_name(TREE_TYPE(place));
    gassign* const load = gimple_build_assign(old, unshare_expr(place));
    gimple_set_location(load, gimple_location(store));
    gsi_insert_before(&at, load, GSI_SAME_STMT);
    gimple_assign_set_rhs_from_tree(&at, chosen(&at, active, gimple_assign_rhs1(store), old));
    update_stmt(gsi_stmt(at));
  }
}

void Masking::rewrite() {
  const basic_block behind = ends_.all[0]->dest;
  std::vector<gphi*> results, kept;
  std::vector<tree> values;  // of the results, so far
  for (gphi_iterator at = gsi_start_phis(behind); !gsi_end_p(at); gsi_next(&at))
    if (!virtual_operand_p(gimple_phi_result(at.phi()))) results.push_back(at.phi());
  for (gphi* const result : results) {
    values.push_back(make_ssa_name(TREE_TYPE(gimple_phi_result(result))));
    kept.push_back(create_phi_node(values.back(), loop_->header));
  }
  const tree carried = make_ssa_name(double_type_node);
  gphi* const activity = create_phi_node(carried, loop_->header);
  tree active = carried;
  // The state at the beginning of each block is that behind the last end that dominates it.
  basic_block* const body = get_loop_body_in_dom_order(loop_);
  const std::vector<basic_block> blocks(body, body + loop_->num_nodes);
  free(body);
  std::vector<std::pair<basic_block, tree>> behind_end;
  int left = ends_.by_data;
  for (const edge e : ends_.all) {
    const basic_block source = e->src;
    gcond* const condition = as_a<gcond*>(last_stmt(source));
    gimple_stmt_iterator at = gsi_for_stmt(condition);
    if (!decides_(condition)) {
      for (std::size_t i = 0; i < results.size(); ++i)
        SET_PHI_ARG_DEF(results[i], e->dest_idx,
                        chosen(&at, active, gimple_phi_arg_def(results[i], e->dest_idx), values[i]));
      behind_end.emplace_back(source, active);
      continue;
    }
    const bool ends_if_true = (e->flags & EDGE_TRUE_VALUE) != 0;
    tree test = build2(gimple_cond_code(condition), boolean_type_node, gimple_cond_lhs(condition),
                       gimple_cond_rhs(condition));
    if (!SCALAR_FLOAT_TYPE_P(TREE_TYPE(gimple_cond_lhs(condition)))) {  // integers become numbers later
      const tree decided = make_ssa_name(boolean_type_node);
      gsi_insert_before(
          &at, gimple_build_assign(decided, TREE_CODE(test), TREE_OPERAND(test, 0), TREE_OPERAND(test, 1)),
          GSI_SAME_STMT);
      test = build2(NE_EXPR, boolean_type_node, decided, build_zero_cst(boolean_type_node));
    }
    const tree still = make_ssa_name(double_type_node), ending = make_ssa_name(double_type_node);
    gsi_insert_before(&at,
                      gimple_build_assign(still, COND_EXPR, test, ends_if_true ? number(0) : active,
                                          ends_if_true ? active : number(0)),
                      GSI_SAME_STMT);
    gsi_insert_before(&at, gimple_build_assign(ending, MINUS_EXPR, active, still), GSI_SAME_STMT);
    for (std::size_t i = 0; i < results.size(); ++i)
      values[i] = chosen(&at, ending, gimple_phi_arg_def(results[i], e->dest_idx), values[i]);
    active = still;
    behind_end.emplace_back(source, active);
    if (--left > 0) {
      gsi_remove(&at, true);
      const basic_block block = e->src;
      remove_edge(e);
      single_succ_edge(block)->flags &= ~(EDGE_TRUE_VALUE | EDGE_FALSE_VALUE);
      single_succ_edge(block)->flags |= EDGE_FALLTHRU;
      single_succ_edge(block)->probability = profile_probability::always();
      continue;
    }
    gcall* const any = build_call(Runtime::AnyActive, {active});
    const tree goes_on = make_ssa_name(long_integer_type_node, any);
    gimple_call_set_lhs(any, goes_on);
    gsi_insert_before(&at, any, GSI_SAME_STMT);
    gimple_cond_set_condition(condition, ends_if_true ? EQ_EXPR : NE_EXPR, goes_on,
                              build_zero_cst(long_integer_type_node));
    update_stmt(condition);
    for (std::size_t i = 0; i < results.size(); ++i) SET_PHI_ARG_DEF(results[i], e->dest_idx, values[i]);
  }
  const edge enters = loop_preheader_edge(loop_), again = loop_latch_edge(loop_);
  add_phi_arg(activity, number(1), enters, UNKNOWN_LOCATION);
  add_phi_arg(activity, active, again, UNKNOWN_LOCATION);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    add_phi_arg(kept[i], build_zero_cst(TREE_TYPE(gimple_phi_result(kept[i]))), enters, UNKNOWN_LOCATION);
    add_phi_arg(kept[i], values[i], again, UNKNOWN_LOCATION);
  }
  for (const basic_block block : blocks) {
    tree state = carried;
    for (const auto& [end, then] : behind_end)
      if (end != block && dominated_by_p(CDI_DOMINATORS, block, end)) state = then;
    mask_stores(block, state);
  }
}

/// Visits the loops that end by data, inner ones first.
template <class Visit>
void each_loop(loop_p outer, const Decides& decides, Visit visit) {
  for (loop_p loop = outer->inner; loop != nullptr; loop = loop->next) {
    each_loop(loop, decides, visit);
    const Ends ends = ends_of(loop, decides);
    if (ends.by_data > 0) visit(loop, ends);
  }
}

}  // namespace

bool ends_by_data(loop_p shared, const Decides& decides) {
  bool any = false;
  each_loop(shared, decides, [&](loop_p, const Ends&) { any = true; });
  return any;
}

bool can_mask_loops(loop_p shared, const Decides& decides) {
  bool good = true;
  each_loop(shared, decides, [&](loop_p loop, const Ends& ends) { good = good && can_mask(loop, ends); });
  return good;
}

void mask_loops(loop_p shared, const Decides& decides) {
  each_loop(shared, decides, [&](loop_p loop, const Ends& ends) {
    Masking(loop, ends, decides).rewrite();
    free_dominance_info(CDI_DOMINATORS);
    calculate_dominance_info(CDI_DOMINATORS);
  });
  mark_virtual_operands_for_renaming(cfun);
  update_ssa(TODO_update_ssa);
}

}  // namespace psim_omp
