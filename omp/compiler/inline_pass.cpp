// SPDX-License-Identifier: Apache-2.0
// Has gcc inline the functions that shared loops call, because PEs cannot call functions that compute their
// own addresses.
#include <vector>

#include "target_loop.h"

namespace psim_omp {
namespace {

const char* const kRecursive = "psim recursive";

void add_attribute(tree decl, const char* name) {
  if (lookup_attribute(name, DECL_ATTRIBUTES(decl)) == NULL_TREE)
    DECL_ATTRIBUTES(decl) = tree_cons(get_identifier(name), NULL_TREE, DECL_ATTRIBUTES(decl));
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
    }
    path_.pop_back();
  }

 private:
  std::vector<cgraph_node*> path_;
  hash_set<cgraph_node*> seen_;
};

const pass_data kData = {SIMPLE_IPA_PASS, "psim_inline", OPTGROUP_OMP, TV_NONE, 0, 0, 0, 0, 0};

class InlinePass final : public simple_ipa_opt_pass {
 public:
  explicit InlinePass(gcc::context* context) : simple_ipa_opt_pass(kData, context) {}
  bool gate(function*) final { return flag_openmp && optimize; }
  unsigned execute(function*) final {
    cgraph_node* node;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
      function* const fun = DECL_STRUCT_FUNCTION(node->decl);
      if (fun == nullptr || !in_target_parallel(fun)) continue;
      add_attribute(node->decl, "flatten");
      Callees().visit(node);
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
