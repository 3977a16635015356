// SPDX-License-Identifier: Apache-2.0
// Makes shared loops of target regions collapse(1): PEs share the iterations of the outermost loop.
//
// gcc turns a collapsed nest into one loop that finds its indices by division and counts them up with
// branches. Neither moves regularly through arrays. OpenMP leaves the schedule to the implementation where
// the program names none.
#include "target_loop.h"

namespace psim_omp {
namespace {

tree without_collapse(tree clauses) {
  tree* at = &clauses;
  while (*at != NULL_TREE)
    if (OMP_CLAUSE_CODE(*at) == OMP_CLAUSE_COLLAPSE)
      *at = OMP_CLAUSE_CHAIN(*at);
    else
      at = &OMP_CLAUSE_CHAIN(*at);
  return clauses;
}

/// Returns the bound of an inner loop, which gcc keeps as (index, factor, addend) if it depends on an index
/// outside.
tree bound_of(tree bound, tree type) {
  if (TREE_CODE(bound) != TREE_VEC) return unshare_expr(bound);
  const auto part = [&](int i) { return fold_convert(type, unshare_expr(TREE_VEC_ELT(bound, i))); };
  return fold_build2(PLUS_EXPR, type, fold_build2(MULT_EXPR, type, part(0), part(1)), part(2));
}

/// Puts the body into a loop as that of the nest's index `i`.
gimple_seq in_loop(gomp_for* nest, size_t i, gimple_seq body) {
  const tree index = gimple_omp_for_index(nest, i), incremented = gimple_omp_for_incr(nest, i);
  const tree begin = create_artificial_label(UNKNOWN_LOCATION),
             test = create_artificial_label(UNKNOWN_LOCATION),
             done = create_artificial_label(UNKNOWN_LOCATION);
  gimple_seq loop = nullptr;
  push_gimplify_context();
  gimplify_assign(index, bound_of(gimple_omp_for_initial(nest, i), TREE_TYPE(index)), &loop);
  gimple_seq_add_stmt(&loop, gimple_build_goto(test));
  gimple_seq_add_stmt(&loop, gimple_build_label(begin));
  gimple_seq_add_seq(&loop, body);
  gimplify_assign(index, unshare_expr(incremented), &loop);
  gimple_seq_add_stmt(&loop, gimple_build_label(test));
  tree final = bound_of(gimple_omp_for_final(nest, i), TREE_TYPE(index));
  gimplify_expr(&final, &loop, nullptr, is_gimple_val, fb_rvalue);
  gimple_seq_add_stmt(&loop, gimple_build_cond(gimple_omp_for_cond(nest, i), index, final, begin, done));
  gimple_seq_add_stmt(&loop, gimple_build_label(done));
  gbind* const scope = gimple_build_bind(NULL_TREE, loop, make_node(BLOCK));  // of the bounds' parts
  pop_gimplify_context(scope);
  gimple_seq result = nullptr;
  gimple_seq_add_stmt(&result, scope);
  return result;
}

/// True if the nest's bounds are numbers, or multiples of the indices of loops around them.
bool simple(gomp_for* nest) {
  for (size_t i = 0; i < gimple_omp_for_collapse(nest); ++i) {
    if (!DECL_P(gimple_omp_for_index(nest, i))) return false;
    for (const tree bound : {gimple_omp_for_initial(nest, i), gimple_omp_for_final(nest, i)}) {
      if (TREE_CODE(bound) != TREE_VEC) continue;
      bool known = false;
      if (!INTEGRAL_TYPE_P(TREE_TYPE(gimple_omp_for_index(nest, i)))) return false;
      for (size_t outer = 0; outer < i; ++outer)
        known |= gimple_omp_for_index(nest, outer) == TREE_VEC_ELT(bound, 0);
      if (!known) return false;
    }
  }
  return true;
}

/// True if the nest, and those of the constructs combined with it, can become one loop.
bool good(gomp_for* nest) {
  if (gimple_omp_for_collapse(nest) < 2 || !simple(nest)) return false;
  const int kind = gimple_omp_for_kind(nest);
  if (kind != GF_OMP_FOR_KIND_FOR && kind != GF_OMP_FOR_KIND_DISTRIBUTE && kind != GF_OMP_FOR_KIND_SIMD)
    return false;
  const tree clauses = gimple_omp_for_clauses(nest);
  if (omp_find_clause(clauses, OMP_CLAUSE_ORDERED) || omp_find_clause(clauses, OMP_CLAUSE_DIST_SCHEDULE))
    return false;
  if (const tree schedule = omp_find_clause(clauses, OMP_CLAUSE_SCHEDULE))
    if (OMP_CLAUSE_SCHEDULE_KIND(schedule) != OMP_CLAUSE_SCHEDULE_STATIC ||
        OMP_CLAUSE_SCHEDULE_CHUNK_EXPR(schedule))
      return false;
  if (!gimple_omp_for_combined_p(nest)) return true;
  struct Inner {
    gomp_for* nest;
  } inner{};
  walk_stmt_info info{};
  info.info = &inner;
  walk_gimple_seq(
      gimple_omp_body(nest),
      [](gimple_stmt_iterator* at, bool* handled, walk_stmt_info* info) -> tree {
        auto* const inner = static_cast<Inner*>(info->info);
        *handled = inner->nest != nullptr;
        if (inner->nest == nullptr) inner->nest = dyn_cast<gomp_for*>(gsi_stmt(*at));
        return NULL_TREE;
      },
      nullptr, &info);
  return inner.nest != nullptr && good(inner.nest);
}

tree look_at(gimple_stmt_iterator* at, bool* handled, walk_stmt_info*) {
  *handled = false;
  gomp_for* const nest = dyn_cast<gomp_for*>(gsi_stmt(*at));
  if (nest == nullptr) return NULL_TREE;
  if (!good(nest)) {
    *handled = gimple_omp_for_combined_p(nest);  // the nest inside must have the same number of loops
    return NULL_TREE;
  }
  gimple_seq body = gimple_omp_body(nest);
  if (!gimple_omp_for_combined_p(nest))  // else the nest is that of the construct inside
    for (size_t i = gimple_omp_for_collapse(nest); --i > 0;) body = in_loop(nest, i, body);
  gomp_for* const single =
      gimple_build_omp_for(body, gimple_omp_for_kind(nest), without_collapse(gimple_omp_for_clauses(nest)), 1,
                           gimple_omp_for_pre_body(nest));
  gimple_omp_for_set_index(single, 0, gimple_omp_for_index(nest, 0));
  gimple_omp_for_set_initial(single, 0, gimple_omp_for_initial(nest, 0));
  gimple_omp_for_set_final(single, 0, gimple_omp_for_final(nest, 0));
  gimple_omp_for_set_incr(single, 0, gimple_omp_for_incr(nest, 0));
  gimple_omp_for_set_cond(single, 0, gimple_omp_for_cond(nest, 0));
  gimple_omp_for_set_combined_p(single, gimple_omp_for_combined_p(nest));
  gimple_omp_for_set_combined_into_p(single, gimple_omp_for_combined_into_p(nest));
  gimple_set_location(single, gimple_location(nest));
  gsi_replace(at, single, false);
  return NULL_TREE;
}

const pass_data kCollapsePass = {
    GIMPLE_PASS, "psim_collapse", OPTGROUP_OMP, TV_NONE, PROP_gimple_any, 0, 0, 0, 0};

class CollapsePass final : public gimple_opt_pass {
 public:
  explicit CollapsePass(gcc::context* context) : gimple_opt_pass(kCollapsePass, context) {}
  bool gate(function*) final { return flag_openmp; }
  unsigned execute(function* fun) final {
    walk_target_bodies(fun, look_at);
    return 0;
  }
};

}  // namespace

gimple_opt_pass* make_collapse_pass(gcc::context* context) { return new CollapsePass(context); }

}  // namespace psim_omp
