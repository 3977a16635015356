// SPDX-License-Identifier: Apache-2.0
#include "loop_copy.h"

namespace psim_omp {

bool depends_on(tree value, tree source, unsigned depth) {
  if (value == source) return true;
  if (TREE_CODE(value) != SSA_NAME || depth > 16) return false;
  const gassign* const def = dyn_cast<gassign*>(SSA_NAME_DEF_STMT(value));
  if (def == nullptr) return false;
  for (unsigned i = 1; i < gimple_num_ops(def); ++i)
    if (gimple_op(def, i) && depends_on(gimple_op(def, i), source, depth + 1)) return true;
  return false;
}

namespace {

/// Returns the block where the code of the PEs begins; null: the branch was not found.
basic_block block_of_pes(gcall* on_pes) {
  gimple* user;
  imm_use_iterator it;
  basic_block result = nullptr;
  FOR_EACH_IMM_USE_STMT(user, it, gimple_call_lhs(on_pes)) {
    const gcond* const c = dyn_cast<gcond*>(user);
    if (c == nullptr || !integer_zerop(gimple_cond_rhs(c))) continue;
    edge yes, no;
    extract_true_false_edges_from_block(gimple_bb(user), &yes, &no);
    if (gimple_cond_code(c) == NE_EXPR) result = yes->dest;
    if (gimple_cond_code(c) == EQ_EXPR) result = no->dest;
  }
  return result;
}

}  // namespace

SharedLoop shared_loop_of(function* fun) {
  SharedLoop found;
  basic_block bb;
  FOR_EACH_BB_FN(bb, fun)
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
    gimple* const statement = gsi_stmt(at);
    if (calls(statement, Runtime::Iterations)) found.iterations = as_a<gcall*>(statement);
    if (calls(statement, Runtime::Begin)) found.begin = gimple_call_lhs(statement);
    if (calls(statement, Runtime::End)) found.end = gimple_call_lhs(statement);
    if (calls(statement, Runtime::OnPes) && gimple_call_lhs(statement))
      found.on_pes = as_a<gcall*>(statement);
  }
  if (found.iterations == nullptr || found.begin == NULL_TREE || found.end == NULL_TREE) return found;
  const basic_block of_pes = found.on_pes ? block_of_pes(found.on_pes) : nullptr;
  for (loop_p loop = loops_for_fn(fun)->tree_root->inner; loop != nullptr; loop = loop->next)
    for (gphi_iterator at = gsi_start_phis(loop->header); !gsi_end_p(at); gsi_next(&at)) {
      const tree start = PHI_ARG_DEF_FROM_EDGE(at.phi(), loop_preheader_edge(loop));
      if ((!INTEGRAL_TYPE_P(TREE_TYPE(start)) && !POINTER_TYPE_P(TREE_TYPE(start))) ||
          !depends_on(start, found.begin))
        continue;
      const bool copy = of_pes != nullptr && !dominated_by_p(CDI_DOMINATORS, loop->header, of_pes);
      (copy ? found.scalar : found.loop) = loop;
    }
  return found;
}

bool used_outside(loop_p loop, tree name) {
  if (TREE_CODE(name) != SSA_NAME) return false;
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST(use, it, name)
  if (!is_gimple_debug(USE_STMT(use)) && !flow_bb_inside_loop_p(loop, gimple_bb(USE_STMT(use)))) return true;
  return false;
}

SharedLoop copy_for_scalar_core(loop_p shared) {
  SharedLoop result;
  result.on_pes = build_call(Runtime::OnPes, {});
  const tree on_pes = make_ssa_name(long_integer_type_node, result.on_pes);
  gimple_call_set_lhs(result.on_pes, on_pes);
  gsi_insert_on_edge_immediate(loop_preheader_edge(shared), result.on_pes);
  initialize_original_copy_tables();
  const profile_probability even = profile_probability::even(), always = profile_probability::always();
  const tree condition = build2(NE_EXPR, boolean_type_node, on_pes, build_zero_cst(long_integer_type_node));
  basic_block chooses;
  result.scalar = loop_version(shared, condition, &chooses, even, even, always, always, false);
  free_original_copy_tables();
  result.loop = shared;
  if (result.scalar == nullptr) return result;
  update_ssa(TODO_update_ssa);
  scev_reset();
  return result;
}

}  // namespace psim_omp
