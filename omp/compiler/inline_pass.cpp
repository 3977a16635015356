// SPDX-License-Identifier: Apache-2.0
// Has gcc inline the functions that shared loops call, because PEs cannot call functions that compute their
// own addresses. Makes comparisons of their switches: PEs select, and cannot jump by a table or load from
// one.
#include <vector>

#include "target_loop.h"

namespace psim_omp {
namespace {

const char* const kRecursive = "psim recursive";

void add_attribute(tree decl, const char* name) {
  if (lookup_attribute(name, DECL_ATTRIBUTES(decl)) == NULL_TREE)
    DECL_ATTRIBUTES(decl) = tree_cons(get_identifier(name), NULL_TREE, DECL_ATTRIBUTES(decl));
}

/// Appends a comparison to the block, and returns the block for the numbers that do not meet it.
basic_block add_comparison(basic_block block, tree_code code, tree number, tree with, basic_block where) {
  gimple_stmt_iterator at = gsi_last_bb(block);
  gsi_insert_after(
      &at, gimple_build_cond(code, number, fold_convert(TREE_TYPE(number), with), NULL_TREE, NULL_TREE),
      GSI_NEW_STMT);
  const basic_block other = create_empty_bb(block);
  if (block->loop_father != nullptr) add_bb_to_loop(other, block->loop_father);
  make_edge(block, where, EDGE_TRUE_VALUE)->probability = profile_probability::even();
  make_edge(block, other, EDGE_FALSE_VALUE)->probability = profile_probability::even();
  return other;
}

void lower(function* fun, gswitch* choice) {
  const tree number = gimple_switch_index(choice);
  basic_block block = gimple_bb(choice);
  const basic_block otherwise = gimple_switch_default_bb(fun, choice);
  while (EDGE_COUNT(block->succs) > 0) remove_edge(EDGE_SUCC(block, 0));
  gimple_stmt_iterator at = gsi_for_stmt(choice);
  gsi_remove(&at, true);
  for (unsigned i = 1; i < gimple_switch_num_labels(choice); ++i) {
    const tree label = gimple_switch_label(choice, i);
    const basic_block where = label_to_block(fun, CASE_LABEL(label));
    if (CASE_HIGH(label) == NULL_TREE) {
      block = add_comparison(block, EQ_EXPR, number, CASE_LOW(label), where);
      continue;
    }
    const basic_block inside = create_empty_bb(block);
    if (block->loop_father != nullptr) add_bb_to_loop(inside, block->loop_father);
    block = add_comparison(block, GE_EXPR, number, CASE_LOW(label), inside);
    gimple_stmt_iterator end = gsi_last_bb(inside);
    gsi_insert_after(&end,
                     gimple_build_cond(LE_EXPR, number, fold_convert(TREE_TYPE(number), CASE_HIGH(label)),
                                       NULL_TREE, NULL_TREE),
                     GSI_NEW_STMT);
    make_edge(inside, where, EDGE_TRUE_VALUE)->probability = profile_probability::even();
    make_edge(inside, block, EDGE_FALSE_VALUE)->probability = profile_probability::even();
  }
  make_edge(block, otherwise, EDGE_FALLTHRU)->probability = profile_probability::always();
}

/// Makes comparisons of the function's switches, and has gcc make no switches and no tables of them.
void lower_switches(tree decl) {
  function* const fun = DECL_STRUCT_FUNCTION(decl);
  if (fun == nullptr || fun->cfg == nullptr) return;
  push_cfun(fun);
  std::vector<gswitch*> found;
  basic_block bb;
  FOR_EACH_BB_FN(bb, fun)
  if (gswitch* const choice = safe_dyn_cast<gswitch*>(last_stmt(bb))) found.push_back(choice);
  for (gswitch* const choice : found) lower(fun, choice);
  if (!found.empty()) {
    free_dominance_info(CDI_DOMINATORS), free_dominance_info(CDI_POST_DOMINATORS);
    if (loops_for_fn(fun) != nullptr) loops_state_set(LOOPS_NEED_FIXUP);
  }
  cl_optimization all;
  cl_optimization_save(&all, &global_options, &global_options_set);
  flag_tree_switch_conversion = flag_jump_tables = flag_bit_tests = 0;
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION(decl) = build_optimization_node(&global_options, &global_options_set);
  cl_optimization_restore(&global_options, &global_options_set, &all);
  pop_cfun();
}

/// Allows gcc to inline what the function calls, and notes functions that call themselves.
class Callees {
 public:
  void visit(cgraph_node* node) {
    path_.push_back(node);
    for (const cgraph_edge* edge = node->callees; edge != nullptr; edge = edge->next_callee) {
      cgraph_node* const callee = edge->callee->ultimate_alias_target();
      if (!callee->definition) continue;
      for (size_t i = path_.size(); i-- > 0;)
        if (path_[i] == callee) {
          for (; i < path_.size(); ++i) add_attribute(path_[i]->decl, kRecursive);
          break;
        }
      if (seen_.add(callee)) continue;
      DECL_UNINLINABLE(callee->decl) = 0;
      DECL_ATTRIBUTES(callee->decl) = remove_attribute("noinline", DECL_ATTRIBUTES(callee->decl));
      visit(callee);
      lower_switches(callee->decl);
    }
    path_.pop_back();
  }

 private:
  std::vector<cgraph_node*> path_;
  hash_set<cgraph_node*> seen_;
};

const pass_data kInlinePass = {SIMPLE_IPA_PASS, "psim_inline", OPTGROUP_OMP, TV_NONE, 0, 0, 0, 0, 0};

class InlinePass final : public simple_ipa_opt_pass {
 public:
  explicit InlinePass(gcc::context* context) : simple_ipa_opt_pass(kInlinePass, context) {}
  bool gate(function*) final { return flag_openmp && optimize; }
  unsigned execute(function*) final {
    cgraph_node* node;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
      function* const fun = DECL_STRUCT_FUNCTION(node->decl);
      if (fun == nullptr || !in_target_parallel(fun)) continue;
      add_attribute(node->decl, "flatten");
      Callees().visit(node);
      lower_switches(node->decl);
    }
    return 0;
  }
};

}  // namespace

bool is_recursive(tree function) {
  return lookup_attribute(kRecursive, DECL_ATTRIBUTES(function)) != NULL_TREE;
}

simple_ipa_opt_pass* make_inline_pass(gcc::context* context) { return new InlinePass(context); }

}  // namespace psim_omp
