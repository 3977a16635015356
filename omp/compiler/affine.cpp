// SPDX-License-Identifier: Apache-2.0
// gcc's own scalar evolutions are not used: where a stride is a variable, they guard against overflow by
// unsigned arithmetic that they then cannot look through, which hits every Fortran array of assumed shape.
#include "affine.h"

#include <algorithm>

#include "alignment.h"

namespace psim_omp {

namespace {

constexpr unsigned kDeepest = 40;
constexpr HOST_WIDE_INT kSmall =
    1 << 10;  // a step by which 32 bits do not wrap in loops of a simulated program

/// Unsigned ints above the largest int stand for negative numbers, as in i + 4294967295.
Affine constant(tree value) {
  if (TREE_CODE(value) == INTEGER_CST && TYPE_UNSIGNED(TREE_TYPE(value)))
    value = fold_convert(signed_type_for(TREE_TYPE(value)), value);
  return {wide(value), NULL_TREE, {}};
}

bool within(tree value, HOST_WIDE_INT least, HOST_WIDE_INT most) {
  return tree_fits_shwi_p(value) && tree_to_shwi(value) >= least && tree_to_shwi(value) <= most;
}

/// True if the value is a number of iterations, or consists of such and of small constants by sums and
/// products.
bool never_negative(tree value, unsigned depth = 0) {
  if (depth > kDeepest) return false;
  if (TREE_CODE(value) == INTEGER_CST) return within(value, 0, kSmall - 1);
  tree_code code = TREE_CODE(value);
  tree a, b = NULL_TREE;
  if (code == SSA_NAME) {
    gimple* const def = SSA_NAME_DEF_STMT(value);
    if (calls(def, Runtime::Begin)) return true;
    const gassign* const assign = dyn_cast<gassign*>(def);
    if (assign == nullptr) return false;
    // The first index of a team's share; the shared loop's own index does not wrap.
    if (gimple_assign_load_p(assign) && TREE_CODE(gimple_assign_rhs1(assign)) == COMPONENT_REF)
      return DECL_NAME(TREE_OPERAND(gimple_assign_rhs1(assign), 1)) == NULL_TREE;
    code = gimple_assign_rhs_code(assign), a = gimple_assign_rhs1(assign), b = gimple_assign_rhs2(assign);
  } else if (CONVERT_EXPR_P(value) || code == PLUS_EXPR || code == MULT_EXPR) {
    a = TREE_OPERAND(value, 0);
    if (!CONVERT_EXPR_P(value)) b = TREE_OPERAND(value, 1);
  } else {
    return false;
  }
  if (code == SSA_NAME || code == INTEGER_CST || CONVERT_EXPR_CODE_P(code))
    return never_negative(a, depth + 1);
  return (code == PLUS_EXPR || code == MULT_EXPR) && never_negative(a, depth + 1) &&
         never_negative(b, depth + 1);
}

/// Returns the pointer from which the address is computed before the loop.
tree origin(tree pointer) {
  for (unsigned i = 0; i < kDeepest && TREE_CODE(pointer) == SSA_NAME; ++i) {
    const gassign* const def = dyn_cast<gassign*>(SSA_NAME_DEF_STMT(pointer));
    if (def == nullptr) return pointer;
    const tree_code code = gimple_assign_rhs_code(def);
    const tree from = gimple_assign_rhs1(def);
    if (code == ADDR_EXPR) {
      const tree base = get_base_address(TREE_OPERAND(from, 0));
      if (base == NULL_TREE || TREE_CODE(base) != MEM_REF) return base;
      pointer = TREE_OPERAND(base, 0);
    } else if ((code == POINTER_PLUS_EXPR || code == SSA_NAME || CONVERT_EXPR_CODE_P(code)) &&
               POINTER_TYPE_P(TREE_TYPE(from))) {
      pointer = from;
    } else {
      return pointer;
    }
  }
  return pointer;
}

/// True if no step is far from 0.
bool small_steps(const Affine& value) {
  for (const Affine::Term& term : value.terms)
    if (!within(term.step, 1 - kSmall, kSmall - 1)) return false;
  return true;
}

}  // namespace

bool Affine::add(const Affine& other) {
  if (root != NULL_TREE && other.root != NULL_TREE) return false;
  if (other.root != NULL_TREE) root = other.root;
  start = sum(start, other.start);
  open |= other.open;
  wraps |= other.wraps;
  index_only |= other.index_only;
  if (other.spread != NULL_TREE) spread = spread ? sum(spread, other.spread) : other.spread;
  for (const Term& term : other.terms) {
    bool found = false;
    for (Term& own : terms)
      if (own.loop == term.loop) own.step = sum(own.step, term.step), found = true;
    if (!found) terms.push_back(term);
  }
  return true;
}

bool Affine::multiply(tree factor, bool other_open) {
  if (root != NULL_TREE) return false;
  open |= other_open;
  start = product(start, factor);
  for (Term& term : terms) term.step = product(term.step, factor);
  if (spread != NULL_TREE) {
    const tree way = product(spread, factor);
    start = sum(start, fold_build2(MIN_EXPR, ssizetype, way, ssize_int(0)));
    spread = fold_build2(MAX_EXPR, ssizetype, way, fold_build1(NEGATE_EXPR, ssizetype, way));
  }
  return true;
}

tree Affine::take(loop_p loop) {
  const tree step = step_of(loop);
  terms.erase(std::remove_if(terms.begin(), terms.end(), [&](const Term& term) { return term.loop == loop; }),
              terms.end());
  return step;
}

tree Affine::step_of(loop_p loop) const {
  for (const Term& term : terms)
    if (term.loop == loop) return term.step;
  return ssize_int(0);
}

bool may_wrap(const Affine& value, tree type) {
  if (!value.wraps && !TYPE_UNSIGNED(type)) return false;
  if (value.open) return true;
  if (value.spread != NULL_TREE && !within(value.spread, HOST_WIDE_INT_MIN, kSmall - 1)) return true;
  for (const Affine::Term& term : value.terms)
    if (!within(term.step, TYPE_UNSIGNED(type) ? 0 : -kSmall, kSmall - 1)) return true;
  return TYPE_UNSIGNED(type) && !never_negative(value.start);
}

bool AffineAnalysis::invariant(tree expression) const {
  struct Look {
    const AffineAnalysis* self;
    bool good;
  } look{this, expression != NULL_TREE};
  if (look.good)
    walk_tree_without_duplicates(
        &expression,
        [](tree* at, int*, void* data) -> tree {
          auto* const look = static_cast<Look*>(data);
          if (TREE_CODE(*at) == SSA_NAME && !SSA_NAME_IS_DEFAULT_DEF(*at) &&
              gimple_bb(SSA_NAME_DEF_STMT(*at)))
            look->good &= dominated_by_p(CDI_DOMINATORS, loop_preheader_edge(look->self->shared_)->src,
                                         gimple_bb(SSA_NAME_DEF_STMT(*at)));
          else if (TREE_CODE(*at) == POLYNOMIAL_CHREC || TREE_CODE(*at) == SCEV_NOT_KNOWN)
            look->good = false;
          return NULL_TREE;
        },
        &look);
  return look.good;
}

bool AffineAnalysis::analyse(tree expression, Affine& result, unsigned depth) const {
  const tree type = TREE_TYPE(expression);
  if (depth > kDeepest || type == NULL_TREE || (!INTEGRAL_TYPE_P(type) && !POINTER_TYPE_P(type)))
    return false;
  if (TREE_CODE(expression) == SSA_NAME) return analyse_name(expression, result, depth + 1);
  if (TREE_CODE(expression) == INTEGER_CST) return result = constant(expression), true;
  if (TREE_CODE(expression) == ADDR_EXPR)
    return analyse_address(TREE_OPERAND(expression, 0), result, depth + 1);
  if (CONVERT_EXPR_P(expression) || BINARY_CLASS_P(expression) || TREE_CODE(expression) == NEGATE_EXPR)
    return analyse_operation(TREE_CODE(expression), TREE_TYPE(expression), TREE_OPERAND(expression, 0),
                             BINARY_CLASS_P(expression) ? TREE_OPERAND(expression, 1) : NULL_TREE, result,
                             depth + 1);
  return false;
}

bool AffineAnalysis::analyse_name(tree name, Affine& result, unsigned depth) const {
  if (analyse_definition(name, result, depth)) return true;
  // A value that does not depend on the shared counter is the same for all PEs. A pointer of that kind is
  // refused, since its array is not known.
  if (moving_.contains(name) || POINTER_TYPE_P(TREE_TYPE(name))) return false;
  result = {ssize_int(0), NULL_TREE, {}};
  result.open = true;
  return true;
}

bool AffineAnalysis::analyse_definition(tree name, Affine& result, unsigned depth) const {
  gimple* const def = SSA_NAME_DEF_STMT(name);
  const basic_block bb = gimple_bb(def);
  if (SSA_NAME_IS_DEFAULT_DEF(name) || bb == nullptr || !flow_bb_inside_loop_p(shared_, bb)) {
    if (!invariant(name)) return false;
    result = constant(name);
    if (POINTER_TYPE_P(TREE_TYPE(name))) result.root = origin(name);
    return true;
  }
  if (gphi* const phi = dyn_cast<gphi*>(def))
    return bb == bb->loop_father->header && analyse_counter(phi, result, depth);
  const gassign* const assign = dyn_cast<gassign*>(def);
  if (assign == nullptr || gimple_assign_load_p(assign)) return false;
  const tree_code code = gimple_assign_rhs_code(assign);
  if (code == SSA_NAME || code == INTEGER_CST || code == ADDR_EXPR)
    return analyse(gimple_assign_rhs1(assign), result, depth);
  if (analyse_operation(code, TREE_TYPE(name), gimple_assign_rhs1(assign), gimple_assign_rhs2(assign), result,
                        depth))
    return true;
  return moving_.contains(name) && analyse_piece(const_cast<gassign*>(assign), result, depth);
}

/// A remainder, minimum or maximum of the shared counter is linear in a part of the iterations.
bool AffineAnalysis::analyse_piece(gassign* assign, Affine& result, unsigned depth) const {
  const tree name = gimple_assign_lhs(assign), type = TREE_TYPE(name);
  const tree_code code = gimple_assign_rhs_code(assign);
  tree moved = gimple_assign_rhs1(assign), other = gimple_assign_rhs2(assign);
  if (!INTEGRAL_TYPE_P(type) || TYPE_PRECISION(type) < 32 ||
      (code != TRUNC_MOD_EXPR && code != BIT_AND_EXPR && code != MIN_EXPR && code != MAX_EXPR))
    return false;
  if ((code == MIN_EXPR || code == MAX_EXPR) && invariant(moved)) std::swap(moved, other);
  result = {};
  if (!invariant(other) || !analyse(moved, result, depth) || result.open || result.index_only ||
      result.root != NULL_TREE || result.spread != NULL_TREE || result.terms.size() != 1 ||
      result.terms[0].loop != shared_)
    return false;
  const tree step = result.terms[0].step;
  const tree start =
      TYPE_UNSIGNED(type) ? wide(fold_convert(signed_type_for(type), result.start)) : result.start;
  if (tree* const known = pieces_.shifts.get(name)) {
    result.start = sum(start, *known);
    result.wraps = false;
    return true;
  }
  tree shift = ssize_int(0);
  if (code == TRUNC_MOD_EXPR || code == BIT_AND_EXPR) {
    tree modulus = wide(other);
    if (code == BIT_AND_EXPR) {
      if (!within(modulus, 1, HOST_WIDE_INT_MAX) ||
          (tree_to_shwi(modulus) & (tree_to_shwi(modulus) + 1)) != 0)
        return false;
      modulus = ssize_int(tree_to_shwi(modulus) + 1);
    }
    shift = make_ssa_name(ssizetype, gimple_build_nop());  // the call follows when all are known
    const bool negative = code == TRUNC_MOD_EXPR && !TYPE_UNSIGNED(type);
    pieces_.calls.push_back({Runtime::Wrap, {start, step, modulus, ssize_int(negative)}, shift});
  } else {
    if (TYPE_UNSIGNED(type)) return false;
    const tree least = ssize_int(HOST_WIDE_INT_MIN), most = ssize_int(HOST_WIDE_INT_MAX), limit = wide(other);
    pieces_.calls.push_back(
        {Runtime::Keep,
         {start, step, code == MAX_EXPR ? limit : least, code == MAX_EXPR ? most : sum(limit, ssize_int(1))},
         NULL_TREE});
  }
  pieces_.shifts.put(name, shift);
  result.start = sum(start, shift);
  result.wraps = false;
  return true;
}

bool AffineAnalysis::analyse_counter(gphi* phi, Affine& result, unsigned depth) const {
  const loop_p loop = gimple_bb(phi)->loop_father;
  if (gimple_phi_num_args(phi) != 2) return false;
  const tree carried = gimple_phi_result(phi);
  tree next = PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop));
  tree step = ssize_int(0);
  for (unsigned i = 0; next != carried; ++i) {
    const gassign* const def =
        TREE_CODE(next) == SSA_NAME ? dyn_cast<gassign*>(SSA_NAME_DEF_STMT(next)) : nullptr;
    if (def == nullptr || i > 8) return false;
    const tree_code code = gimple_assign_rhs_code(def);
    if (code == PLUS_EXPR || code == POINTER_PLUS_EXPR || code == MINUS_EXPR) {
      const tree by = gimple_assign_rhs2(def);
      if (!invariant(by)) return false;
      tree signed_by = by;
      if (TYPE_UNSIGNED(TREE_TYPE(by)))  // an unsigned step of -1 is a step down
        signed_by = fold_convert(signed_type_for(TREE_TYPE(by)), by);
      step = fold_build2(code == MINUS_EXPR ? MINUS_EXPR : PLUS_EXPR, ssizetype, step, wide(signed_by));
    } else if (code != SSA_NAME &&
               !(CONVERT_EXPR_CODE_P(code) &&
                 TYPE_PRECISION(TREE_TYPE(next)) == TYPE_PRECISION(TREE_TYPE(gimple_assign_rhs1(def))))) {
      return false;
    }
    next = gimple_assign_rhs1(def);
  }
  const AlignedLoop* const aligned = alignment_.of(loop);
  tree start = aligned ? aligned->start_of(carried) : NULL_TREE;
  const bool shifted = start != NULL_TREE && aligned->ahead != 0;
  if (start == NULL_TREE) start = PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(loop));
  if (!analyse(start, result, depth)) return false;
  if (shifted) {
    const tree ahead = product(step, ssize_int(aligned->ahead));
    if (!result.add({product(step, aligned->lowest),
                     NULL_TREE,
                     {{shared_, fold_build1(NEGATE_EXPR, ssizetype, ahead)}}}))
      return false;
  }
  return result.add({ssize_int(0), NULL_TREE, {{loop, step}}});
}

