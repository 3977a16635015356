// SPDX-License-Identifier: Apache-2.0
// Replaces a thread's share of a loop by the share that the runtime chooses.
//
// gcc gives thread t of T the iterations [s, e) of n, where q = n / T, r = n % T; if (t < r) { r = 0; ++q; }
// s = q t + r; e = s + q. Afterwards s and e are what the runtime answers, and the runtime knows n.
#include <algorithm>
#include <vector>

#include "base/demangle.h"
#include "target_loop.h"

namespace psim_omp {
namespace {

/// Returns a statement with the code that uses `value`, maybe after conversions, in the block if one is
/// given; null if there is none.
gassign* user_with_code(tree value, tree_code code, basic_block block = nullptr, unsigned depth = 0) {
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST(use, it, value) {
    gassign* const user = dyn_cast<gassign*>(USE_STMT(use));
    if (user == nullptr || (block != nullptr && gimple_bb(user) != block)) continue;
    if (gimple_assign_rhs_code(user) == code) return user;
    if (CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(user)) && depth < 3)
      if (gassign* const found = user_with_code(gimple_assign_lhs(user), code, block, depth + 1))
        return found;
  }
  return nullptr;
}

/// Converts `value` to long before `at`.
tree as_long(gimple_stmt_iterator* at, tree value) {
  if (TREE_CODE(value) == INTEGER_CST) return fold_convert(long_integer_type_node, value);
  const tree result = make_ssa_name(long_integer_type_node);
  gsi_insert_before(at, gimple_build_assign(result, NOP_EXPR, value), GSI_SAME_STMT);
  return result;
}

/// Makes the statement's result what the runtime function returns.
void answer_with(gassign* statement, Runtime which) {
  gimple_stmt_iterator at = gsi_for_stmt(statement);
  gcall* const call = build_call(which, {});
  const tree answer = make_ssa_name(long_integer_type_node, call);
  gimple_call_set_lhs(call, answer);
  gimple_set_location(call, gimple_location(statement));
  gsi_insert_before(&at, call, GSI_SAME_STMT);
  gimple_assign_set_rhs_with_ops(&at, NOP_EXPR, answer);
  update_stmt(gsi_stmt(at));
}

/// Replaces the value by a constant wherever it is used.
void replace_by(tree name, int value) {
  gimple* user;
  imm_use_iterator it;
  FOR_EACH_IMM_USE_STMT(user, it, name) {
    use_operand_p use;
    FOR_EACH_IMM_USE_ON_STMT(use, it) SET_USE(use, build_int_cst(TREE_TYPE(name), value));
    update_stmt(user);
  }
}

/// Returns the name of the source for a C++ or Fortran function: `Box<5>::run`, `multiply`.
std::string readable(std::string name) {
  if (startswith(name.c_str(), "__") && name.find("_MOD_") != std::string::npos)  // __MODULE_MOD_PROCEDURE
    return name.substr(name.find("_MOD_") + strlen("_MOD_"));
  const std::string text = psim::demangled(name);
  if (text == name) {
    while (lang_GNU_Fortran() && !name.empty() && name.back() == '_') name.pop_back();
    return name;
  }
  // A function template has the type of its result in front. Parameters follow; both may have <> and ().
  std::size_t begin = 0, depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (depth == 0 && (i == begin || c == ':') && text.compare(c == ':' ? i + 1 : i, 8, "operator") == 0)
      return text.substr(begin, text.find('(', text.find("operator", i) + strlen("operator()")) - begin);
    if (c == '(' && depth == 0 && i > begin && text.compare(i, 11, "(anonymous ") != 0)
      return text.substr(begin, i - begin);
    if (c == '<' || c == '(' || c == '{') ++depth;
    if ((c == '>' || c == ')' || c == '}') && depth > 0) --depth;
    if (c == ' ' && depth == 0) begin = i + 1;
  }
  return text.substr(begin);
}

}  // namespace

tree name_of_loop(function* fun, location_t where) {
  std::string name = IDENTIFIER_POINTER(DECL_NAME(fun->decl));
  name = name.substr(0, name.find("._omp_fn."));
  constexpr std::size_t kLongest = 150;  // of the 255 characters of a region's name
  return literal((readable(name).substr(0, kLongest) + " at " + file_of(where) + ":" +
                  std::to_string(LOCATION_LINE(where)))
                     .c_str());
}

