// SPDX-License-Identifier: Apache-2.0
// All PEs execute the loop with one counter, from the first step of any of them to the last. In a step that
// is not its own, a PE selects its old values, and stores the old value of memory.
//
// Iteration i of the shared loop does N(i) = N(0) + c i steps, of which the first is number a i: a is how its
// counter's first value grows, in steps. The integers are those of iteration m; a PE does iteration m + P,
// where P is its own number. It then has the steps from a P to (a + c) P + N(m), counted from the first of
// iteration m.
#include "alignment.h"

#include "integers.h"
#include "loop_copy.h"
#include "select.h"

namespace psim_omp {
namespace {

/// A counter of the loop: what it grows by in a step, and, in one step, from iteration to iteration.
struct Counter {
  gphi* phi;
  tree step, rate;
};

struct Shape {
  gcond* condition;
  edge leaves;
  tree latches;
  std::vector<Counter> counters;
  std::vector<gphi*> numbers;
  std::vector<gassign*> stores;
};

/// The loop's statements and values; null: all of them can wait for other PEs. Else what cannot.
const char* shape_of(loop_p loop, const AffineAnalysis& affine, loop_p shared, Shape& shape) {
  shape.leaves = single_exit(loop);
  if (shape.leaves == nullptr || !single_pred_p(loop->latch) ||
      single_pred(loop->latch) != shape.leaves->src || !gsi_end_p(gsi_start_nondebug_bb(loop->latch)))
    return "ends in the middle";
  shape.condition = safe_dyn_cast<gcond*>(last_stmt(shape.leaves->src));
  shape.latches = number_of_latch_executions(loop);
  if (shape.condition == nullptr || shape.latches == NULL_TREE || chrec_contains_undetermined(shape.latches))
    return "is not known when it begins";
  hash_set<tree> carried;
  for (gphi_iterator at = gsi_start_phis(loop->header); !gsi_end_p(at); gsi_next(&at)) {
    const tree name = gimple_phi_result(at.phi());
    if (virtual_operand_p(name)) continue;
    if (is_real(TREE_TYPE(name))) {
      shape.numbers.push_back(at.phi());
      const tree next = PHI_ARG_DEF_FROM_EDGE(at.phi(), loop_latch_edge(loop));
      if (carried.add(next) && used_outside(loop, next)) return "has values that outlive it";
      continue;
    }
    Affine value;
    if (!is_index(TREE_TYPE(name)) || !affine.analyse(name, value) || value.open)
      return "carries an integer that is no counter";
    shape.counters.push_back({at.phi(), value.step_of(loop), value.step_of(shared)});
  }
  basic_block* const body = get_loop_body(loop);
  const char* problem = nullptr;
  const auto look = [&](tree name) {
    if (name == NULL_TREE || TREE_CODE(name) != SSA_NAME || virtual_operand_p(name)) return;
    if (used_outside(loop, name) && !(is_real(TREE_TYPE(name)) && carried.contains(name)))
      problem = "has values that outlive it";
  };
  for (unsigned i = 0; i < loop->num_nodes; ++i) {
    for (gphi_iterator at = gsi_start_phis(body[i]); !gsi_end_p(at); gsi_next(&at))
      look(gimple_phi_result(at.phi()));
    for (gimple_stmt_iterator at = gsi_start_bb(body[i]); !gsi_end_p(at); gsi_next(&at)) {
      gimple* const statement = gsi_stmt(at);
      if (is_gimple_assign(statement) || is_gimple_call(statement)) look(gimple_get_lhs(statement));
      if (const gasm* const code = dyn_cast<gasm*>(statement))
        for (unsigned o = 0; o < gimple_asm_noutputs(code); ++o)
          look(TREE_VALUE(gimple_asm_output_op(code, o)));
      if (gimple_code(statement) == GIMPLE_ASM && gimple_vdef(statement))
        problem = "stores other than numbers";
      if (!is_gimple_assign(statement) || !gimple_store_p(statement) || gimple_clobber_p(statement)) continue;
      if (!is_real(TREE_TYPE(gimple_assign_lhs(statement)))) problem = "stores other than numbers";
      shape.stores.push_back(as_a<gassign*>(statement));
    }
  }
  free(body);
  return problem;
}

/// Returns how many steps later the next iteration begins, so that the counter that ends the loop is the same
/// for all PEs.
HOST_WIDE_INT ahead_of(const Shape& shape) {
  HOST_WIDE_INT ahead = 0;
  bool certain = false;
  for (const Counter& counter : shape.counters) {
    if (integer_zerop(counter.rate) || !tree_fits_shwi_p(counter.rate) || !tree_fits_shwi_p(counter.step) ||
        integer_zerop(counter.step) || tree_to_shwi(counter.rate) % tree_to_shwi(counter.step) != 0)
      continue;
    const tree name = gimple_phi_result(counter.phi);
    const bool ends = depends_on(gimple_cond_lhs(shape.condition), name) ||
                      depends_on(gimple_cond_rhs(shape.condition), name);
    if (ahead == 0 || (ends && !certain)) ahead = tree_to_shwi(counter.rate) / tree_to_shwi(counter.step);
    certain |= ends;
  }
  return ahead;
}

/// Copies the shared loop for the scalar core, unless there is a copy, and numbers the iterations.
bool prepare(Alignment& alignment, loop_p shared, tree begin) {
  if (alignment.shared == nullptr) {
    const SharedLoop copied = copy_for_scalar_core(shared);
    alignment.on_pes = copied.on_pes, alignment.scalar = copied.scalar;
    if (alignment.scalar == nullptr) return give_up(alignment), false;
    alignment.shared = shared;
  }
  if (alignment.first != NULL_TREE) return true;
  gcall* const first = build_call(Runtime::FirstIndex, {});
  alignment.first = make_ssa_name(double_type_node, first);
  gimple_call_set_lhs(first, alignment.first);
  gsi_insert_on_edge_immediate(loop_preheader_edge(shared), first);
  alignment.iteration = counted(shared, wide(begin), ssize_int(1));
  return true;
}

class Aligning {
 public:
  Aligning(Alignment& alignment, loop_p loop, const Shape& shape, HOST_WIDE_INT ahead, HOST_WIDE_INT longer)
      : alignment_(alignment), loop_(loop), shape_(shape), ahead_(ahead), longer_(longer) {}
  void rewrite(AlignedLoop& aligned);

