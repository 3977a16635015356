// SPDX-License-Identifier: Apache-2.0
// Analyses how the addresses of a shared loop grow with its counter.
//
// All PEs execute the loop with the integers of the first PE: PE p does the iterations that begin p · q
// later, where q is the number of iterations of each PE. An address that grows by a constant per iteration
// then refers to the PE's own part of the array. The runtime puts that part into SBM, and the loop adds a
// displacement to the address so that it refers to SBM. A loop that cannot be done in this way runs on the
// scalar core, with a warning that gives the reason.
#include <algorithm>
#include <vector>

#include "../runtime/loop.h"
#include "affine.h"
#include "distribution.h"
#include "loop_copy.h"

namespace psim_omp {
namespace {

class Analysis {
 public:
  Analysis(function* fun, Alignment& alignment) : fun_(fun), alignment_(alignment) {
    found_.pieces.calls = alignment.keeps;
  }
  Distribution run();
  /// Aligns the loop that the analysis has found to be uneven; returns the reason why it cannot.
  std::string align(const Distribution& found);

 private:
  /// Returns false and keeps the reason, which the first call gives.
  bool refuse(gimple* where, const char* reason) {
    if (found_.reason.empty())
      found_.reason = reason,
      found_.where = where ? LOCATION_LOCUS(gimple_location(where)) : UNKNOWN_LOCATION;
    return false;
  }
  AffineAnalysis affine() { return {found_.loop, moving_, found_.pieces, alignment_}; }
  bool refuse_uneven(gimple* where, loop_p loop);
  bool fits_stack();
  bool find_loop();
  bool find_moving();
  bool look_at(gimple* statement);
  bool look_at_condition(gcond* condition);
  bool splits(tree_code code, tree left, tree right);
  bool steady(gimple* statement);
  bool look_at_call(gcall* call);
  bool add_access(gimple* statement, tree* reference, bool write);
  bool bounds(gimple* statement, tree reference, tree size, Access& access);
  bool returns_of(loop_p loop, gimple* statement, Affine& count);
  bool span(gimple* statement, const std::vector<Affine::Term>& terms, tree& low, tree& high);
  bool find_results();
  bool repeatable(gcall* call, bool before);
  bool from_loop(tree value, hash_set<tree>& seen);
  bool from_integers(tree value, hash_set<tree>& seen);
  bool of_last_iteration(basic_block bb);
  bool check_outside();

  bool moves(tree name) { return TREE_CODE(name) == SSA_NAME && moving_.contains(name); }
  bool is_data(tree name) { return TREE_CODE(name) == SSA_NAME && data_.contains(name); }
  static bool any_operand(gimple* statement, hash_set<tree>& set);