namespace {

void insert_at_entry(function* fun, gcall* call) {
  gimple_stmt_iterator at = gsi_start_nondebug_after_labels_bb(single_succ(ENTRY_BLOCK_PTR_FOR_FN(fun)));
  gsi_insert_before(&at, call, GSI_SAME_STMT);
}

/// Makes the function report that it runs on the scalar core, now and where it begins.
void leave_to_scalar_core(function* fun, location_t where, const char* subject, const char* reason) {
  warning_at(where, 0, "this %s runs on the scalar core: %s", subject, reason);
  const std::string text = std::string(reason) + " (line " + std::to_string(LOCATION_LINE(where)) + ")";
  gcall* const call = build_call(
      Runtime::Scalar, {build_fold_addr_expr(fun->decl), name_of_loop(fun, where), literal(text.c_str())});
  gimple_set_location(call, where);
  insert_at_entry(fun, call);
  renew_function();
}

/// Returns the reason why a region without a thread's static share stays on the scalar core.
const char* reason_of(function* fun) {
  struct Sign {
    const char *part, *reason;
  };
  constexpr Sign kSigns[] = {
      {"GOMP_cancel", "it can be cancelled"},
      {"GOMP_critical_", "it has a critical section"},
      {"GOMP_doacross_", "its loop is ordered"},
      {"GOMP_ordered_", "its loop is ordered"},
      {"_runtime_next", "the schedule of its loop is chosen at run time"},
      {"_dynamic_next", "its loop has a dynamic schedule"},
      {"_guided_next", "its loop has a guided schedule"},
      {"GOMP_sections_", "it has sections"},
      {"GOMP_workshare_task_reduction_", "it has a reduction of tasks"},
  };
  for (const Sign& sign : kSigns)
    if (calls_any(fun, sign.part)) return sign.reason;
  return nullptr;
}

constexpr const char* kNotOptimised = "it is compiled with -O0 or -Og; expected -O2 or -O3";

/// A thread's share of a loop, as gcc computes it.
struct Share {
  gcall *threads = nullptr, *thread = nullptr;
  gassign *quotient = nullptr, *begin = nullptr, *end = nullptr;
};

/// Finds the shares of the function's loops. `calls`: of omp_get_num_threads() and omp_get_thread_num(), also
/// those of the program.
std::vector<Share> shares_of(const std::vector<gcall*>& calls) {
  std::vector<Share> shares;
  for (gcall* const threads : calls)
    for (gcall* const thread : calls) {
      if (!is_query(threads, "num_threads") || !is_query(thread, "thread_num")) continue;
      const tree count = gimple_call_lhs(threads), number = gimple_call_lhs(thread);
      Share share{threads, thread};
      share.quotient = count ? user_with_code(count, TRUNC_DIV_EXPR) : nullptr;
      gassign* const product = share.quotient && number ? user_with_code(number, MULT_EXPR) : nullptr;
      if (product == nullptr) continue;
      share.begin = user_with_code(gimple_assign_lhs(product), PLUS_EXPR);
      share.end = share.begin
                      ? user_with_code(gimple_assign_lhs(share.begin), PLUS_EXPR, gimple_bb(share.begin))
                      : nullptr;
      if (share.end != nullptr) shares.push_back(share);
    }
  return shares;
}

/// Moves queries of the program to OpenMP's library to where the function begins: no answer changes while one
/// thread executes the loop.
void hoist_queries(function* fun) {
  std::vector<gcall*> calls;
  basic_block bb;
  FOR_EACH_BB_FN(bb, fun)
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
    if (is_query(gsi_stmt(at)) && gimple_call_lhs(gsi_stmt(at)) != NULL_TREE)
      calls.push_back(as_a<gcall*>(gsi_stmt(at)));
  for (gcall* const call : calls) {
    gimple_stmt_iterator from = gsi_for_stmt(call);
    gimple_stmt_iterator to = gsi_start_nondebug_after_labels_bb(single_succ(ENTRY_BLOCK_PTR_FOR_FN(fun)));
    if (gsi_stmt(to) == call) continue;
    unlink_stmt_vdef(call);
    if (gsi_end_p(to)) {
      to = gsi_last_bb(single_succ(ENTRY_BLOCK_PTR_FOR_FN(fun)));
      gsi_move_after(&from, &to);
    } else {
      gsi_move_before(&from, &to);
    }
  }
}

/// Removes the conditions of `simd`: a false one permits one iteration at a time, but threads share the
/// iterations, so that these do not need each other.
void drop_conditions_of_lanes(function* fun) {
  basic_block bb;
  FOR_EACH_BB_FN(bb, fun)
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at);) {
    gimple* const statement = gsi_stmt(at);
    if (!gimple_call_internal_p(statement, IFN_GOMP_SIMD_LANE) || gimple_get_lhs(statement) != NULL_TREE) {
      gsi_next(&at);
      continue;
    }
    unlink_stmt_vdef(statement);
    gsi_remove(&at, true);
  }
}