 private:
  tree farthest(HOST_WIDE_INT slope);
  tree scaled(HOST_WIDE_INT factor);
  void count_steps();
  void find_own();
  tree chosen(gimple_stmt_iterator* before, tree yes, tree no) {
    return insert_select(before, own_, yes, no);
  }
  void keep_numbers();
  void keep_memory();
  void forget_ranges();

  Alignment& alignment_;
  loop_p loop_;
  const Shape& shape_;
  HOST_WIDE_INT ahead_, longer_;  // a and c
  tree begin_, end_;              // the steps, of all PEs
  tree steps_;                    // N(m), a number
  tree step_;                     // a number
  Predicate own_;                 // the step is the PE's own
};

/// Returns the largest product of a PE's number and `slope`.
tree Aligning::farthest(HOST_WIDE_INT slope) {
  if (slope == 0) return ssize_int(0);
  gcall* const call = build_call(Runtime::Farthest, {build_int_cst(long_integer_type_node, slope)});
  const tree result = make_ssa_name(long_integer_type_node, call);
  gimple_call_set_lhs(call, result);
  gsi_insert_on_edge_immediate(loop_preheader_edge(alignment_.shared), call);
  return wide(result);
}

/// Returns the PE's number times `factor`.
tree Aligning::scaled(HOST_WIDE_INT factor) {
  const tree result = make_ssa_name(double_type_node);
  const tree by = number(factor);
  gsi_insert_on_edge_immediate(loop_preheader_edge(alignment_.shared),
                               gimple_build_assign(result, MULT_EXPR, alignment_.first, by));
  return result;
}

/// Makes the loop end after the last PE's last step.
void Aligning::count_steps() {
  gimple_stmt_iterator at;
  bool after;
  standard_iv_increment_position(loop_, &at, &after);
  tree before, next;
  create_iv(begin_, ssize_int(1), NULL_TREE, loop_, &at, after, &before, &next);
  const bool leaves_if_true = (shape_.leaves->flags & EDGE_TRUE_VALUE) != 0;
  gimple_cond_set_condition(shape_.condition, leaves_if_true ? GE_EXPR : LT_EXPR, next, end_);
  update_stmt(shape_.condition);
  // The same as a number.
  step_ = make_ssa_name(double_type_node);
  const tree following = make_ssa_name(double_type_node), first = make_ssa_name(double_type_node);
  gimple_seq code = nullptr;
  const tree from = force_gimple_operand(unshare_expr(begin_), &code, true, NULL_TREE);
  gassign* const convert = gimple_build_assign(first, FLOAT_EXPR, from);
  alignment_.own.add(convert);
  gimple_seq_add_stmt(&code, convert);
  gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop_), code);
  gphi* const phi = create_phi_node(step_, loop_->header);
  gimple_stmt_iterator end = gsi_for_stmt(shape_.condition);
  gsi_insert_before(&end, gimple_build_assign(following, PLUS_EXPR, step_, build_one_cst(double_type_node)),
                    GSI_SAME_STMT);
  add_phi_arg(phi, first, loop_preheader_edge(loop_), UNKNOWN_LOCATION);
  add_phi_arg(phi, following, loop_latch_edge(loop_), UNKNOWN_LOCATION);
}

