// SPDX-License-Identifier: Apache-2.0
// Analyses how the addresses of a shared loop grow with its counter.
//
// All PEs execute the loop with the integers of the first PE: PE p does the iterations that begin p · q
// later, where q is the number of iterations of each PE. An address that grows by a constant per iteration
// then refers to the PE's own part of the array. The runtime puts that part into SBM, and the loop adds a
// displacement to the address so that it refers to SBM. A loop that cannot be done in this way runs on the
// scalar core, with a warning that gives the reason.
#include "analysis.h"

#include <algorithm>

#include "loop_copy.h"

namespace psim_omp {
namespace {

/// False for types whose arithmetic is in functions of libgcc and libc, or which have several registers.
bool in_registers(tree type) {
  if (type == NULL_TREE) return true;
  if (TREE_CODE(type) == COMPLEX_TYPE) type = TREE_TYPE(type);
  if (SCALAR_FLOAT_TYPE_P(type)) return TYPE_MODE(type) == DFmode || TYPE_MODE(type) == SFmode;
  if (INTEGRAL_TYPE_P(type)) return TYPE_PRECISION(type) <= 64;
  return TREE_CODE(type) != VECTOR_TYPE;
}

}  // namespace

/// Private arrays are on the stack of an SBM, of which a quarter is for register windows and calls.
bool Analysis::fits_stack() {
  constexpr HOST_WIDE_INT kMost = 6 << 10;
  HOST_WIDE_INT bytes = 0;
  unsigned i;
  tree variable;
  FOR_EACH_LOCAL_DECL(fun_, i, variable)
  if (VAR_P(variable) && !is_global_var(variable) && !is_gimple_reg(variable)) {
    const tree size = DECL_SIZE_UNIT(variable);
    bytes += size != NULL_TREE && tree_fits_shwi_p(size) ? tree_to_shwi(size) : kMost + 1;
  }
  return bytes <= kMost || refuse(nullptr, "its private arrays are larger than a PE's stack");
}

bool Analysis::find_loop() {
  const SharedLoop shared = shared_loop_of(fun_);
  found_.iterations = shared.iterations, begin_ = shared.begin, end_ = shared.end;
  if (found_.iterations == nullptr || begin_ == NULL_TREE || end_ == NULL_TREE)
    return refuse(nullptr, "its share is not used");
  found_.loop = shared.loop;
  if (found_.loop == nullptr) return refuse(nullptr, "its loop was not found");
  found_.exit = single_exit(found_.loop);
  if (found_.exit == nullptr) return refuse(nullptr, "its loop has more than one exit");
  return true;
}

/// True for a variable that iterations set to a value from before the loop, if at all, and do not use. It is
/// the same for all PEs.
bool Analysis::settles(gphi* carried) {
  std::vector<gphi*> versions{carried};
  hash_set<tree> seen;
  seen.add(gimple_phi_result(carried));
  for (std::size_t i = 0; i < versions.size(); ++i) {
    imm_use_iterator it;
    use_operand_p use;
    FOR_EACH_IMM_USE_FAST(use, it, gimple_phi_result(versions[i])) {
      gimple* const user = USE_STMT(use);
      if (is_gimple_debug(user) || !flow_bb_inside_loop_p(found_.loop, gimple_bb(user))) continue;
      gphi* const version = dyn_cast<gphi*>(user);
      if (version == nullptr) return false;
      if (!seen.add(gimple_phi_result(version))) versions.push_back(version);
    }
  }
  const AffineAnalysis affine = this->affine();
  for (gphi* const version : versions)
    for (unsigned i = 0; i < gimple_phi_num_args(version); ++i) {
      const tree value = gimple_phi_arg_def(version, i);
      if (!(TREE_CODE(value) == SSA_NAME && seen.contains(value)) && !affine.invariant(value)) return false;
    }
  return versions.size() > 1;
}

bool on_stack(tree reference) {
  tree base = get_base_address(reference);
  while (base != NULL_TREE && TREE_CODE(base) == MEM_REF) {
    tree pointer = TREE_OPERAND(base, 0);
    while (TREE_CODE(pointer) == SSA_NAME) {
      const gassign* const def = dyn_cast<gassign*>(SSA_NAME_DEF_STMT(pointer));
      if (def == nullptr || gimple_assign_load_p(def)) return false;
      const tree_code code = gimple_assign_rhs_code(def);
      if (code != POINTER_PLUS_EXPR && code != SSA_NAME && code != ADDR_EXPR && !CONVERT_EXPR_CODE_P(code))
        return false;
      pointer = gimple_assign_rhs1(def);
    }
    base = TREE_CODE(pointer) == ADDR_EXPR ? get_base_address(TREE_OPERAND(pointer, 0)) : NULL_TREE;
  }
  return base != NULL_TREE && DECL_P(base) && !is_global_var(base);
}

/// Finds what differs among PEs: the loop's own counters and what is computed from them, and numbers that are
/// loaded by them.
bool Analysis::find_moving() {
  for (gphi_iterator at = gsi_start_phis(found_.loop->header); !gsi_end_p(at); gsi_next(&at)) {
    const tree carried = gimple_phi_result(at.phi());
    if (virtual_operand_p(carried)) continue;
    if (settles(at.phi())) continue;
    if (!is_index(TREE_TYPE(carried))) {
      data_.add(carried);
      continue;
    }
    const tree start = PHI_ARG_DEF_FROM_EDGE(at.phi(), loop_preheader_edge(found_.loop));
    if (undefined(start)) continue;
    if (!depends_on(start, begin_))
      return refuse(at.phi(), "an integer is carried from iteration to iteration, as in a reduction");
    moving_.add(carried);
  }
  basic_block* const body = get_loop_body_in_dom_order(found_.loop);
  const auto loads_own = [&](gimple* statement) {
    return any_operand(statement, moving_) || on_stack(gimple_assign_rhs1(statement));
  };
  for (bool changed = true; changed;) {
    changed = false;
    const auto mark = [&](tree name, bool moving, bool data) {
      if (name == NULL_TREE || TREE_CODE(name) != SSA_NAME || virtual_operand_p(name)) return;
      if (is_index(TREE_TYPE(name)) ? moving || data : false)
        changed |= data ? !data_.add(name) : !moving_.add(name);
      else if (!is_index(TREE_TYPE(name)) && (moving || data))
        changed |= !data_.add(name);
    };
    for (unsigned i = 0; i < found_.loop->num_nodes; ++i) {
      for (gphi_iterator at = gsi_start_phis(body[i]); !gsi_end_p(at); gsi_next(&at))
        mark(gimple_phi_result(at.phi()), any_operand(at.phi(), moving_), any_operand(at.phi(), data_));
      for (gimple_stmt_iterator at = gsi_start_bb(body[i]); !gsi_end_p(at); gsi_next(&at)) {
        gimple* const statement = gsi_stmt(at);
        const bool data = any_operand(statement, data_);
        if (gimple_assign_load_p(statement))
          mark(gimple_assign_lhs(statement), false, data || loads_own(statement));
        else if (is_gimple_assign(statement))
          mark(gimple_assign_lhs(statement), any_operand(statement, moving_), data);
        else if (is_gimple_call(statement) && gimple_call_lhs(statement) &&
                 !calls(statement, Runtime::AnyActive))
          mark(gimple_call_lhs(statement), any_operand(statement, moving_), data);
        else if (const gasm* const code = dyn_cast<gasm*>(statement))
          for (unsigned o = 0; o < gimple_asm_noutputs(code); ++o)
            mark(TREE_VALUE(gimple_asm_output_op(code, o)), any_operand(statement, moving_), true);
      }
    }
  }
  for (unsigned i = 0; i < found_.loop->num_nodes; ++i)
    for (gimple_stmt_iterator at = gsi_start_bb(body[i]); !gsi_end_p(at); gsi_next(&at))
      if (!look_at(gsi_stmt(at))) return free(body), false;
  free(body);
  return true;
}

bool Analysis::look_at_condition(gcond* condition) {
  const tree left = gimple_cond_lhs(condition), right = gimple_cond_rhs(condition);
  if (is_data(left) || is_data(right))
    return refuse(condition, "a branch depends on data that each PE has of its own");
  if (!moves(left) && !moves(right)) return true;
  const basic_block bb = gimple_bb(condition);
  if (bb == found_.exit->src) return true;
  if (const AlignedLoop* const aligned = alignment_.of(bb->loop_father))
    if (single_exit(aligned->loop)->src == bb) return true;
  // Both sides move alike if their difference does not move.
  const AffineAnalysis affine = this->affine();
  Affine a, b;
  if (affine.analyse(left, a) && affine.analyse(right, b) && !a.index_only && !b.index_only &&
      operand_equal_p(a.step_of(found_.loop), b.step_of(found_.loop), 0))
    return true;
  if (splits(gimple_cond_code(condition), left, right)) return true;
  if (bb->loop_father != found_.loop && single_exit(bb->loop_father) &&
      single_exit(bb->loop_father)->src == bb)
    return refuse_uneven(condition, bb->loop_father);
  return refuse(condition,
                "a branch, or the length of an inner loop, depends on the index of the shared loop");
}

bool Analysis::refuse_uneven(gimple* where, loop_p loop) {
  if (found_.reason.empty()) found_.uneven = loop;
  return refuse(where, "the length of an inner loop depends on the index of the shared loop");
}

/// Has the runtime find the iterations in which the comparison with the shared counter has one result. False
/// if it is not of that kind.
bool Analysis::splits(tree_code code, tree left, tree right) {
  if (steady_.contains(left) && !moves(right)) return true;
  if (!INTEGRAL_TYPE_P(TREE_TYPE(left))) return false;
  if (!moves(left)) std::swap(left, right), code = swap_tree_comparison(code);
  const AffineAnalysis affine = this->affine();
  Affine value, limit;
  if (!affine.analyse(left, value) || !affine.analyse(right, limit)) return false;
  const bool equal = code == EQ_EXPR || code == NE_EXPR, above = code == LE_EXPR || code == GT_EXPR;
  if (!equal && !above && code != LT_EXPR && code != GE_EXPR) return false;
  const tree type = TREE_TYPE(left);
  const bool range =
      TYPE_UNSIGNED(type) && !equal;  // i - 1 < n - 2 of unsigned numbers is 1 <= i && i < n - 1
  if (range && (moves(right) || !affine.invariant(right))) return false;
  for (Affine* const side : {&value, &limit})
    if (side->open || side->index_only || side->spread != NULL_TREE || side->root != NULL_TREE) return false;
  tree low = ssize_int(0), high = equal || above ? ssize_int(1) : low;
  if (range) {
    high = fold_build2(PLUS_EXPR, ssizetype, fold_convert(ssizetype, right), ssize_int(above));
    value.start = fold_convert(ssizetype, fold_convert(signed_type_for(type), value.start));
  } else {
    limit.multiply(ssize_int(-1));
    value.add(limit);
    if (above) low = high;
  }
  value.terms.erase(std::remove_if(value.terms.begin(), value.terms.end(),
                                   [](const Affine::Term& term) { return integer_zerop(term.step); }),
                    value.terms.end());
  if (value.terms.size() != 1 || value.terms[0].loop != found_.loop) return false;
  found_.pieces.calls.push_back({Runtime::Split, {value.start, value.terms[0].step, low, high}, NULL_TREE});
  return true;
}

/// True for a boolean that comparisons of the shared counter give, which do not change in the iterations of
/// the PEs.
bool Analysis::steady(gimple* statement) {
  const tree result = gimple_assign_lhs(statement);
  const tree_code code = gimple_assign_rhs_code(statement);
  bool good;
  if (TREE_CODE_CLASS(code) == tcc_comparison) {
    good = splits(code, gimple_assign_rhs1(statement), gimple_assign_rhs2(statement));
  } else {
    good = CONVERT_EXPR_CODE_P(code) || code == BIT_AND_EXPR || code == BIT_IOR_EXPR ||
           code == BIT_XOR_EXPR || code == BIT_NOT_EXPR;
    ssa_op_iter it;
    tree name;
    FOR_EACH_SSA_TREE_OPERAND(name, statement, it, SSA_OP_USE)
    good &= !moves(name) || steady_.contains(name);
  }
  if (good) steady_.add(result);
  return good;
}
std::string callee_of(gcall* call) {
  if (gimple_call_internal_p(call)) return internal_fn_name(gimple_call_internal_fn(call));
  const tree callee = gimple_call_fndecl(call);
  if (callee == NULL_TREE) return "a function through a pointer";
  const std::string name = IDENTIFIER_POINTER(DECL_NAME(callee));
  return name.substr(0, name.find('.'));  // without the suffix of a part or a copy
}

bool Analysis::look_at_call(gcall* call) {
  if (calls(call, Runtime::AnyActive)) return true;
  for (int which = static_cast<int>(kFirstFunction); which <= static_cast<int>(kLastFunction); ++which)
    if (calls(call, static_cast<Runtime>(which)))
      return !any_operand(call, moving_) || refuse(call, "a power depends on the index of the shared loop");
  switch (gimple_call_combined_fn(call)) {
    case CFN_BUILT_IN_FABS:
    case CFN_BUILT_IN_FABSF:
    case CFN_BUILT_IN_FMA:
    case CFN_BUILT_IN_FMAF:
    case CFN_FMA:
    case CFN_FNMA:
    case CFN_FMS:
    case CFN_FNMS:
      return true;
    default:
      break;
  }
  const tree callee = gimple_call_internal_p(call) ? NULL_TREE : gimple_call_fndecl(call);
  const cgraph_node* const node = callee ? cgraph_node::get(callee) : nullptr;
  const char* why = ", which is not part of the loop after inlining";
  if (callee && is_recursive(callee))
    why = ", which calls itself";
  else if (callee && !fndecl_built_in_p(callee) && (node == nullptr || !node->definition))
    why = ", whose body is not in the same file";
  return refuse(call, (std::string("it calls ") + callee_of(call) + why).c_str());
}

bool Analysis::look_at(gimple* statement) {
  if (is_gimple_debug(statement) || gimple_nop_p(statement) || gimple_clobber_p(statement)) return true;
  if (gcond* const condition = dyn_cast<gcond*>(statement)) return look_at_condition(condition);
  if (gimple_code(statement) == GIMPLE_LABEL || gimple_code(statement) == GIMPLE_PREDICT) return true;
  if (alignment_.own.contains(statement)) return true;
  if (gcall* const call = dyn_cast<gcall*>(statement)) return look_at_call(call);
  if (gasm* const code = dyn_cast<gasm*>(statement)) {
    if (tree* const stored = stored_by(code)) return add_access(statement, stored, true);
    if (gimple_vdef(statement)) return refuse(statement, "it has an asm that touches memory");
    tree* const reference = loaded_by(code);
    return reference == nullptr || add_access(statement, reference, false);
  }
  if (!is_gimple_assign(statement)) return refuse(statement, "it has a statement that PEs cannot do");
  for (unsigned i = 0; i < gimple_num_ops(statement); ++i)
    if (gimple_op(statement, i) && !in_registers(TREE_TYPE(gimple_op(statement, i))))
      return refuse(statement, "it computes with numbers that are wider than a double, or with vectors");

  if (gimple_assign_load_p(statement)) {
    if (!add_access(statement, gimple_assign_rhs1_ptr(statement), false)) return false;
    if (TREE_CODE(gimple_assign_lhs(statement)) != SSA_NAME)
      return refuse(statement, "it copies a whole structure");
    return true;
  }
  if (gimple_store_p(statement)) {
    const tree value = gimple_assign_rhs1(statement);
    if (!is_number(TREE_TYPE(value)) && (moves(value) || is_data(value)))
      return refuse(statement, "it stores an index, or an integer that depends on it");
    return add_access(statement, gimple_assign_lhs_ptr(statement), true);
  }
  const tree result = gimple_assign_lhs(statement);
  const tree_code code = gimple_assign_rhs_code(statement);
  if (code == FLOAT_EXPR && moves(gimple_assign_rhs1(statement))) {
    Affine index;
    if (!affine().analyse(gimple_assign_rhs1(statement), index) ||
        TREE_CODE(index.step_of(found_.loop)) != INTEGER_CST)
      return refuse(statement, "an index value enters arithmetic in a way that is not linear");
    if (index.index_only || may_wrap(index, TREE_TYPE(gimple_assign_rhs1(statement))))
      return refuse(statement, "an unsigned integer that enters arithmetic may wrap around");
    const tree step = index.step_of(found_.loop);
    found_.index_values.emplace_back(as_a<gassign*>(statement), step);
    return true;
  }
  if (is_number(TREE_TYPE(result)) && any_operand(statement, moving_))
    return refuse(statement, "an index value enters arithmetic");
  if (is_index(TREE_TYPE(result)) && any_operand(statement, data_))
    return refuse(statement, "it makes an integer or an address of data that each PE has of its own");
  if (is_index(TREE_TYPE(result)) && any_operand(statement, moving_) && !any_operand(statement, data_) &&
      steady(statement))
    return true;
  if (TREE_CODE_CLASS(code) == tcc_comparison && any_operand(statement, moving_))
    return refuse(statement, "a comparison depends on the index of the shared loop");
  if (code == RDIV_EXPR || code == MIN_EXPR || code == MAX_EXPR) {
    if (is_number(TREE_TYPE(result))) return refuse(statement, "it has an operation that PEs do not have");
  }
  return true;
}

Distribution Analysis::run() {
  const bool good = find_loop() && fits_stack() && find_moving() && check_still_stores() && find_results() &&
                    check_outside();
  // If only the last iteration leaves something, gcc removes the others.
  const bool writes = std::any_of(found_.accesses.begin(), found_.accesses.end(),
                                  [](const Access& access) { return access.write; });
  if (good && (writes || !found_.results.empty()))
    found_.work = work_of(found_.loop, affine(), gimple_call_arg(found_.iterations, 0));
  return std::move(found_);
}

std::string Analysis::align(const Distribution& found) {
  std::string reason;
  Pieces pieces;
  const AffineAnalysis affine(found.loop, moving_, pieces, alignment_);
  const tree count = gimple_call_arg(found.iterations, 0);
  if (alignment_.shared == nullptr) {  // of the loop as it is for the scalar core
    alignment_.scalar_work = work_of(found.loop, affine, count);
    for (Work& work : alignment_.scalar_work) work.pes = 0;
  }
  align_loop(alignment_, found.loop, found.uneven, affine, pieces, begin_, count, reason);
  return reason;
}

tree* loaded_by(gasm* code) {
  if (gimple_asm_ninputs(code) != 2) return nullptr;
  tree* const last = &TREE_VALUE(gimple_asm_input_op(code, 1));
  return TREE_CODE(*last) == MEM_REF ? last : nullptr;
}

tree* stored_by(gasm* code) {
  if (gimple_vdef(code) == NULL_TREE || gimple_asm_noutputs(code) != 4) return nullptr;
  tree* const last = &TREE_VALUE(gimple_asm_output_op(code, 3));
  return TREE_CODE(*last) == MEM_REF ? last : nullptr;
}

Distribution distribution_of(function* fun, Alignment& alignment) {
  constexpr std::size_t kMostLoops = 16;
  if (const SharedLoop copied = shared_loop_of(fun); copied.loop != nullptr && copied.scalar != nullptr) {
    // The integers of one of them have become numbers (integer_pass.cpp).
    alignment.shared = copied.loop, alignment.scalar = copied.scalar, alignment.on_pes = copied.on_pes;
    hash_set<tree> none;
    Pieces pieces;
    alignment.scalar_work = work_of(copied.scalar, AffineAnalysis(copied.scalar, none, pieces, alignment),
                                    gimple_call_arg(copied.iterations, 0));
    for (Work& work : alignment.scalar_work) work.pes = 0;
  }
  for (;;) {
    Analysis analysis(fun, alignment);
    Distribution found = analysis.run();
    if (found.reason.empty() && alignment.shared != nullptr) {
      for (Work& work : found.work) work.scalar = work.instructions = 0;
      found.work.insert(found.work.begin(), alignment.scalar_work.begin(), alignment.scalar_work.end());
    }
    if (found.uneven == nullptr || alignment.loops.size() == kMostLoops) return found;
    const std::string reason = analysis.align(found);
    if (reason.empty()) continue;
    found.reason = reason;
    return found;
  }
}

}  // namespace psim_omp
