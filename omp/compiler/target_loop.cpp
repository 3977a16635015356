// SPDX-License-Identifier: Apache-2.0
#include "target_loop.h"

#include <string>

namespace psim_omp {

Options options;

bool in_target_parallel(function* fun) {
  const tree attributes = DECL_ATTRIBUTES(fun->decl);
  if (lookup_attribute("omp declare target", attributes) == NULL_TREE) return false;
  if (lookup_attribute("omp target entrypoint", attributes) != NULL_TREE) return false;
  return strstr(IDENTIFIER_POINTER(DECL_NAME(fun->decl)), "._omp_fn.") != nullptr;
}

bool is_target_region(function* fun) {
  return lookup_attribute("omp target entrypoint", DECL_ATTRIBUTES(fun->decl)) != NULL_TREE;
}

namespace {

struct Visit {
  void (*target)(gomp_target*, void*);
  void* data;
};

tree visit_target(gimple_stmt_iterator* at, bool* handled, walk_stmt_info* info) {
  *handled = false;
  gomp_target* const target = dyn_cast<gomp_target*>(gsi_stmt(*at));
  if (target == nullptr || gimple_omp_target_kind(target) != GF_OMP_TARGET_KIND_REGION) return NULL_TREE;
  const auto* const visit = static_cast<Visit*>(info->info);
  visit->target(target, visit->data);
  *handled = true;
  return NULL_TREE;
}

void walk(function* fun, Visit visit) {
  walk_stmt_info info{};
  info.info = &visit;
  gimple_seq body = gimple_body(fun->decl);
  walk_gimple_seq_mod(&body, visit_target, nullptr, &info);
  gimple_set_body(fun->decl, body);
}

}  // namespace

void walk_targets(function* fun, void (*visit)(gomp_target*)) {
  walk(fun, {[](gomp_target* target, void* data) { (*static_cast<void (**)(gomp_target*)>(data))(target); },
             &visit});
}

void walk_target_bodies(function* fun, walk_stmt_fn visit) {
  walk(fun, {[](gomp_target* target, void* data) {
               walk_stmt_info inside{};
               walk_gimple_seq_mod(gimple_omp_body_ptr(target), *static_cast<walk_stmt_fn*>(data), nullptr,
                                   &inside);
             },
             &visit});
}

bool calls_any(function* fun, const char* part) {
  basic_block bb;
  FOR_EACH_BB_FN(bb, fun)
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
    const tree callee = is_gimple_call(gsi_stmt(at)) ? gimple_call_fndecl(gsi_stmt(at)) : NULL_TREE;
    if (callee != NULL_TREE && DECL_NAME(callee) != NULL_TREE &&
        strstr(IDENTIFIER_POINTER(DECL_NAME(callee)), part) != nullptr)
      return true;
  }
  return false;
}

bool is_query(gimple* statement, const char* part) {
  const tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  if (callee == NULL_TREE || DECL_NAME(callee) == NULL_TREE || gimple_call_num_args(statement) != 0)
    return false;
  std::string name = IDENTIFIER_POINTER(DECL_NAME(callee));
  if (startswith(name.c_str(), "__builtin_")) name.erase(0, strlen("__builtin_"));
  if (!name.empty() && name.back() == '_') name.pop_back();  // Fortran
  for (const char* const query :
       {"omp_get_num_teams", "omp_get_team_num", "omp_get_num_threads", "omp_get_thread_num",
        "omp_get_max_threads", "omp_is_initial_device", "omp_get_num_devices", "omp_get_default_device",
        "omp_get_initial_device", "omp_get_device_num", "omp_get_num_procs", "omp_get_thread_limit"})
    if (name == query) return name.find(part) != std::string::npos;
  return false;
}

bool starts_parallel(function* fun) { return calls_any(fun, "GOMP_parallel"); }