/// Finds what a PE compares to learn whether a step is its own.
void Aligning::find_own() {
  gimple_seq code = nullptr;
  const auto compute = [&](tree_code operation, tree a, tree b) {
    const tree result = make_ssa_name(double_type_node);
    gimple_seq_add_stmt(&code, gimple_build_assign(result, operation, a, b));
    return result;
  };
  const tree low = ahead_ != 0 ? scaled(ahead_) : NULL_TREE;
  if (ahead_ + longer_ == 0) {
    own_ = {GE_EXPR, step_, low};
    return;
  }
  const tree high = compute(PLUS_EXPR, scaled(ahead_ + longer_), steps_);
  if (ahead_ == 0) {
    own_ = {LT_EXPR, step_, high};
    gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop_), code);
    return;
  }
  // The distance from the middle is less than half of the number of steps.
  const tree ends = compute(MINUS_EXPR, compute(PLUS_EXPR, low, high), build_one_cst(double_type_node));
  const tree by_half = build_real(double_type_node, dconsthalf);
  const tree middle = compute(MULT_EXPR, ends, by_half);
  const tree half = compute(MULT_EXPR, compute(MINUS_EXPR, high, low), by_half);
  gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop_), code);
  gimple_stmt_iterator at = gsi_after_labels(loop_->header);
  const tree way = make_ssa_name(double_type_node), distance = make_ssa_name(double_type_node);
  gsi_insert_before(&at, gimple_build_assign(way, MINUS_EXPR, step_, middle), GSI_SAME_STMT);
  gsi_insert_before(&at, gimple_build_assign(distance, ABS_EXPR, way), GSI_SAME_STMT);
  own_ = {LT_EXPR, distance, half};
}

void Aligning::keep_numbers() {
  for (gphi* const phi : shape_.numbers) {
    const tree carried = gimple_phi_result(phi), next = PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop_));
    if (next == carried) continue;
    gimple_stmt_iterator end = gsi_for_stmt(shape_.condition);
    const tree kept = chosen(&end, next, carried);
    SET_PHI_ARG_DEF(phi, loop_latch_edge(loop_)->dest_idx, kept);
    if (TREE_CODE(next) != SSA_NAME) continue;
    gimple* user;
    imm_use_iterator it;
    FOR_EACH_IMM_USE_STMT(user, it, next) {
      if (is_gimple_debug(user) || flow_bb_inside_loop_p(loop_, gimple_bb(user))) continue;
      use_operand_p use;
      FOR_EACH_IMM_USE_ON_STMT(use, it) SET_USE(use, kept);
      update_stmt(user);
    }
  }
}

