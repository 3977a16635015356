// SPDX-License-Identifier: Apache-2.0
// Makes a shared loop access each PE's own part of the arrays, as its analysis has found it
// (distribution_analysis.cpp), or leaves it to the scalar core.
#include "distribution.h"

#include <algorithm>

#include "../runtime/loop.h"

namespace psim_omp {
namespace {

class Rewriting {
 public:
  Rewriting(Distribution& found, const Alignment& alignment) : found_(found), alignment_(alignment) {}
  void emit();

 private:
  void displace(const Access& access, tree displacement);
  void correct_indices(gimple_seq* before);
  void combine_results();

  Distribution& found_;
  const Alignment& alignment_;
};

/// Makes the reference one to the displaced address.
void Rewriting::displace(const Access& access, tree displacement) {
  tree* at = access.reference;
  while (handled_component_p(*at)) at = &TREE_OPERAND(*at, 0);
  const tree pointer = TREE_OPERAND(*at, 0);
  const tree moved = make_ssa_name(TREE_TYPE(pointer));
  gassign* const sum = gimple_build_assign(moved, POINTER_PLUS_EXPR, pointer, displacement);
  gimple_stmt_iterator before = gsi_for_stmt(access.statement);
  gsi_insert_before(&before, sum, GSI_SAME_STMT);
  *at = build2(MEM_REF, TREE_TYPE(*at), moved, TREE_OPERAND(*at, 1));
  if (gasm* const code = dyn_cast<gasm*>(access.statement)) {
    TREE_VALUE(gimple_asm_input_op(code, 0)) = moved;
    if (stored_by(code) != nullptr)
      TREE_VALUE(gimple_asm_input_op(code, 3)) = unshare_expr(*access.reference);
  }
  update_stmt(access.statement);
}

/// Adds to each index that becomes a number the distance of the PE's first iteration.
void Rewriting::correct_indices(gimple_seq* before) {
  if (found_.index_values.empty()) return;
  gcall* const call = build_call(Runtime::FirstIndex, {});
  const tree first = make_ssa_name(double_type_node, call);
  gimple_call_set_lhs(call, first);
  gimple_seq_add_stmt(before, call);
  for (const auto& [conversion, step] : found_.index_values) {
    gimple_stmt_iterator at = gsi_for_stmt(conversion);
    const location_t where = gimple_location(conversion);
    const tree result = gimple_assign_lhs(conversion);
    gimple_seq after = nullptr;
    const tree value = make_ssa_name(double_type_node);
    gimple_seq_add_stmt(&after, gimple_build_assign(value, FLOAT_EXPR, gimple_assign_rhs1(conversion)));
    const tree distance = gimple_build(&after, where, MULT_EXPR, double_type_node, first,
                                       build_real_from_int_cst(double_type_node, step));
    const tree sum = gimple_build(&after, where, PLUS_EXPR, double_type_node, value, distance);
    gsi_insert_seq_before(&at, after, GSI_SAME_STMT);
    const bool wide = TYPE_MODE(TREE_TYPE(result)) == DFmode;
    gimple_assign_set_rhs_with_ops(&at, wide ? SSA_NAME : NOP_EXPR, sum);
    update_stmt(gsi_stmt(at));
  }
}

void Rewriting::combine_results() {
  for (const auto& [name, which] : found_.results) {
    gcall* const call = build_call(which, {name});
    const tree combined = make_ssa_name(TREE_TYPE(name), call);
    gimple_call_set_lhs(call, combined);
    gimple* user;
    imm_use_iterator it;
    FOR_EACH_IMM_USE_STMT(user, it, name) {
      if (is_gimple_debug(user) || flow_bb_inside_loop_p(found_.loop, gimple_bb(user))) continue;
      use_operand_p use;
      FOR_EACH_IMM_USE_ON_STMT(use, it) {
        if (gimple_code(user) == GIMPLE_PHI &&
            gimple_phi_arg_edge(as_a<gphi*>(user), PHI_ARG_INDEX_FROM_USE(use)) != found_.exit &&
            !dominated_by_p(CDI_DOMINATORS,
                            gimple_phi_arg_edge(as_a<gphi*>(user), PHI_ARG_INDEX_FROM_USE(use))->src,
                            found_.exit->src))
          continue;
        SET_USE(use, combined);
      }
      update_stmt(user);
    }
    gsi_insert_on_edge(found_.exit, call);
  }
  for (gassign* const store : found_.stores_after) {
    gimple_stmt_iterator at = gsi_for_stmt(store);
    const tree address =
        force_gimple_operand_gsi(&at, build_fold_addr_expr(unshare_expr(gimple_assign_lhs(store))), true,
                                 NULL_TREE, true, GSI_SAME_STMT);
    const bool wide = TYPE_MODE(TREE_TYPE(gimple_assign_lhs(store))) == DFmode;
    gcall* const call =
        build_call(wide ? Runtime::StoreD : Runtime::StoreS, {address, gimple_assign_rhs1(store)});
    gimple_set_location(call, gimple_location(store));
    unlink_stmt_vdef(store);
    gsi_replace(&at, call, true);
  }
}

const char* name_of(tree root) {
  if (TREE_CODE(root) != SSA_NAME)
    return DECL_P(root) && DECL_NAME(root) ? IDENTIFIER_POINTER(DECL_NAME(root)) : "?";
  if (const gassign* const def = dyn_cast<gassign*>(SSA_NAME_DEF_STMT(root)))
    if (TREE_CODE(gimple_assign_rhs1(def)) == COMPONENT_REF &&
        DECL_NAME(TREE_OPERAND(gimple_assign_rhs1(def), 1)))
      return IDENTIFIER_POINTER(DECL_NAME(TREE_OPERAND(gimple_assign_rhs1(def), 1)));
  return SSA_NAME_IDENTIFIER(root) ? IDENTIFIER_POINTER(SSA_NAME_IDENTIFIER(root)) : "?";
}

/// Returns the runtime's array of numbers, one for each array of the loop.
tree external_table(const char* name) {
  const tree type = build_array_type_nelts(sizetype, PSIM_OMP_ARRAYS);
  const tree table = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);
  DECL_EXTERNAL(table) = TREE_PUBLIC(table) = 1;
  DECL_ARTIFICIAL(table) = 1;
  return table;
}

void Rewriting::emit() {
  gimple_seq before = nullptr;
  const auto operand = [&](tree expression) {
    gimple_seq code = nullptr;
    const tree result = force_gimple_operand(unshare_expr(expression), &code, true, NULL_TREE);
    gimple_seq_add_seq(&before, code);
    return result;
  };
  for (const Pieces::Call& piece : found_.pieces.calls) {
    auto_vec<tree, 4> arguments;
    for (const tree argument : piece.arguments)
      arguments.safe_push(operand(fold_convert(long_integer_type_node, argument)));
    gcall* const call = gimple_build_call_vec(declaration(piece.which), arguments);
    if (piece.result != NULL_TREE) gimple_call_set_lhs(call, piece.result);
    gimple_seq_add_stmt(&before, call);
  }
  // The runtime compares what an iteration reads with what earlier ones write.
  std::stable_sort(found_.accesses.begin(), found_.accesses.end(),
                   [](const Access& a, const Access& b) { return a.write && !b.write; });
  for (const Access& access : found_.accesses) {
    const long flags = (access.read ? PSIM_OMP_READS : 0) | (access.write ? PSIM_OMP_WRITES : 0) |
                       (access.dense ? PSIM_OMP_DENSE : 0) | (access.open ? PSIM_OMP_OPEN : 0) |
                       (found_.arrays[access.index].near ? PSIM_OMP_NEAR : 0);
    if (!access.row_loops.empty())
      gimple_seq_add_stmt(
          &before,
          build_call(Runtime::Rows, {build_int_cst(long_integer_type_node, access.index),
                                     operand(fold_convert(long_integer_type_node, access.row_stride)),
                                     operand(fold_convert(long_integer_type_node, access.rows)),
                                     build_int_cst(long_integer_type_node,
                                                   access.above - found_.arrays[access.index].least_above)}));
    gimple_seq_add_stmt(
        &before,
        build_call(Runtime::Access,
                   {build_int_cst(long_integer_type_node, access.index), operand(access.low),
                    operand(access.high), operand(fold_convert(long_integer_type_node, access.stride)),
                    build_int_cst(long_integer_type_node, flags), literal(name_of(access.root))}));
  }
  for (const auto& [address, size] : found_.written_after)
    gimple_seq_add_stmt(&before, build_call(Runtime::Result, {operand(fold_convert(ptr_type_node, address)),
                                                              fold_convert(long_integer_type_node, size)}));
  const auto number = [](long value) { return build_int_cst(long_integer_type_node, value); };
  for (const Work& work : found_.work)
    gimple_seq_add_stmt(
        &before,
        build_call(Runtime::Work, {operand(fold_convert(long_integer_type_node, work.times)),
                                   number(work.scalar), number(work.pes), number(work.instructions)}));
  gimple_seq_add_stmt(&before, build_call(Runtime::Ready, {number(found_.last), number(options.place),
                                                           number(flag_associative_math != 0)}));
  const auto element = [&](const char* table, unsigned index) {
    const tree value = make_ssa_name(sizetype);
    gimple_seq_add_stmt(&before, gimple_build_assign(value, build4(ARRAY_REF, sizetype, external_table(table),
                                                                   size_int(index), NULL_TREE, NULL_TREE)));
    return value;
  };
  std::vector<tree> displacements, row_displacements;
  for (unsigned i = 0; i < found_.arrays.size(); ++i) {
    const Array& array = found_.arrays[i];
    const bool moves = !integer_zerop(array.stride);
    displacements.push_back(moves ? element("__psim_omp_displacements", i) : NULL_TREE);
    row_displacements.push_back(moves && array.row_stride ? element("__psim_omp_row_displacements", i)
                                                          : NULL_TREE);
  }
  correct_indices(&before);
  for (const Access& access : found_.accesses) {
    tree displacement = displacements[access.index];
    if (displacement == NULL_TREE) continue;
    if (!access.row_loops.empty()) {
      const tree more = row_displacements[access.index];
      const tree row = fold_build2(PLUS_EXPR, sizetype, fold_convert(sizetype, access.before_first),
                                   size_int(access.above - found_.arrays[access.index].least_above));
      displacement = operand(
          fold_build2(PLUS_EXPR, sizetype, displacement, fold_build2(MULT_EXPR, sizetype, more, row)));
      for (const auto& [loop, down] : access.row_loops) {
        const tree step = down ? fold_build1(NEGATE_EXPR, sizetype, more) : more;
        if (const AlignedLoop* const aligned = alignment_.of(loop))
          displacement =
              fold_build2(PLUS_EXPR, sizetype, displacement,
                          fold_build2(MULT_EXPR, sizetype, step, fold_convert(sizetype, aligned->passed)));
        displacement = counted(loop, displacement, step);
      }
    }
    displace(access, displacement);
  }
  combine_results();
  gsi_insert_seq_on_edge(loop_preheader_edge(found_.loop), before);
  gsi_commit_edge_inserts();
}

/// Gives integers that code reads before it has set them the value 0. gcc may read them from the stack, of
/// which each PE has another.
void define_undefined() {
  unsigned i;
  tree name;
  FOR_EACH_SSA_NAME(i, name, cfun)
  if (SSA_NAME_IS_DEFAULT_DEF(name) && !virtual_operand_p(name) && SSA_NAME_VAR(name) != NULL_TREE &&
      VAR_P(SSA_NAME_VAR(name)) && INTEGRAL_TYPE_P(TREE_TYPE(name)))
    replace_uses_by(name, build_zero_cst(TREE_TYPE(name)));
}

/// Prints the estimates of an iteration, each with the line of its loop.
void report(const Distribution& found) {
  std::string text;
  for (const Work& work : found.work) {
    char part[160];
    const char* const before = text.empty() ? "" : "; ";
    if (work.scalar == 0 || work.pes == 0)  // the other place has another copy of the loop
      snprintf(part, sizeof part, "%s%.1f cycles %son %s", before, std::abs(work.scalar + work.pes) / 16.0,
               work.scalar < 0 ? "less " : "", work.scalar == 0 ? "a PE" : "the scalar core");
    else
      snprintf(part, sizeof part, "%s%.1f and %.1f cycles", before, work.scalar / 16.0, work.pes / 16.0);
    text += part;
    if (!integer_onep(work.times)) {
      const bool known = tree_fits_shwi_p(work.times);
      text += known ? " " + std::to_string(tree_to_shwi(work.times)) + " times" : " for each iteration";
      text += " of the loop in line " + std::to_string(LOCATION_LINE(work.where));
    }
  }
  inform(gimple_location(found.iterations),
         "this loop can run on the PEs; estimates of an iteration on the scalar core and on a PE: %s",
         text.c_str());
}

/// Gives a loop that stays on the scalar core the divisions of that core again, which take less time there
/// and have the same results.
void restore_divisions(function* fun) {
  basic_block bb;
  FOR_EACH_BB_FN(bb, fun)
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
    gimple* const call = gsi_stmt(at);
    if (!calls(call, Runtime::DivideD) && !calls(call, Runtime::DivideS)) continue;
    if (gimple_call_lhs(call) == NULL_TREE) continue;
    gassign* const division = gimple_build_assign(gimple_call_lhs(call), RDIV_EXPR, gimple_call_arg(call, 0),
                                                  gimple_call_arg(call, 1));
    gimple_set_location(division, gimple_location(call));
    unlink_stmt_vdef(call);
    gsi_replace(&at, division, true);
  }
}