  function* fun_;
  Alignment& alignment_;
  Distribution found_;
  tree begin_ = NULL_TREE, end_ = NULL_TREE;
  hash_set<tree> moving_;  // integers and addresses that differ among PEs by the distance of their iterations
  hash_set<tree> steady_;  // moving booleans that do not change in the iterations of the PEs
  hash_set<tree> data_;    // numbers that PEs have of their own
};

bool is_number(tree type) { return SCALAR_FLOAT_TYPE_P(type) || TREE_CODE(type) == COMPLEX_TYPE; }
bool is_index(tree type) { return INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type); }

/// False for types whose arithmetic is in functions of libgcc and libc, or which have several registers.
bool in_registers(tree type) {
  if (type == NULL_TREE) return true;
  if (TREE_CODE(type) == COMPLEX_TYPE) type = TREE_TYPE(type);
  if (SCALAR_FLOAT_TYPE_P(type)) return TYPE_MODE(type) == DFmode || TYPE_MODE(type) == SFmode;
  if (INTEGRAL_TYPE_P(type)) return TYPE_PRECISION(type) <= 64;
  return TREE_CODE(type) != VECTOR_TYPE;
}

/// True for a private variable before an iteration has set it: what earlier iterations have left there is not
/// used.
bool undefined(tree start) { return TREE_CODE(start) == SSA_NAME && ssa_undefined_value_p(start, false); }

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

bool Analysis::any_operand(gimple* statement, hash_set<tree>& set) {
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

/// Finds what differs among PEs: the loop's own counters and what is computed from them, and numbers that are
/// loaded by them.
bool Analysis::find_moving() {
  for (gphi_iterator at = gsi_start_phis(found_.loop->header); !gsi_end_p(at); gsi_next(&at)) {
    const tree carried = gimple_phi_result(at.phi());
    if (virtual_operand_p(carried)) continue;
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
    const tree source = gimple_assign_rhs1(statement);
    const tree base = get_base_address(source);
    return any_operand(statement, moving_) || (base && DECL_P(base) && !is_global_var(base));
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

/// True if one step of the inner loop seems to go farther than all iterations of the shared loop together.
bool steps_to_row(tree step, tree stride) {
  if (TREE_CODE(stride) != INTEGER_CST || integer_zerop(stride)) return false;
  if (TREE_CODE(step) != INTEGER_CST) return true;  // the runtime looks at its value
  return tree_fits_shwi_p(step) && abs_hwi(tree_to_shwi(step)) > abs_hwi(tree_to_shwi(stride));
}

/// Returns how often a loop returns to its beginning; at most, if it ends by data, too.
tree most_latches(loop_p loop, const AffineAnalysis& affine) {
  const tree latches = number_of_latch_executions(loop);
  if (latches != NULL_TREE && !chrec_contains_undetermined(latches)) return latches;
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  for (const edge e : exits) {
    tree_niter_desc end;
    if (number_of_iterations_exit(loop, e, &end, false) && affine.invariant(end.niter)) return end.niter;
  }
  return latches;
}

/// Finds how often an inner loop returns to its beginning before the statement is executed for the last time,
/// as a sum of multiples of outer counters.
bool Analysis::returns_of(loop_p loop, gimple* statement, Affine& count) {
  const AffineAnalysis affine = this->affine();
  if (!flow_loop_nested_p(found_.loop, loop))
    return refuse(statement, "the loops are not nested as expected");
  if (const AlignedLoop* const aligned = alignment_.of(loop)) return count = aligned->count, true;
  tree latches = most_latches(loop, affine);
  if (latches == NULL_TREE) return refuse(statement, "the length of an inner loop is not known");
  if (affine.invariant(latches)) {
    count = {fold_convert(ssizetype, latches), NULL_TREE, {}};
  } else {
    if (TREE_CODE(latches) == COND_EXPR && integer_zerop(TREE_OPERAND(latches, 1)))
      latches = TREE_OPERAND(latches, 2);
    if (!affine.analyse(latches, count) || count.open || count.root != NULL_TREE || count.spread != NULL_TREE)
      return refuse(statement, "the length of an inner loop is not known before the shared loop");
    if (!integer_zerop(count.step_of(found_.loop))) return refuse_uneven(statement, loop);
  }
  const edge leaves = single_exit(loop);
  if (leaves && leaves->src != gimple_bb(statement) &&
      dominated_by_p(CDI_DOMINATORS, gimple_bb(statement), leaves->src))
    count.start =
        fold_build2(MINUS_EXPR, ssizetype, count.start, ssize_int(1));  // tested before the statement
  return true;
}

/// Finds the lowest and the highest sum of the terms of inner loops. The length of a loop may depend on the
/// counters outside: from the innermost loop outwards, its counter is replaced by its first or last value.
bool Analysis::span(gimple* statement, const std::vector<Affine::Term>& terms, tree& low, tree& high) {
  Affine below{ssize_int(0), NULL_TREE, terms}, above{ssize_int(0), NULL_TREE, terms};
  for (;;) {
    loop_p deepest = nullptr;
    for (const Affine* const sum : {&below, &above})
      for (const auto& [loop, step] : sum->terms)
        if (deepest == nullptr || loop_depth(loop) > loop_depth(deepest)) deepest = loop;
    if (deepest == nullptr) break;
    const tree down = below.take(deepest), up = above.take(deepest);
    if (integer_zerop(down) && integer_zerop(up)) continue;
    Affine count;
    if (!returns_of(deepest, statement, count)) return false;
    Affine lowest = count;
    lowest.multiply(fold_build2(MIN_EXPR, ssizetype, down, ssize_int(0)));
    count.multiply(fold_build2(MAX_EXPR, ssizetype, up, ssize_int(0)));
    below.add(lowest), above.add(count);
  }
  low = below.start, high = above.start;
  return true;
}

/// Finds the range of the address in the first iteration, and the stride of the shared loop.
bool Analysis::bounds(gimple* statement, tree reference, tree size, Access& access) {
  const AffineAnalysis affine = this->affine();
  Affine address;
  if (!affine.analyse(build_fold_addr_expr(unshare_expr(reference)), address))
    return refuse(statement, "the address of a reference does not grow linearly with the loops");
  if (address.root == NULL_TREE) return refuse(statement, "the array of a reference was not found");
  access.root = address.root, access.stride = address.step_of(found_.loop), access.dense = true;
  access.open = address.open;
  if (address.open) {
    if (DECL_P(address.root))
      return refuse(statement, "the range of a reference is not known before the shared loop");
    access.dense = false;
    access.low = access.high = fold_convert(ptr_type_node, address.root);
    return true;
  }
  const tree bytes = fold_convert(ssizetype, size);
  std::vector<Affine::Term> rows, columns;
  for (const auto& [loop, step] : address.terms)
    if (loop != found_.loop && !integer_zerop(step))
      (steps_to_row(step, access.stride) ? rows : columns).push_back({loop, step});
  tree row_stride = rows.empty() ? NULL_TREE : rows[0].step;
  if (row_stride != NULL_TREE && TREE_CODE(row_stride) == INTEGER_CST && tree_int_cst_sgn(row_stride) < 0)
    row_stride = fold_build1(NEGATE_EXPR, ssizetype, row_stride);
  const tree back = row_stride != NULL_TREE ? fold_build1(NEGATE_EXPR, ssizetype, row_stride) : NULL_TREE;
  for (const Affine::Term& row : rows)
    if (!operand_equal_p(row.step, row_stride, 0) && !operand_equal_p(row.step, back, 0)) {
      columns.insert(columns.end(), rows.begin(), rows.end()),
          rows.clear();  // of several matrices: the runtime looks at the size
      break;
    }
  tree low, high;
  if (!span(statement, columns, low, high)) return false;
  low = fold_build2(PLUS_EXPR, ssizetype, address.start, low);
  high = fold_build2(PLUS_EXPR, ssizetype, fold_build2(PLUS_EXPR, ssizetype, address.start, bytes), high);
  if (address.spread != NULL_TREE) high = fold_build2(PLUS_EXPR, ssizetype, high, address.spread);
  access.dense &= address.spread == NULL_TREE && rows.empty() &&
                  (columns.empty() || (columns.size() == 1 && operand_equal_p(columns[0].step, bytes, 0)));
  tree executed = ssize_int(1);  // 0 if an inner loop has no iterations
  for (const std::vector<Affine::Term>* const terms : {&columns, &rows})
    for (const auto& [loop, step] : *terms) {
      Affine count;
      if (!returns_of(loop, statement, count)) return false;
      if (!count.terms.empty()) {
        access.dense = false;
        continue;
      }
      executed = fold_build2(MIN_EXPR, ssizetype, executed,
                             fold_build2(MAX_EXPR, ssizetype, ssize_int(0),
                                         fold_build2(PLUS_EXPR, ssizetype, count.start, ssize_int(1))));
    }
  if (!rows.empty()) {
    access.row_stride = row_stride;
    for (Affine::Term& row : rows) {
      const bool down = !operand_equal_p(row.step, row_stride, 0);
      row.step = ssize_int(down ? -1 : 1);
      access.row_loops.push_back({row.loop, down});
    }
    std::sort(access.row_loops.begin(), access.row_loops.end(),
              [](const auto& a, const auto& b) { return loop_depth(a.loop) < loop_depth(b.loop); });
    tree first, last;
    if (!span(statement, rows, first, last)) return false;
    access.rows =
        fold_build2(PLUS_EXPR, ssizetype, fold_build2(MINUS_EXPR, ssizetype, last, first), ssize_int(1));
    access.before_first = fold_build1(NEGATE_EXPR, ssizetype, first);
    const tree way = fold_build2(MULT_EXPR, ssizetype, row_stride, first);
    low = fold_build2(PLUS_EXPR, ssizetype, low, way), high = fold_build2(PLUS_EXPR, ssizetype, high, way);
  }
  if (!integer_onep(executed))
    high = fold_build2(
        PLUS_EXPR, ssizetype, low,
        fold_build2(MULT_EXPR, ssizetype, fold_build2(MINUS_EXPR, ssizetype, high, low), executed));
  access.low = fold_convert(ptr_type_node, low);
  access.high = fold_convert(ptr_type_node, high);
  return true;
}

constexpr const char* kUnaligned =
    "it uses numbers at places that are not multiples of their size, as in packed structures";

/// Returns true, with the bytes, if an address is `rows` times `row_stride` and a constant behind another.
bool distance_of(tree from, tree to, HOST_WIDE_INT& bytes, HOST_WIDE_INT rows = 0,
                 tree row_stride = NULL_TREE) {
  aff_tree way, other;
  tree_to_aff_combination(to, TREE_TYPE(to), &way), tree_to_aff_combination(from, TREE_TYPE(from), &other);
  aff_combination_scale(&other, -1), aff_combination_add(&way, &other);
  if (row_stride != NULL_TREE) {
    tree_to_aff_combination(fold_convert(TREE_TYPE(to), row_stride), TREE_TYPE(to), &other);
    aff_combination_scale(&other, -rows), aff_combination_add(&way, &other);
  }
  if (way.n != 0 || way.rest != NULL_TREE || !way.offset.is_constant() ||
      !wi::fits_shwi_p(way.offset.coeffs[0]))
    return false;
  bytes = way.offset.coeffs[0].to_shwi();
  return true;
}

/// True if the parts of all iterations from one address on seem to end before the other: several planes or
/// columns of one array. The runtime compares them if one is written.
bool far_apart(tree a, tree b, tree stride, tree count) {
  HOST_WIDE_INT distance;
  if (TREE_CODE(stride) != INTEGER_CST || !tree_fits_shwi_p(stride) || integer_zerop(stride) ||
      !distance_of(a, b, distance))
    return false;
  constexpr HOST_WIDE_INT kUnknownCount = 16;
  const HOST_WIDE_INT iterations =
      TREE_CODE(count) == INTEGER_CST && tree_fits_shwi_p(count) ? tree_to_shwi(count) : kUnknownCount;
  return abs_hwi(distance) >= abs_hwi(tree_to_shwi(stride)) * iterations;
}

/// Returns the rows between two addresses, rounded to the nearest; 0 if it is not known.
HOST_WIDE_INT rows_between(tree from, tree to, tree row_stride) {
  HOST_WIDE_INT distance;
  if (TREE_CODE(row_stride) != INTEGER_CST || !tree_fits_shwi_p(row_stride)) {
    constexpr HOST_WIDE_INT kMost = 4;  // neighbours
    for (HOST_WIDE_INT rows = -kMost; rows <= kMost; ++rows)
      if (distance_of(from, to, distance, rows, row_stride)) return rows;
    return 0;
  }
  if (!distance_of(from, to, distance)) return 0;
  const HOST_WIDE_INT row = tree_to_shwi(row_stride);
  return (distance + (distance < 0 ? -row : row) / 2) / row;
}

/// True if addresses are computed from the integer.
bool becomes_address(tree name, hash_set<tree>& seen) {
  if (TREE_CODE(name) != SSA_NAME || seen.add(name)) return false;
  if (POINTER_TYPE_P(TREE_TYPE(name))) return true;
  gimple* user;
  imm_use_iterator it;
  FOR_EACH_IMM_USE_STMT(user, it, name) {
    if (is_gimple_debug(user)) continue;
    bool found = false;
    if (const gphi* const phi = dyn_cast<gphi*>(user)) {
      found = becomes_address(gimple_phi_result(phi), seen);
    } else if (is_gimple_assign(user)) {
      const tree result = gimple_assign_lhs(user);
      found = gimple_assign_load_p(user) || (gimple_store_p(user) && gimple_assign_rhs1(user) != name) ||
              (TREE_CODE(result) == SSA_NAME && is_index(TREE_TYPE(result)) && becomes_address(result, seen));
    }
    if (found) return true;
  }
  return false;
}

bool Analysis::add_access(gimple* statement, tree* reference, bool write) {
  if (TREE_THIS_VOLATILE(*reference)) return refuse(statement, "it touches a volatile variable");
  tree base = get_base_address(*reference);
  if (base == NULL_TREE) return refuse(statement, "it has a reference of an unknown kind");
  const tree type = TREE_TYPE(*reference);
  // gcc assembles such numbers in integer registers, which have one value for all PEs.
  const bool aligned =
      !is_number(type) || get_object_alignment(*reference) >= GET_MODE_ALIGNMENT(TYPE_MODE(type));
  const auto own = [&] { return aligned || refuse(statement, kUnaligned); };
  if (DECL_P(base) && !is_global_var(base)) return own();  // the PE's stack
  if (TREE_CODE(base) == MEM_REF && TREE_CODE(TREE_OPERAND(base, 0)) == ADDR_EXPR) {
    const tree variable = get_base_address(TREE_OPERAND(TREE_OPERAND(base, 0), 0));
    if (variable && DECL_P(variable) && !is_global_var(variable)) return own();
  }
  const tree size = TYPE_SIZE_UNIT(type);
  if (size == NULL_TREE || TREE_CODE(size) != INTEGER_CST)
    return refuse(statement, "it has a reference of no fixed size");
  Access access{};
  access.statement = statement, access.reference = reference, access.read = !write, access.write = write;

  if (!bounds(statement, *reference, size, access)) return false;
  const bool still = integer_zerop(access.stride);
  if (still && write) return refuse(statement, "every iteration writes the same place in memory");
  if (!still && !aligned) return refuse(statement, kUnaligned);
  if (still && is_index(type)) return true;  // a bound or a pointer
  if (!still && is_index(type)) {
    if (TYPE_PRECISION(type) != 32 || POINTER_TYPE_P(type))
      return refuse(statement,
                    "it uses an array of integers that have no 32 bits by the index of the shared loop");
    hash_set<tree> seen;
    return refuse(statement, !write && becomes_address(gimple_assign_lhs(statement), seen)
                                 ? "it uses an address that each PE has of its own, of an array of integers"
                                 : "it uses an array of integers by the index of the shared loop");
  }
  if (!still && DECL_P(access.root))
    return refuse(statement, (std::string("array ") +
                              (DECL_NAME(access.root) ? IDENTIFIER_POINTER(DECL_NAME(access.root)) : "?") +
                              " is not mapped")
                                 .c_str());
  const auto same = std::find_if(found_.arrays.begin(), found_.arrays.end(), [&](const Array& array) {
    const bool rows = array.row_stride != NULL_TREE, own_rows = access.row_stride != NULL_TREE;
    return array.root == access.root && operand_equal_p(array.stride, access.stride, 0) && rows == own_rows &&
           (!rows || operand_equal_p(array.row_stride, access.row_stride, 0)) &&
           (rows || !far_apart(array.low, access.low, access.stride, gimple_call_arg(found_.iterations, 0)));
  });
  access.index = static_cast<unsigned>(same - found_.arrays.begin());
  if (same == found_.arrays.end()) {
    found_.arrays.push_back({access.root, access.stride, access.row_stride, access.low, 0});
  } else if (access.row_stride != NULL_TREE) {
    access.above = rows_between(same->low, access.low, access.row_stride);
    same->least_above = std::min(same->least_above, access.above);
  }
  if (found_.arrays.size() > PSIM_OMP_ARRAYS) return refuse(statement, "it uses more than 32 arrays");
  access.dense &= write && dominated_by_p(CDI_DOMINATORS, found_.loop->latch, gimple_bb(statement));
  found_.accesses.push_back(access);
  return true;
}

/// True for the first values that the integer pass has chosen for operators on bits.
bool is_of_bits(tree start, Runtime& which) {
  const REAL_VALUE_TYPE* const first = TREE_REAL_CST_PTR(start);
  REAL_VALUE_TYPE smallest;
  real_2expN(&smallest, -1074, DFmode);
  if (REAL_VALUE_MINUS_ZERO(*first)) return which = Runtime::OrD, true;
  if (real_equal(first, &dconstm1)) return which = Runtime::AndD, true;
  if (real_equal(first, &smallest)) return which = Runtime::XorD, true;
  return false;
}

/// Finds the operator of a reduction: what the header's value becomes in an iteration.
bool operator_of(gphi* phi, tree value, tree start, Runtime& which) {
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
  const auto used_outside = [&](tree name) {
    if (TREE_CODE(name) != SSA_NAME) return false;
    imm_use_iterator it;
    use_operand_p use;
    FOR_EACH_IMM_USE_FAST(use, it, name) {
      gimple* const user = USE_STMT(use);
      if (is_gimple_debug(user)) continue;
      if (!flow_bb_inside_loop_p(found_.loop, gimple_bb(user))) return true;
    }
    return false;
  };
  const auto look = [&](tree name) {
    if (!good || name == NULL_TREE || TREE_CODE(name) != SSA_NAME || virtual_operand_p(name) ||
        !used_outside(name))
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
        !used_outside(carried) &&
        !used_outside(PHI_ARG_DEF_FROM_EDGE(at.phi(), loop_latch_edge(found_.loop))))
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

/// Returns the value as an expression that can be computed before the loop; null if it cannot.
tree before_loop(tree value, const AffineAnalysis& affine, unsigned depth = 0) {
  if (affine.invariant(value)) return value;
  if (TREE_CODE(value) != SSA_NAME || depth > 8) return NULL_TREE;
  const gassign* const def = dyn_cast<gassign*>(SSA_NAME_DEF_STMT(value));
  if (def == nullptr || !gimple_assign_single_p(def)) return NULL_TREE;
  const tree from = unshare_expr(gimple_assign_rhs1(def));
  if (affine.invariant(from)) return from;
  const tree base = get_base_address(from);  // a pointer that the code behind the loop loads again
  if (base == NULL_TREE || TREE_CODE(base) != MEM_REF) return NULL_TREE;
  const tree pointer = before_loop(TREE_OPERAND(base, 0), affine, depth + 1);
  if (pointer == NULL_TREE) return NULL_TREE;
  TREE_OPERAND(base, 0) = pointer;
  return affine.invariant(from) ? from : NULL_TREE;
}

/// Code outside the loop is executed for each tile: only what combines reductions may have an effect.
bool Analysis::repeatable(gcall* call, bool before) {
  if (gimple_call_internal_p(call))
    return !before || !gimple_call_internal_p(call, IFN_ATOMIC_COMPARE_EXCHANGE) ||
           refuse(call, "the parallel region writes memory before its loop");
  if ((gimple_call_flags(call) & (ECF_CONST | ECF_PURE)) != 0) return true;
  std::string name = callee_of(call);
  const auto begins = [&](const char* start) { return startswith(name.c_str(), start); };
  if (begins("__builtin_")) name.erase(0, strlen("__builtin_"));
  if (begins("__psim_omp_") || name == "GOMP_barrier") return true;
  if (!before && (begins("GOMP_atomic_") || begins("__atomic_load") || begins("__atomic_fetch_")))
    return true;
  return refuse(call, (std::string("the parallel region calls ") + name + " outside its loop").c_str());
}

/// True if the value that code behind the loop has comes from the loop.
bool Analysis::from_loop(tree value, hash_set<tree>& seen) {
  if (value == NULL_TREE || TREE_CODE(value) != SSA_NAME || seen.add(value)) return false;
  gimple* const def = SSA_NAME_DEF_STMT(value);
  if (gimple_bb(def) != nullptr && flow_bb_inside_loop_p(found_.loop, gimple_bb(def))) return true;
  if (const gphi* const phi = dyn_cast<gphi*>(def)) {
    for (unsigned i = 0; i < gimple_phi_num_args(phi); ++i)
      if (from_loop(gimple_phi_arg_def(phi, i), seen)) return true;
    return false;
  }
  ssa_op_iter it;
  tree operand;
  FOR_EACH_SSA_TREE_OPERAND(operand, def, it, SSA_OP_USE)
  if (from_loop(operand, seen)) return true;
  return false;
}

/// True if the block is only for the thread that has the last iteration.
bool Analysis::of_last_iteration(basic_block bb) {
  if (!single_pred_p(bb)) return false;
  const gcond* const c = safe_dyn_cast<gcond*>(last_stmt(single_pred(bb)));
  if (c == nullptr) return false;
  for (const tree side : {gimple_cond_lhs(c), gimple_cond_rhs(c)}) {
    hash_set<tree> seen;
    if (depends_on(side, end_) ||
        (TREE_CODE(side) == SSA_NAME && is_index(TREE_TYPE(side)) && from_loop(side, seen)))
      return true;
  }
  return false;
}

/// True for a sum into memory that no other thread disturbs.
bool is_atomic_update(gcall* call) { return startswith(callee_of(call).c_str(), "__atomic_fetch_"); }

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
  const auto writes = [&](gimple* statement, tree address, tree like, tree value) {
    hash_set<tree> seen;
    if (!combines && !from_loop(value, seen) && !of_last_iteration(gimple_bb(statement)))
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
      found_.last |= depends_on(gimple_cond_lhs(c), end_) || depends_on(gimple_cond_rhs(c), end_);
    combines = false;
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

Distribution Analysis::run() {
  const bool good = find_loop() && fits_stack() && find_moving() && find_results() && check_outside();
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

}  // namespace

tree* loaded_by(gasm* code) {
  if (gimple_asm_ninputs(code) != 2) return nullptr;
  tree* const last = &TREE_VALUE(gimple_asm_input_op(code, 1));
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