void Aligning::keep_memory() {
  for (gassign* const store : shape_.stores) {
    const tree place = gimple_assign_lhs(store), old = make_ssa_name(TREE_TYPE(place));
    gimple_stmt_iterator at = gsi_for_stmt(store);
    gassign* const load = gimple_build_assign(old, unshare_expr(place));
    gimple_set_location(load, gimple_location(store));
    gsi_insert_before(&at, load, GSI_SAME_STMT);
    gimple_assign_set_rhs1(store, chosen(&at, gimple_assign_rhs1(store), old));
    update_stmt(store);
  }
}

/// The ranges that gcc has found for integers do not hold in steps that are not the first PE's.
void Aligning::forget_ranges() {
  basic_block* const body = get_loop_body(loop_);
  for (unsigned i = 0; i < loop_->num_nodes; ++i) reset_flow_sensitive_info_in_bb(body[i]);
  free(body);
  loop_->any_upper_bound = loop_->any_likely_upper_bound = loop_->any_estimate = false;
  loop_->nb_iterations = NULL_TREE;
  free_numbers_of_iterations_estimates(loop_);
  scev_reset();
}

void Aligning::rewrite(AlignedLoop& aligned) {
  gimple_seq code = nullptr;
  const auto operand = [&](tree expression) {
    gimple_seq part = nullptr;
    const tree result = force_gimple_operand(unshare_expr(expression), &part, true, NULL_TREE);
    gimple_seq_add_seq(&code, part);
    return result;
  };
  const tree back = farthest(-ahead_), on = farthest(ahead_ + longer_);
  begin_ = fold_build1(NEGATE_EXPR, ssizetype, back);
  const tree steps = operand(sum(wide(shape_.latches), ssize_int(1)));
  end_ = operand(sum(steps, on));
  steps_ = make_ssa_name(double_type_node);
  gassign* const convert = gimple_build_assign(steps_, FLOAT_EXPR, steps);
  alignment_.own.add(convert);
  gimple_seq_add_stmt(&code, convert);
  aligned.passed = ssize_int(0);
  if (ahead_ != 0) {
    begin_ = operand(begin_);
    aligned.passed =
        operand(fold_build2(MINUS_EXPR, ssizetype,
                            sum(begin_, product(alignment_.iteration, ssize_int(ahead_))), aligned.lowest));
  }
  std::vector<tree> starts;
  for (const Counter& counter : shape_.counters) {
    const tree start = PHI_ARG_DEF_FROM_EDGE(counter.phi, loop_preheader_edge(loop_));
    aligned.starts.emplace_back(gimple_phi_result(counter.phi), start);
    const tree type = TREE_TYPE(start), way = product(begin_, counter.step);
    starts.push_back(ahead_ == 0 ? start
                     : POINTER_TYPE_P(type)
                         ? operand(fold_build_pointer_plus(start, fold_convert(sizetype, way)))
                         : operand(fold_convert(type, sum(wide(start), way))));
  }
  gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop_), code);
  for (std::size_t i = 0; i < starts.size(); ++i)
    SET_PHI_ARG_DEF(shape_.counters[i].phi, loop_preheader_edge(loop_)->dest_idx, starts[i]);
  count_steps();
  find_own();
  keep_numbers();
  keep_memory();
  forget_ranges();
}

}  // namespace

tree latches_where_entered(tree latches) {
  if (TREE_CODE(latches) != COND_EXPR) return latches;
  if (integer_zerop(TREE_OPERAND(latches, 1))) return TREE_OPERAND(latches, 2);
  return integer_zerop(TREE_OPERAND(latches, 2)) ? TREE_OPERAND(latches, 1) : latches;
}

tree AlignedLoop::start_of(tree counter) const {
  for (const auto& [name, start] : starts)
    if (name == counter) return start;
  return NULL_TREE;
}