/// Distributes the function's shared loop, or warns why it stays on the scalar core.
void distribute(function* fun) {
  Alignment alignment;
  Distribution found = distribution_of(fun, alignment);
  if (found.iterations == nullptr) return;
  if (found.reason.empty()) {
    gimple_call_set_arg(found.iterations, 2, null_pointer_node);
    if (options.report) report(found);
    Rewriting(found, alignment).emit();
    define_undefined();
  } else {
    give_up(alignment);
    restore_divisions(fun);
    if (optimize < 2) found.reason += "; it is compiled with -O1, and -O2 may help";
    const location_t where =
        LOCATION_LOCUS(found.where) != UNKNOWN_LOCATION ? found.where : gimple_location(found.iterations);
    warning_at(where, 0, "this loop runs on the scalar core: %s", found.reason.c_str());
    const std::string file = file_of(where), line = std::to_string(LOCATION_LINE(where));
    const bool here = file == file_of(gimple_location(found.iterations));
    found.reason += here ? " (line " + line + ")" : " (" + file + ":" + line + ")";
    gimple_call_set_arg(found.iterations, 2, literal(found.reason.c_str()));
  }
  update_stmt(found.iterations);
  renew_function();
}

const pass_data kDistributionPass = {
    GIMPLE_PASS, "psim_distribution", OPTGROUP_OMP, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class DistributionPass final : public gimple_opt_pass {
 public:
  explicit DistributionPass(gcc::context* context) : gimple_opt_pass(kDistributionPass, context) {}
  bool gate(function* fun) final { return in_target_parallel(fun); }
  unsigned execute(function* fun) final {
    loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
    scev_initialize();
    distribute(fun);
    free_loads();
    free_numbers_of_iterations_estimates(fun);  // of the loops as they were
    scev_finalize();
    loop_optimizer_finalize();
    return TODO_cleanup_cfg;
  }
};

}  // namespace

gimple_opt_pass* make_distribution_pass(gcc::context* context) { return new DistributionPass(context); }

}  // namespace psim_omp