bool AffineAnalysis::analyse_operation(tree_code code, tree type, tree a, tree b, Affine& result,
                                       unsigned depth) const {
  if (CONVERT_EXPR_CODE_P(code)) {
    const tree from = TREE_TYPE(a);
    if (!INTEGRAL_TYPE_P(from) && !POINTER_TYPE_P(from)) return false;
    if (TYPE_PRECISION(type) < TYPE_PRECISION(from)) return false;
    if (!analyse(a, result, depth)) return false;
    if (TYPE_PRECISION(type) == TYPE_PRECISION(from) || !TYPE_UNSIGNED(from)) return true;
    // An unsigned int that becomes wider may have wrapped, by the numbers from which it is computed. Its
    // value in the first iteration is computed before the loop. As an address it does not wrap in later ones,
    // because an array has fewer elements than that.
    const bool wraps = may_wrap(result, from);
    const bool single = result.terms.empty() && !result.open && result.spread == NULL_TREE;
    const bool index =
        TYPE_PRECISION(from) == 32 && !result.open && result.spread == NULL_TREE && small_steps(result);
    if (result.root == NULL_TREE) result.start = wide(fold_convert(from, result.start));
    if (!single && index) result.index_only |= wraps;
    return single || index || !wraps;
  }
  if (!analyse(a, result, depth)) return false;
  if (INTEGRAL_TYPE_P(type) && TYPE_UNSIGNED(type)) result.wraps = true;
  if (code == NEGATE_EXPR) return result.multiply(ssize_int(-1));
  if (b == NULL_TREE) return false;
  Affine other;
  if (!analyse(b, other, depth)) return false;
  switch (code) {
    case MINUS_EXPR:
      return other.multiply(ssize_int(-1)) && result.add(other);
    case PLUS_EXPR:
    case POINTER_PLUS_EXPR:
      return result.add(other);
    case MULT_EXPR:
      if (!other.terms.empty()) std::swap(result, other);
      return other.terms.empty() && other.root == NULL_TREE && other.spread == NULL_TREE &&
             !(other.open && !result.terms.empty()) && result.multiply(other.start, other.open);
    case LSHIFT_EXPR:
      if (TREE_CODE(other.start) != INTEGER_CST || !other.terms.empty() || other.open) return false;
      return result.multiply(fold_build2(LSHIFT_EXPR, ssizetype, ssize_int(1), other.start));
    case TRUNC_DIV_EXPR:
    case TRUNC_MOD_EXPR:
    case RSHIFT_EXPR:
    case BIT_AND_EXPR:
      return analyse_rounding(code, type, Affine(result), b, result);
    default:
      return false;
  }
}