void share(function* fun) {
  std::vector<gcall*> numbers;
  basic_block bb;
  FOR_EACH_BB_FN(bb, fun)
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
    if (is_query(gsi_stmt(at), "thread")) numbers.push_back(as_a<gcall*>(gsi_stmt(at)));
  const char* const other = reason_of(fun);
  const bool divides = std::any_of(numbers.begin(), numbers.end(), [](gcall* call) {
    const tree number = is_query(call, "num_threads") ? gimple_call_lhs(call) : NULL_TREE;
    return number != NULL_TREE && (user_with_code(number, TRUNC_DIV_EXPR) != nullptr ||
                                   user_with_code(number, MULT_EXPR) != nullptr);
  });
  // Its loops are regions of their own. A region that can be cancelled needs a team.
  if (!divides && starts_parallel(fun) && !calls_any(fun, "GOMP_cancel")) return;
  if (other != nullptr || !divides) {
    leave_to_scalar_core(fun, DECL_SOURCE_LOCATION(fun->decl), "region",
                         other ? other : "it is a task, or has no loop with a static schedule");
    return;
  }
  const std::vector<Share> shares = shares_of(numbers);
  gcall* const first = shares.empty() ? numbers[0] : shares[0].threads;
  const location_t where = LOCATION_LOCUS(gimple_location(first)) != UNKNOWN_LOCATION
                               ? gimple_location(first)
                               : DECL_SOURCE_LOCATION(fun->decl);
  if (shares.size() != 1) {
    leave_to_scalar_core(fun, where, "region",
                         shares.empty() ? "its schedule has a chunk size, or it uses the number of its thread"
                                        : "it shares out more than one loop");
    return;
  }
  const auto [threads, thread, quotient, begin, end] = shares[0];
  const tree count = gimple_call_lhs(threads), number = gimple_call_lhs(thread);
  gimple_stmt_iterator at = gsi_for_stmt(quotient);
  const tree iterations = as_long(&at, gimple_assign_rhs1(quotient));
  gcall* const call =
      build_call(Runtime::Iterations, {iterations, name_of_loop(fun, where), literal(kNotOptimised)});
  gimple_set_location(call, where);
  gsi_insert_before(&at, call, GSI_SAME_STMT);
  insert_at_entry(fun, build_call(Runtime::Region, {}));
  answer_with(begin, Runtime::Begin);
  answer_with(end, Runtime::End);
  replace_by(count, 1);
  replace_by(number, 0);
  at = gsi_for_stmt(threads), unlink_stmt_vdef(threads), gsi_remove(&at, true);
  at = gsi_for_stmt(thread), unlink_stmt_vdef(thread), gsi_remove(&at, true);
  hoist_queries(fun);
  drop_conditions_of_lanes(fun);
  renew_function();
  // Without them the distribution pass, which replaces the reason, does not run.
  if (optimize == 0 || optimize_debug)
    warning_at(where, 0, "this loop runs on the scalar core: %s", kNotOptimised);
  else
    keep_loads_in_place();
}

/// Warns of a target region that starts no parallel code.
void look_at_region(function* fun) {
  if (!starts_parallel(fun) && !calls_any(fun, "__psim_omp_scalar"))  // whose loops the teams pass has named
    leave_to_scalar_core(fun, DECL_SOURCE_LOCATION(fun->decl), "target region", "it has no parallel loop");
}

const pass_data kSharePass = {GIMPLE_PASS, "psim_share",    OPTGROUP_OMP, TV_NONE, PROP_cfg | PROP_ssa, 0, 0,
                              0,           TODO_cleanup_cfg};

class SharePass final : public gimple_opt_pass {
 public:
  explicit SharePass(gcc::context* context) : gimple_opt_pass(kSharePass, context) {}
  bool gate(function* fun) final { return in_target_parallel(fun) || is_target_region(fun); }
  unsigned execute(function* fun) final {
    if (is_target_region(fun))
      look_at_region(fun);
    else
      share(fun);
    return 0;
  }
};

}  // namespace

gimple_opt_pass* make_share_pass(gcc::context* context) { return new SharePass(context); }

}  // namespace psim_omp