const AlignedLoop* Alignment::of(loop_p loop) const {
  for (const AlignedLoop& aligned : loops)
    if (aligned.loop == loop) return &aligned;
  return nullptr;
}

bool align_loop(Alignment& alignment, loop_p shared, loop_p loop, const AffineAnalysis& affine,
                const Pieces& pieces, tree begin, tree count, std::string& reason) {
  const auto refuse = [&](const char* what) {
    reason =
        std::string("the length of an inner loop depends on the index of the shared loop, and the loop ") +
        what;
    return false;
  };
  Shape shape{};
  if (const char* const problem = shape_of(loop, affine, shared, shape)) return refuse(problem);
  tree plain = latches_where_entered(shape.latches);
  bool may_be_skipped = plain != shape.latches;
  shape.latches = plain;
  STRIP_NOPS(plain);
  if (TREE_CODE(plain) == MAX_EXPR && integer_zerop(TREE_OPERAND(plain, 1)))
    may_be_skipped = true, shape.latches = TREE_OPERAND(plain, 0);
  Affine latches;
  if (!affine.analyse(shape.latches, latches) || latches.open || latches.root != NULL_TREE ||
      latches.spread != NULL_TREE || latches.index_only || !tree_fits_shwi_p(latches.step_of(shared)))
    return refuse("does not grow linearly with it");
  const HOST_WIDE_INT longer = tree_to_shwi(latches.step_of(shared)), ahead = ahead_of(shape);
  if (may_be_skipped) {
    for (const Affine::Term& term : latches.terms)
      if (term.loop != shared && !integer_zerop(term.step)) return refuse("is sometimes not executed");
    if (longer != 0)
      alignment.keeps.push_back(
          {Runtime::Keep,
           {latches.start, ssize_int(longer), ssize_int(0), ssize_int(HOST_WIDE_INT_MAX)},
           NULL_TREE});
  }
  for (const Pieces::Call& piece : pieces.calls)
    if (piece.result != NULL_TREE) return refuse("depends on a remainder of it");
  alignment.keeps.insert(alignment.keeps.end(), pieces.calls.begin(), pieces.calls.end());
  if (!prepare(alignment, shared, begin)) return refuse("cannot be copied");
  AlignedLoop aligned{loop, ahead, latches, ssize_int(0), NULL_TREE, {}};
  const tree others = fold_build2(MINUS_EXPR, ssizetype, wide(count), ssize_int(1));
  if (ahead < 0) aligned.lowest = product(others, ssize_int(ahead));
  aligned.count.take(shared);
  // In the first of all iterations, also where the PEs begin with another.
  aligned.count.start =
      fold_build2(MINUS_EXPR, ssizetype, latches.start, product(wide(begin), ssize_int(longer)));
  if (ahead + longer > 0)
    aligned.count.start = sum(aligned.count.start, product(others, ssize_int(ahead + longer)));
  aligned.count.start = fold_build2(MINUS_EXPR, ssizetype, aligned.count.start, aligned.lowest);
  Aligning(alignment, loop, shape, ahead, longer).rewrite(aligned);
  mark_virtual_operands_for_renaming(cfun);
  update_ssa(TODO_update_ssa);
  alignment.loops.push_back(aligned);
  return true;
}

void give_up(Alignment& alignment) {
  if (alignment.on_pes == nullptr) return;
  gimple_stmt_iterator at = gsi_for_stmt(alignment.on_pes);
  gassign* const never =
      gimple_build_assign(gimple_call_lhs(alignment.on_pes), build_zero_cst(long_integer_type_node));
  unlink_stmt_vdef(alignment.on_pes);
  gsi_replace(&at, never, true);
}

tree counted(loop_p loop, tree start, tree step) {
  gimple_stmt_iterator at;
  bool after;
  standard_iv_increment_position(loop, &at, &after);
  tree value;
  create_iv(start, step, NULL_TREE, loop, &at, after, &value, nullptr);
  return value;
}

}  // namespace psim_omp