/// Finds the range of a quotient, a remainder or some bits of an integer that is the same for all PEs.
bool AffineAnalysis::analyse_rounding(tree_code code, tree type, const Affine& value, tree by,
                                      Affine& result) const {
  if (value.index_only || !integer_zerop(value.step_of(shared_)) || value.root != NULL_TREE ||
      TREE_CODE(by) != INTEGER_CST || !within(by, 1, kSmall))
    return false;
  const HOST_WIDE_INT number = tree_to_shwi(by);
  result = {};
  if (code == TRUNC_MOD_EXPR || code == BIT_AND_EXPR) {
    const HOST_WIDE_INT most = code == BIT_AND_EXPR ? number : number - 1;
    bool positive =
        code == BIT_AND_EXPR || TYPE_UNSIGNED(type) || (!value.open && never_negative(value.start));
    if (code != BIT_AND_EXPR && !TYPE_UNSIGNED(type))
      for (const Affine::Term& term : value.terms) positive &= within(term.step, 0, HOST_WIDE_INT_MAX);
    result.start = ssize_int(0), result.spread = ssize_int(most);
    return positive;
  }
  if (value.open || may_wrap(value, type)) return false;
  tree low = value.start, high = value.spread ? sum(value.start, value.spread) : value.start;
  for (const Affine::Term& term : value.terms) {
    const tree count = number_of_latch_executions(term.loop);
    if (count == NULL_TREE || !invariant(count) || alignment_.of(term.loop) != nullptr) return false;
    const tree way = product(term.step, fold_build2(MAX_EXPR, ssizetype, wide(count), ssize_int(0)));
    low = sum(low, fold_build2(MIN_EXPR, ssizetype, way, ssize_int(0)));
    high = sum(high, fold_build2(MAX_EXPR, ssizetype, way, ssize_int(0)));
  }
  result.start = fold_build2(code, ssizetype, low, wide(by));
  result.spread =
      fold_build2(MINUS_EXPR, ssizetype, fold_build2(code, ssizetype, high, wide(by)), result.start);
  return true;
}

bool AffineAnalysis::analyse_address(tree reference, Affine& result, unsigned depth) const {
  poly_int64 bits, position;
  tree offset;
  machine_mode mode;
  int is_unsigned, reversed, is_volatile;
  const tree base =
      get_inner_reference(reference, &bits, &position, &offset, &mode, &is_unsigned, &reversed, &is_volatile);
  HOST_WIDE_INT whole;
  if (!position.is_constant(&whole) || whole % BITS_PER_UNIT != 0) return false;
  if (TREE_CODE(base) == MEM_REF) {
    if (!analyse(TREE_OPERAND(base, 0), result, depth)) return false;
    if (!result.add(constant(TREE_OPERAND(base, 1)))) return false;
  } else if (DECL_P(base)) {
    result = {wide(build_fold_addr_expr(base)), base, {}};
  } else {
    return false;
  }
  if (!result.add(constant(ssize_int(whole / BITS_PER_UNIT)))) return false;
  if (offset == NULL_TREE) return true;
  Affine more;
  return analyse(offset, more, depth) && result.add(more);
}

}  // namespace psim_omp