namespace {

tree type_of(char letter) {
  switch (letter) {
    case 'v':
      return void_type_node;
    case 'l':
      return long_integer_type_node;
    case 'p':
      return ptr_type_node;
    case 'i':
      return integer_type_node;
    case 'd':
      return double_type_node;
    default:
      return float_type_node;
  }
}

struct Entry {
  const char* name;
  const char* signature;  // the result's letter, then the parameters'
  bool pure;              // the result depends on the arguments alone
};
constexpr Entry kEntries[] = {
    {"__psim_omp_iterations", "vlpp", false}, {"__psim_omp_ordered", "v", false},
    {"__psim_omp_begin", "l", false},         {"__psim_omp_end", "l", false},
    {"__psim_omp_access", "vlppllp", false},  {"__psim_omp_rows", "vllll", false},
    {"__psim_omp_wrap", "lllll", false},      {"__psim_omp_split", "vllll", false},
    {"__psim_omp_keep", "vllll", false},      {"__psim_omp_result", "vpl", false},
    {"__psim_omp_work", "vllll", false},      {"__psim_omp_ready", "vlll", false},
    {"__psim_omp_first_index", "d", false},   {"__psim_omp_on_pes", "l", false},
    {"__psim_omp_farthest", "ll", false},     {"__psim_omp_any_active", "ld", true},
    {"__psim_omp_sum_d", "dd", false},        {"__psim_omp_sum_s", "ff", false},
    {"__psim_omp_product_d", "dd", false},    {"__psim_omp_product_s", "ff", false},
    {"__psim_omp_minimum_d", "dd", false},    {"__psim_omp_minimum_s", "ff", false},
    {"__psim_omp_maximum_d", "dd", false},    {"__psim_omp_maximum_s", "ff", false},
    {"__psim_omp_or_d", "dd", false},         {"__psim_omp_and_d", "dd", false},
    {"__psim_omp_xor_d", "dd", false},        {"__psim_simd_divd", "ddd", true},
    {"__psim_simd_divs", "fff", true},        {"__psim_simd_sqrtd", "dd", true},
    {"__psim_simd_sqrts", "ff", true},        {"__psim_simd_floord", "dd", true},
    {"__psim_simd_floors", "ff", true},       {"__psim_simd_ceild", "dd", true},
    {"__psim_simd_ceils", "ff", true},        {"__psim_simd_truncd", "dd", true},
    {"__psim_simd_truncs", "ff", true},       {"__psim_simd_roundd", "dd", true},
    {"__psim_simd_rounds", "ff", true},       {"__psim_simd_rintd", "dd", true},
    {"__psim_simd_rints", "ff", true},        {"__psim_simd_expd", "dd", true},
    {"__psim_simd_exps", "ff", true},         {"__psim_simd_logd", "dd", true},
    {"__psim_simd_logs", "ff", true},         {"__psim_simd_sind", "dd", true},
    {"__psim_simd_sins", "ff", true},         {"__psim_simd_cosd", "dd", true},
    {"__psim_simd_coss", "ff", true},         {"__psim_simd_exp2d", "dd", true},
    {"__psim_simd_exp2s", "ff", true},        {"__psim_simd_log2d", "dd", true},
    {"__psim_simd_log2s", "ff", true},        {"__psim_simd_log10d", "dd", true},
    {"__psim_simd_log10s", "ff", true},       {"__psim_simd_expm1d", "dd", true},
    {"__psim_simd_expm1s", "ff", true},       {"__psim_simd_log1pd", "dd", true},
    {"__psim_simd_log1ps", "ff", true},       {"__psim_simd_sinhd", "dd", true},
    {"__psim_simd_sinhs", "ff", true},        {"__psim_simd_coshd", "dd", true},
    {"__psim_simd_coshs", "ff", true},        {"__psim_simd_tanhd", "dd", true},
    {"__psim_simd_tanhs", "ff", true},        {"__psim_simd_cbrtd", "dd", true},
    {"__psim_simd_cbrts", "ff", true},        {"__psim_simd_tand", "dd", true},
    {"__psim_simd_tans", "ff", true},         {"__psim_simd_asind", "dd", true},
    {"__psim_simd_asins", "ff", true},        {"__psim_simd_acosd", "dd", true},
    {"__psim_simd_acoss", "ff", true},        {"__psim_simd_atand", "dd", true},
    {"__psim_simd_atans", "ff", true},        {"__psim_simd_erfd", "dd", true},
    {"__psim_simd_erfs", "ff", true},         {"__psim_simd_erfcd", "dd", true},
    {"__psim_simd_erfcs", "ff", true},        {"__psim_simd_powd", "ddd", true},
    {"__psim_simd_pows", "fff", true},        {"__psim_simd_hypotd", "ddd", true},
    {"__psim_simd_hypots", "fff", true},      {"__psim_simd_atan2d", "ddd", true},
    {"__psim_simd_atan2s", "fff", true},      {"__psim_simd_fmodd", "ddd", true},
    {"__psim_simd_fmods", "fff", true},       {"__psim_simd_powid", "ddi", true},
    {"__psim_simd_powis", "ffi", true},       {"__psim_omp_store_d", "vpd", false},
    {"__psim_omp_store_s", "vpf", false},     {"__psim_omp_region", "v", false},
    {"__psim_omp_scalar", "vppp", false},
};
static_assert(std::size(kEntries) == static_cast<std::size_t>(Runtime::kCount));

tree declarations[static_cast<std::size_t>(Runtime::kCount)];
const ggc_root_tab kRoots[] = {
    {declarations, std::size(kEntries), sizeof(tree), gt_ggc_mx_tree_node, gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB};

}  // namespace

void register_roots(const char* plugin) {
  register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, nullptr, const_cast<ggc_root_tab*>(kRoots));
}

