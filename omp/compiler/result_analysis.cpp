// SPDX-License-Identifier: Apache-2.0
// Finds the values of a shared loop that code behind it uses, and what the code around the loop does.
#include "analysis.h"
#include "loop_copy.h"

namespace psim_omp {

/// True for the first values that the integer pass has chosen for operators on bits.
static bool is_of_bits(tree start, Runtime& which) {
  const REAL_VALUE_TYPE* const first = TREE_REAL_CST_PTR(start);
  REAL_VALUE_TYPE smallest;
  real_2expN(&smallest, -1074, DFmode);
  if (REAL_VALUE_MINUS_ZERO(*first)) return which = Runtime::OrD, true;
  if (real_equal(first, &dconstm1)) return which = Runtime::AndD, true;
  if (real_equal(first, &smallest)) return which = Runtime::XorD, true;
  return false;
}

/// Finds the operator of a reduction: what the header's value becomes in an iteration.
static bool operator_of(gphi* phi, tree value, tree start, Runtime& which) {
  const bool wide = TYPE_MODE(TREE_TYPE(value)) == DFmode;
  if (wide && TREE_CODE(start) == REAL_CST && is_of_bits(start, which)) return true;
  if (!wide && TYPE_MODE(TREE_TYPE(value)) != SFmode) return false;
  const tree carried = gimple_phi_result(phi);
  for (unsigned steps = 0; value != carried && steps < 64; ++steps) {
    if (TREE_CODE(value) != SSA_NAME) return false;
    gimple* const def = SSA_NAME_DEF_STMT(value);
    if (gimple_code(def) == GIMPLE_PHI) break;  // an inner loop's or a conditional's value: the start decides
    if (gimple_code(def) == GIMPLE_ASM) break;
    if (!is_gimple_assign(def)) return false;
    const tree_code code = gimple_assign_rhs_code(def);
    if (code == PLUS_EXPR || code == MINUS_EXPR) {
      which = wide ? Runtime::SumD : Runtime::SumS;
      return real_zerop(start);
    }
    if (code == MULT_EXPR) {
      which = wide ? Runtime::ProductD : Runtime::ProductS;
      return real_onep(start);
    }
    if (code != SSA_NAME) return false;
    value = gimple_assign_rhs1(def);
  }
  if (TREE_CODE(start) != REAL_CST) return false;
  if (real_zerop(start)) return which = wide ? Runtime::SumD : Runtime::SumS, true;
  if (real_onep(start)) return which = wide ? Runtime::ProductD : Runtime::ProductS, true;
  const REAL_VALUE_TYPE* const limit = TREE_REAL_CST_PTR(start);
  if (REAL_VALUE_NEGATIVE(*limit))
    which = wide ? Runtime::MaximumD : Runtime::MaximumS;
  else
    which = wide ? Runtime::MinimumD : Runtime::MinimumS;
  return true;
}

/// Finds the numbers that code behind the loop uses.
bool Analysis::find_results() {
  basic_block* const body = get_loop_body(found_.loop);
  bool good = true;
  const auto look = [&](tree name) {
    if (!good || name == NULL_TREE || TREE_CODE(name) != SSA_NAME || virtual_operand_p(name) ||
        !used_outside(found_.loop, name))
      return;
    if (is_index(TREE_TYPE(name))) {
      found_.last |= moves(name);
      return;
    }
    if (!is_data(name)) return;
    for (gphi_iterator at = gsi_start_phis(found_.loop->header); !gsi_end_p(at); gsi_next(&at)) {
      const tree start = PHI_ARG_DEF_FROM_EDGE(at.phi(), loop_preheader_edge(found_.loop));
      const tree next = PHI_ARG_DEF_FROM_EDGE(at.phi(), loop_latch_edge(found_.loop));
      if (name != next && name != gimple_phi_result(at.phi())) continue;
      Runtime which;
      if (!operator_of(at.phi(), next, start, which)) {
        good = refuse(at.phi(), "a value that the loop computes is not a sum, product, minimum or maximum");
        return;
      }
      found_.results.emplace_back(name, which);
      return;
    }
    found_.last = true;  // the last iteration's value
  };
  for (gphi_iterator at = gsi_start_phis(found_.loop->header); good && !gsi_end_p(at); gsi_next(&at)) {
    const tree carried = gimple_phi_result(at.phi());
    if (!virtual_operand_p(carried) && !is_index(TREE_TYPE(carried)) &&
        !undefined(PHI_ARG_DEF_FROM_EDGE(at.phi(), loop_preheader_edge(found_.loop))) &&
        !used_outside(found_.loop, carried) &&
        !used_outside(found_.loop, PHI_ARG_DEF_FROM_EDGE(at.phi(), loop_latch_edge(found_.loop))))
      good = refuse(at.phi(), "a number is carried from iteration to iteration");
  }
  for (unsigned i = 0; i < found_.loop->num_nodes; ++i) {
    for (gphi_iterator at = gsi_start_phis(body[i]); !gsi_end_p(at); gsi_next(&at))
      look(gimple_phi_result(at.phi()));
    for (gimple_stmt_iterator at = gsi_start_bb(body[i]); !gsi_end_p(at); gsi_next(&at)) {
      gimple* const statement = gsi_stmt(at);
      if (is_gimple_assign(statement) || is_gimple_call(statement)) look(gimple_get_lhs(statement));
      if (const gasm* const code = dyn_cast<gasm*>(statement))
        for (unsigned o = 0; o < gimple_asm_noutputs(code); ++o)
          look(TREE_VALUE(gimple_asm_output_op(code, o)));
    }
  }
  free(body);
  return good;
}

static tree with_base_before_loop(tree value, const AffineAnalysis& affine, unsigned depth);

/// Returns the value as an expression that can be computed before the loop; null if it cannot.
static tree before_loop(tree value, const AffineAnalysis& affine, unsigned depth = 0) {
  if (affine.invariant(value)) return value;
  if (depth > 8) return NULL_TREE;
  if (TREE_CODE(value) == ADDR_EXPR) return with_base_before_loop(unshare_expr(value), affine, depth);
  if (TREE_CODE(value) != SSA_NAME) return NULL_TREE;
  if (gphi* const phi = dyn_cast<gphi*>(SSA_NAME_DEF_STMT(value))) {  // loaded on several paths
    const tree first = before_loop(gimple_phi_arg_def(phi, 0), affine, depth + 1);
    for (unsigned i = 1; first != NULL_TREE && i < gimple_phi_num_args(phi); ++i) {
      const tree other = before_loop(gimple_phi_arg_def(phi, i), affine, depth + 1);
      if (other == NULL_TREE || !operand_equal_p(first, other, 0)) return NULL_TREE;
    }
    return first;
  }
  const gassign* const def = dyn_cast<gassign*>(SSA_NAME_DEF_STMT(value));
  if (def == nullptr || !gimple_assign_single_p(def)) return NULL_TREE;
  const tree from = unshare_expr(gimple_assign_rhs1(def));
  if (affine.invariant(from)) return from;
  return with_base_before_loop(from, affine, depth);
}

/// Likewise of a reference, or the address of one, by a pointer that the code behind the loop loads again.
tree with_base_before_loop(tree value, const AffineAnalysis& affine, unsigned depth) {
  const tree base = get_base_address(TREE_CODE(value) == ADDR_EXPR ? TREE_OPERAND(value, 0) : value);
  if (base == NULL_TREE || TREE_CODE(base) != MEM_REF) return NULL_TREE;
  const tree pointer = before_loop(TREE_OPERAND(base, 0), affine, depth + 1);
  if (pointer == NULL_TREE) return NULL_TREE;
  TREE_OPERAND(base, 0) = pointer;
  return affine.invariant(value) ? value : NULL_TREE;
}

/// Code outside the loop is executed for each tile: only what combines reductions may have an effect.
bool Analysis::repeatable(gcall* call, bool before) {
  if (gimple_call_internal_p(call))
    return !before || !gimple_call_internal_p(call, IFN_ATOMIC_COMPARE_EXCHANGE) ||
           refuse(call, "the parallel region writes memory before its loop");
  if ((gimple_call_flags(call) & (ECF_CONST | ECF_PURE)) != 0 || is_query(call)) return true;
  std::string name = callee_of(call);
  const auto begins = [&](const char* start) { return startswith(name.c_str(), start); };
  if (begins("__builtin_")) name.erase(0, strlen("__builtin_"));
  if (begins("__psim_omp_") || name == "GOMP_barrier") return true;
  if (!before && (begins("GOMP_atomic_") || begins("__atomic_load") || begins("__atomic_fetch_")))
    return true;
  return refuse(call, (std::string("the parallel region calls ") + name + " outside its loop").c_str());
}

/// True if code behind the loop computes the value from one of the names for which `source` returns true.
template <class Source>
static bool comes_from(tree value, Source source, hash_set<tree>& seen) {
  if (value == NULL_TREE || TREE_CODE(value) != SSA_NAME || seen.add(value)) return false;
  if (source(value)) return true;
  ssa_op_iter it;
  use_operand_p use;
  FOR_EACH_PHI_OR_STMT_USE(use, SSA_NAME_DEF_STMT(value), it, SSA_OP_USE)
  if (comes_from(USE_FROM_PTR(use), source, seen)) return true;
  return false;
}

bool Analysis::from_loop(tree value) {
  hash_set<tree> seen;
  const auto in_loop = [&](tree name) {
    const basic_block bb = gimple_bb(SSA_NAME_DEF_STMT(name));
    return bb != nullptr && flow_bb_inside_loop_p(found_.loop, bb);
  };
  return comes_from(value, in_loop, seen);
}

/// True if the condition is true only for the thread that has the last iteration.
bool Analysis::tests_end(const gcond* condition) {
  hash_set<tree> seen;
  const auto is_end = [&](tree name) { return name == end_; };
  return comes_from(gimple_cond_lhs(condition), is_end, seen) ||
         comes_from(gimple_cond_rhs(condition), is_end, seen);
}

/// True if the block is only for the thread that has the last iteration.
bool Analysis::of_last_iteration(basic_block bb) {
  if (!single_pred_p(bb)) return false;
  const gcond* const c = safe_dyn_cast<gcond*>(last_stmt(single_pred(bb)));
  if (c == nullptr) return false;
  const auto index_from_loop = [&](tree side) {
    return TREE_CODE(side) == SSA_NAME && is_index(TREE_TYPE(side)) && from_loop(side);
  };
  return tests_end(c) || index_from_loop(gimple_cond_lhs(c)) || index_from_loop(gimple_cond_rhs(c));
}

/// True for a sum into memory that no other thread disturbs.
static bool is_atomic_update(gcall* call) { return startswith(callee_of(call).c_str(), "__atomic_fetch_"); }

/// True if the value is computed from integers alone, or from numbers that stand for them.
bool Analysis::from_integers(tree value, hash_set<tree>& seen) {
  if (TREE_CODE(value) != SSA_NAME || seen.add(value)) return true;
  gimple* const def = SSA_NAME_DEF_STMT(value);
  if (!is_gimple_assign(def)) return true;
  const tree_code code = gimple_assign_rhs_code(def);
  if (code == VIEW_CONVERT_EXPR) return false;
  if (code == FIX_TRUNC_EXPR) return true;
  ssa_op_iter it;
  tree operand;
  FOR_EACH_SSA_TREE_OPERAND(operand, def, it, SSA_OP_USE)
  if (!from_integers(operand, seen)) return false;
  return true;
}

/// Looks at the memory that code around the loop writes: it must have the results of reductions, or belong to
/// the last iteration, because this code runs once for each tile.
bool Analysis::check_outside() {
  const AffineAnalysis affine = this->affine();
  bool combines = false;  // between the calls with which gcc combines several reductions
  const auto block_of = [&](built_in_function which) -> basic_block {
    basic_block bb;
    FOR_EACH_BB_FN(bb, fun_)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (gimple_call_builtin_p(gsi_stmt(at), which)) return bb;
    return nullptr;
  };
  const basic_block start = block_of(BUILT_IN_GOMP_ATOMIC_START), stop = block_of(BUILT_IN_GOMP_ATOMIC_END);
  const auto writes = [&](gimple* statement, tree address, tree like, tree value) {
    if (!combines && !from_loop(value) && !of_last_iteration(gimple_bb(statement)))
      return refuse(statement, "the parallel region writes memory after its loop");
    const tree before = before_loop(address, affine);
    if (before == NULL_TREE)
      return refuse(statement, "the address of its result is not known before the loop");
    // Integers are verified exactly. A number may pass as an integer, by its bits.
    const tree size = TYPE_SIZE_UNIT(TREE_TYPE(like));
    hash_set<tree> sources;
    const bool exact = is_index(TREE_TYPE(like)) && from_integers(value, sources);
    found_.written_after.emplace_back(
        before, exact ? fold_build1(NEGATE_EXPR, ssizetype, fold_convert(ssizetype, size)) : size);
    return true;
  };
  hash_set<basic_block> earlier;  // blocks from which the loop can be reached
  const auto add_earlier = [&](auto& self, basic_block block) -> void {
    if (earlier.add(block)) return;
    edge e;
    edge_iterator it;
    FOR_EACH_EDGE(e, it, block->preds) self(self, e->src);
  };
  add_earlier(add_earlier, loop_preheader_edge(found_.loop)->src);
  basic_block bb;
  FOR_EACH_BB_FN(bb, fun_) {
    if (flow_bb_inside_loop_p(found_.loop, bb)) continue;
    if (alignment_.scalar != nullptr && flow_bb_inside_loop_p(alignment_.scalar, bb)) continue;
    // Code of the thread with the last iteration only: lastprivate.
    if (const gcond* const c = earlier.contains(bb) ? nullptr : safe_dyn_cast<gcond*>(last_stmt(bb)))
      found_.last |= tests_end(c);
    combines = start != nullptr && bb != start && dominated_by_p(CDI_DOMINATORS, bb, start) &&
               (bb == stop || !dominated_by_p(CDI_DOMINATORS, bb, stop));
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      gimple* const statement = gsi_stmt(at);
      if (gcall* const call = dyn_cast<gcall*>(statement)) {
        if (!repeatable(call, earlier.contains(bb))) return false;
        combines |= gimple_call_builtin_p(call, BUILT_IN_GOMP_ATOMIC_START);
        combines &= !gimple_call_builtin_p(call, BUILT_IN_GOMP_ATOMIC_END);
      }
      if (gimple_code(statement) == GIMPLE_ASM && gimple_asm_volatile_p(as_a<gasm*>(statement)))
        return refuse(statement, "the parallel region has an asm outside its loop");
      if (gcall* const call = dyn_cast<gcall*>(statement); call && is_atomic_update(call)) {
        if (!writes(statement, gimple_call_arg(call, 0), gimple_call_arg(call, 1), gimple_call_arg(call, 1)))
          return false;
      }
      if (gimple_call_internal_p(statement, IFN_ATOMIC_COMPARE_EXCHANGE)) {
        if (!writes(statement, gimple_call_arg(statement, 0), gimple_call_arg(statement, 1),
                    gimple_call_arg(statement, 2)))
          return false;
      }
      // gcc may load it where PEs come to, too, into a register that has one value for all.
      if (!earlier.contains(bb) && gimple_assign_load_p(statement) &&
          !is_number(TREE_TYPE(gimple_assign_lhs(statement))) && on_stack(gimple_assign_rhs1(statement)))
        return refuse(statement, "code behind the loop uses integers of a private array");
      if (!is_gimple_assign(statement) || !gimple_store_p(statement) || gimple_clobber_p(statement)) continue;
      const tree place = gimple_assign_lhs(statement);
      const tree base = get_base_address(place);
      if (base && DECL_P(base) && !is_global_var(base)) continue;
      if (earlier.contains(bb)) return refuse(statement, "the parallel region writes memory before its loop");
      if (!writes(statement, build_fold_addr_expr(unshare_expr(place)), place, gimple_assign_rhs1(statement)))
        return false;
      if (!is_number(TREE_TYPE(place))) continue;
      const machine_mode mode = TYPE_MODE(TREE_TYPE(place));
      if (mode != DFmode && mode != SFmode)
        return refuse(statement, "its result is neither float nor double");
      found_.stores_after.push_back(as_a<gassign*>(statement));
    }
  }
  return true;
}

}  // namespace psim_omp
