// SPDX-License-Identifier: Apache-2.0
// Operations that PEs do not have: divisions, square roots and functions of the mathematical library become
// calls, minima and maxima selections.
#include "select.h"
#include "target_loop.h"

namespace psim_omp {
namespace {

/// fmin or fmax: the other operand if one is not a number.
void replace_extreme(gimple_stmt_iterator* at, tree_code beyond) {
  gimple* const statement = gsi_stmt(*at);
  const tree a = gimple_call_arg(statement, 0), b = gimple_call_arg(statement, 1);
  const tree chosen = insert_select(at, {beyond, a, b}, a, b);
  const tree first = insert_select(at, {UNORDERED_EXPR, a, a}, b, chosen);
  const tree last = insert_select(at, {UNORDERED_EXPR, b, b}, a, first);
  gassign* const copy = gimple_build_assign(gimple_call_lhs(statement), last);
  unlink_stmt_vdef(statement);
  gsi_replace(at, copy, true);
}

/// copysign: PEs have the logical instructions of VIS.
void replace_sign(gimple_stmt_iterator* at) {
  gimple* const statement = gsi_stmt(*at);
  const tree a = gimple_call_arg(statement, 0), b = gimple_call_arg(statement, 1);
  const tree sign_bit = fold_build1(NEGATE_EXPR, TREE_TYPE(a), build_zero_cst(TREE_TYPE(a)));
  const tree magnitude = insert_logical(at, "fandnot2", a, sign_bit);
  const tree sign = insert_logical(at, "fand", b, sign_bit);
  gassign* const copy =
      gimple_build_assign(gimple_call_lhs(statement), insert_logical(at, "for", magnitude, sign));
  unlink_stmt_vdef(statement);
  gsi_replace(at, copy, true);
}

/// x^2 and 1/x are quicker than pow, and as exact. Null: another exponent.
gcall* power_of(gimple_stmt_iterator* at, bool wide, bool& done) {
  gimple* const statement = gsi_stmt(*at);
  const tree x = gimple_call_arg(statement, 0), y = gimple_call_arg(statement, 1);
  if (TREE_CODE(y) != REAL_CST) return nullptr;
  if (real_equal(TREE_REAL_CST_PTR(y), &dconst2)) {
    gassign* const square = gimple_build_assign(gimple_call_lhs(statement), MULT_EXPR, x, x);
    gimple_set_location(square, gimple_location(statement));
    unlink_stmt_vdef(statement);
    gsi_replace(at, square, true);
    return done = true, nullptr;
  }
  if (!real_equal(TREE_REAL_CST_PTR(y), &dconstm1)) return nullptr;
  return build_call(wide ? Runtime::DivideD : Runtime::DivideS, {build_one_cst(TREE_TYPE(x)), x});
}

/// Returns the runtime's call for one of the mathematical library; null: there is none.
gcall* call_of_library(gimple* statement, bool wide) {
#define NAMES(FUNCTION) \
  { CFN_BUILT_IN_##FUNCTION, CFN_BUILT_IN_##FUNCTION##F, CFN_##FUNCTION }
#define NO_INTERNAL(FUNCTION) \
  { CFN_BUILT_IN_##FUNCTION, CFN_BUILT_IN_##FUNCTION##F, CFN_BUILT_IN_##FUNCTION }
  struct Function {
    combined_fn names[3];
    Runtime wide;  // that of float follows
  };
  constexpr Function kFunctions[] = {
      {NAMES(FLOOR), Runtime::FloorD},     {NAMES(CEIL), Runtime::CeilD},
      {NAMES(TRUNC), Runtime::TruncD},     {NAMES(ROUND), Runtime::RoundD},
      {NAMES(RINT), Runtime::RintD},       {NAMES(NEARBYINT), Runtime::RintD},
      {NAMES(EXP), Runtime::ExpD},         {NAMES(LOG), Runtime::LogD},
      {NAMES(SIN), Runtime::SinD},         {NAMES(COS), Runtime::CosD},
      {NAMES(EXP2), Runtime::Exp2D},       {NAMES(LOG2), Runtime::Log2D},
      {NAMES(LOG10), Runtime::Log10D},     {NAMES(EXPM1), Runtime::Expm1D},
      {NAMES(LOG1P), Runtime::Log1pD},     {NAMES(SINH), Runtime::SinhD},
      {NAMES(COSH), Runtime::CoshD},       {NAMES(TANH), Runtime::TanhD},
      {NO_INTERNAL(CBRT), Runtime::CbrtD}, {NAMES(TAN), Runtime::TanD},
      {NAMES(ASIN), Runtime::AsinD},       {NAMES(ACOS), Runtime::AcosD},
      {NAMES(ATAN), Runtime::AtanD},       {NO_INTERNAL(ERF), Runtime::ErfD},
      {NO_INTERNAL(ERFC), Runtime::ErfcD}, {NAMES(POW), Runtime::PowD},
      {NAMES(HYPOT), Runtime::HypotD},     {NAMES(ATAN2), Runtime::Atan2D},
      {NAMES(FMOD), Runtime::FmodD},       {NO_INTERNAL(POWI), Runtime::PowiD}};
#undef NAMES
#undef NO_INTERNAL
  for (const Function& function : kFunctions)
    for (const combined_fn name : function.names)
      if (gimple_call_combined_fn(statement) == name) {
        const Runtime which = static_cast<Runtime>(static_cast<int>(function.wide) + !wide);
        if (gimple_call_num_args(statement) == 1) return build_call(which, {gimple_call_arg(statement, 0)});
        return build_call(which, {gimple_call_arg(statement, 0), gimple_call_arg(statement, 1)});
      }
  return nullptr;
}

}  // namespace

void replace_operations(function* fun) {
  basic_block bb;
  FOR_EACH_BB_FN(bb, fun)
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
    gimple* const statement = gsi_stmt(at);
    const tree result = gimple_get_lhs(statement);
    if (result == NULL_TREE || TREE_CODE(result) != SSA_NAME || !is_real(TREE_TYPE(result))) continue;
    const bool wide = is_double(TREE_TYPE(result));
    gcall* call = nullptr;
    if (is_gimple_assign(statement)) {
      const tree a = gimple_assign_rhs1(statement), b = gimple_assign_rhs2(statement);
      switch (gimple_assign_rhs_code(statement)) {
        case RDIV_EXPR:
          call = build_call(wide ? Runtime::DivideD : Runtime::DivideS, {a, b});
          break;
        case MIN_EXPR:
        case MAX_EXPR: {
          const Predicate p{gimple_assign_rhs_code(statement) == MIN_EXPR ? LT_EXPR : GT_EXPR, a, b};
          const tree selected = insert_select(&at, p, a, b);
          gimple_assign_set_rhs_from_tree(&at, selected);
          update_stmt(gsi_stmt(at));
          continue;
        }
        default:
          continue;
      }
    } else if (is_gimple_call(statement)) {
      switch (gimple_call_combined_fn(statement)) {
        case CFN_BUILT_IN_SQRT:
        case CFN_BUILT_IN_SQRTF:
        case CFN_SQRT:
          call = build_call(wide ? Runtime::RootD : Runtime::RootS, {gimple_call_arg(statement, 0)});
          break;
        case CFN_BUILT_IN_FMIN:
        case CFN_BUILT_IN_FMINF:
        case CFN_FMIN:
          replace_extreme(&at, UNLT_EXPR);
          continue;
        case CFN_BUILT_IN_FMAX:
        case CFN_BUILT_IN_FMAXF:
        case CFN_FMAX:
          replace_extreme(&at, UNGT_EXPR);
          continue;
        case CFN_BUILT_IN_COPYSIGN:
        case CFN_BUILT_IN_COPYSIGNF:
        case CFN_COPYSIGN:
          replace_sign(&at);
          continue;
        case CFN_BUILT_IN_POW:
        case CFN_BUILT_IN_POWF:
        case CFN_POW: {
          bool done = false;
          call = power_of(&at, wide, done);
          if (done) continue;
          if (call == nullptr) call = call_of_library(statement, wide);
          break;
        }
        default:
          call = call_of_library(statement, wide);
          break;
      }
    }
    if (call == nullptr) continue;
    gimple_call_set_lhs(call, result);
    gimple_set_location(call, gimple_location(statement));
    unlink_stmt_vdef(statement);
    gsi_replace(&at, call, true);
  }
}

}  // namespace psim_omp