tree declaration(Runtime which) {
  tree& decl = declarations[static_cast<std::size_t>(which)];
  if (decl != NULL_TREE) return decl;
  const Entry& entry = kEntries[static_cast<std::size_t>(which)];
  auto_vec<tree, 8> parameters;
  for (const char* letter = entry.signature + 1; *letter != 0; ++letter)
    parameters.safe_push(type_of(*letter));
  const tree type = build_function_type_array(type_of(entry.signature[0]),
                                              static_cast<int>(parameters.length()), parameters.address());
  decl = build_fn_decl(entry.name, type);
  TREE_NOTHROW(decl) = 1;
  if (entry.pure) TREE_READONLY(decl) = 1;
  return decl;
}

bool calls(gimple* statement, Runtime which) {
  if (!is_gimple_call(statement)) return false;
  const tree callee = gimple_call_fndecl(statement);
  return callee != NULL_TREE && DECL_NAME(callee) != NULL_TREE &&
         strcmp(IDENTIFIER_POINTER(DECL_NAME(callee)), kEntries[static_cast<std::size_t>(which)].name) == 0;
}

gcall* build_call(Runtime which, std::initializer_list<tree> arguments) {
  auto_vec<tree, 8> list;
  for (const tree argument : arguments) list.safe_push(argument);
  return gimple_build_call_vec(declaration(which), list);
}

tree literal(const char* text) { return build_string_literal(strlen(text) + 1, text); }

std::string file_of(location_t where) {
  const std::string name = LOCATION_FILE(where) ? LOCATION_FILE(where) : "?";
  return name.substr(name.rfind('/') + 1);
}

void renew_function() {
  mark_virtual_operands_for_renaming(cfun);
  update_ssa(TODO_update_ssa);
  cgraph_edge::rebuild_edges();
}

namespace {
int kept_pre = -1;  // the flag that keep_loads_in_place has cleared; -1: none
}

void keep_loads_in_place() {
  if (kept_pre < 0) kept_pre = flag_tree_pre;
  flag_tree_pre = 0;
}

void free_loads() {
  if (kept_pre >= 0) flag_tree_pre = kept_pre;
  kept_pre = -1;
}

bool any_operand(gimple* statement, hash_set<tree>& set) {
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

}  // namespace psim_omp
