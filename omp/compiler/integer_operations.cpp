// SPDX-License-Identifier: Apache-2.0
#include "integer_operations.h"

#include "select.h"
#include "target_loop.h"

namespace psim_omp {
namespace {

constexpr int kMostShift = 31;
constexpr HOST_WIDE_INT kExactFactor = 1 << 21;  // whose product with 32 bits a double has

/// Returns 2^exponent.
tree power(int exponent) {
  REAL_VALUE_TYPE real;
  real_2expN(&real, exponent, DFmode);
  return build_real(double_type_node, real);
}

bool wraps(tree type) { return TYPE_UNSIGNED(type) || TYPE_OVERFLOW_WRAPS(type); }

}  // namespace

bool IntegerOperations::can(tree_code code, tree type, tree b) {
  const bool constant = b != NULL_TREE && TREE_CODE(b) == INTEGER_CST && tree_fits_shwi_p(b);
  const bool wide = TYPE_PRECISION(type) == 64;  // indices: counters are far below 2^53
  if (TYPE_PRECISION(type) < 32 && (code == NEGATE_EXPR || code == ABS_EXPR || code == LSHIFT_EXPR))
    return false;
  switch (code) {
    case PLUS_EXPR:
    case MINUS_EXPR:
    case NEGATE_EXPR:
      return !wide || !TYPE_UNSIGNED(type) || code == PLUS_EXPR;
    case MULT_EXPR:
      return !wide || !constant || abs_hwi(tree_to_shwi(b)) < kExactFactor;
    case TRUNC_DIV_EXPR:
    case TRUNC_MOD_EXPR:
      return !wide || (constant && tree_to_shwi(b) > 0 && tree_to_shwi(b) < kExactFactor);
    case BIT_AND_EXPR:
    case BIT_IOR_EXPR:
    case BIT_XOR_EXPR:
      return true;
    case LSHIFT_EXPR:
    case RSHIFT_EXPR:
      return constant && tree_to_shwi(b) >= 0 && tree_to_shwi(b) <= kMostShift &&
             (code == RSHIFT_EXPR || !wide);
    case BIT_NOT_EXPR:
    case ABS_EXPR:
    case MIN_EXPR:
    case MAX_EXPR:
      return !wide;
    default:
      return false;
  }
}

tree IntegerOperations::binary(tree_code code, tree a, tree b) {
  const tree result = make_ssa_name(double_type_node);
  gsi_insert_before(before_, gimple_build_assign(result, code, a, b), GSI_SAME_STMT);
  return result;
}

/// Inserts an instruction whose operands and result are in floating-point registers.
tree IntegerOperations::instruction(const char* text, tree type, tree a, tree b) {
  const auto constraint = [](tree of) { return TYPE_MODE(of) == DFmode ? "e" : "f"; };
  const auto named = [&](tree value) {
    if (TREE_CODE(value) == SSA_NAME) return value;
    const tree name = make_ssa_name(TREE_TYPE(value));
    gsi_insert_before(before_, gimple_build_assign(name, value), GSI_SAME_STMT);
    return name;
  };
  const tree result = make_ssa_name(type);
  vec<tree, va_gc>*inputs = nullptr, *out = nullptr;
  vec_safe_push(out, operand(TYPE_MODE(type) == DFmode ? "=e" : "=f", result));
  vec_safe_push(inputs, operand(constraint(TREE_TYPE(a)), named(a)));
  if (b != NULL_TREE) vec_safe_push(inputs, operand(constraint(TREE_TYPE(b)), named(b)));
  gasm* const statement = gimple_build_asm_vec(text, inputs, out, nullptr, nullptr);
  SSA_NAME_DEF_STMT(result) = statement;
  gsi_insert_before(before_, statement, GSI_SAME_STMT);
  return result;
}

tree IntegerOperations::logical(const char* text, tree a, tree b) {
  const tree first = instruction("fdtox\t%1, %0", double_type_node, a),
             second = instruction("fdtox\t%1, %0", double_type_node, b);
  return instruction("fxtod\t%1, %0", double_type_node, instruction(text, double_type_node, first, second));
}

tree IntegerOperations::wrapped(tree x, tree type) {
  const int bits = TYPE_PRECISION(type);
  const tree whole = instruction("fdtox\t%1, %0", double_type_node, x);
  const tree low =
      instruction("fand\t%1, %2, %0", double_type_node, whole, with_bits((HOST_WIDE_INT_1U << bits) - 1));
  const tree positive = instruction("fxtod\t%1, %0", double_type_node, low);
  if (TYPE_UNSIGNED(type)) return positive;
  return insert_select(before_, {GE_EXPR, positive, power(bits - 1)},
                       binary(MINUS_EXPR, positive, power(bits)), positive);
}

/// Returns a mask without the upper bits that an integer of the type has at the beginning of a word.
static tree rest_of_word(tree type) { return with_bits(HOST_WIDE_INT_M1U >> TYPE_PRECISION(type)); }

tree IntegerOperations::narrow_loaded(tree address, tree place, location_t where) {
  const tree type = TREE_TYPE(place), first = make_ssa_name(ptr_type_node),
             rotated = make_ssa_name(double_type_node), word_address = make_ssa_name(long_integer_type_node);
  gsi_insert_before(before_, gimple_build_assign(first, NOP_EXPR, address), GSI_SAME_STMT);
  vec<tree, va_gc>*inputs = nullptr, *out = nullptr;
  vec_safe_push(out, operand("=&e", rotated));
  vec_safe_push(out, operand("=&r", word_address));
  vec_safe_push(inputs, operand("r", first));
  TREE_OPERAND(place, 0) = first;
  vec_safe_push(inputs, operand("m", place));
  gasm* const load =
      gimple_build_asm_vec("alignaddr\t%2, %%g0, %1\n\tldda\t[%1] 0x82, %0\n\tfaligndata\t%0, %0, %0", inputs,
                           out, nullptr, nullptr);
  gimple_set_location(load, where);
  SSA_NAME_DEF_STMT(rotated) = SSA_NAME_DEF_STMT(word_address) = load;
  gsi_insert_before(before_, load, GSI_SAME_STMT);
  const tree alone = instruction("fandnot2\t%1, %2, %0", double_type_node, rotated, rest_of_word(type));
  const tree value = binary(MULT_EXPR, instruction("fxtod\t%1, %0", double_type_node, alone),
                            power(static_cast<int>(TYPE_PRECISION(type)) - 64));
  if (!TYPE_UNSIGNED(type)) return value;
  return insert_select(before_, {LT_EXPR, value, number(0)},
                       binary(PLUS_EXPR, value, power(TYPE_PRECISION(type))), value);
}

void IntegerOperations::narrow_store(tree x, tree address, tree place, location_t where) {
  const tree type = TREE_TYPE(place), first = make_ssa_name(ptr_type_node);
  const int bits = TYPE_PRECISION(type);
  if (TYPE_UNSIGNED(type))
    x = insert_select(before_, {GE_EXPR, x, power(bits - 1)}, binary(MINUS_EXPR, x, power(bits)), x);
  const tree own = instruction("fdtox\t%1, %0", double_type_node, binary(MULT_EXPR, x, power(64 - bits)));
  const tree rest = make_ssa_name(double_type_node);
  gsi_insert_before(before_, gimple_build_assign(rest, rest_of_word(type)), GSI_SAME_STMT);
  gsi_insert_before(before_, gimple_build_assign(first, NOP_EXPR, address), GSI_SAME_STMT);
  vec<tree, va_gc>*inputs = nullptr, *out = nullptr;
  const tree word = make_ssa_name(double_type_node), own_part = make_ssa_name(double_type_node),
             word_address = make_ssa_name(long_integer_type_node);
  vec_safe_push(out, operand("=&e", word));
  vec_safe_push(out, operand("=&e", own_part));
  vec_safe_push(out, operand("=&r", word_address));
  TREE_OPERAND(place, 0) = first;
  vec_safe_push(out, operand("=m", place));
  vec_safe_push(inputs, operand("r", first));
  vec_safe_push(inputs, operand("e", own));
  vec_safe_push(inputs, operand("e", rest));
  vec_safe_push(inputs, operand("m", unshare_expr(place)));  // a store before it to this place is needed
  gasm* const store = gimple_build_asm_vec(
      "alignaddrl\t%4, %%g0, %2\n\tfaligndata\t%6, %6, %1\n\tldd\t[%2], %0\n\tfand\t%0, %1, %0\n\t"
      "faligndata\t%5, %5, %1\n\tfor\t%0, %1, %0\n\tstd\t%0, [%2]",
      inputs, out, nullptr, nullptr);
  gimple_set_location(store, where);
  SSA_NAME_DEF_STMT(word) = SSA_NAME_DEF_STMT(own_part) = SSA_NAME_DEF_STMT(word_address) = store;
  gsi_insert_before(before_, store, GSI_SAME_STMT);
}

tree IntegerOperations::truncated(tree x, tree type) {
  if (TYPE_PRECISION(type) == 64)
    return instruction("fxtod\t%1, %0", double_type_node, instruction("fdtox\t%1, %0", double_type_node, x));
  if (TYPE_UNSIGNED(type)) return wrapped(x, type);
  return instruction("fitod\t%1, %0", double_type_node, instruction("fdtoi\t%1, %0", float_type_node, x));
}

tree IntegerOperations::bits_of(tree x, tree type) {
  if (TYPE_UNSIGNED(type))
    x = insert_select(before_, {GE_EXPR, x, power(31)}, binary(MINUS_EXPR, x, power(32)), x);
  return instruction("fdtoi\t%1, %0", float_type_node, x);
}

tree IntegerOperations::value_of(tree bits, tree type) {
  const tree value = instruction("fitod\t%1, %0", double_type_node, bits);
  if (!TYPE_UNSIGNED(type)) return value;
  return insert_select(before_, {LT_EXPR, value, number(0)}, binary(PLUS_EXPR, value, power(32)), value);
}

tree IntegerOperations::of_boolean(tree condition) {
  const tree result = make_ssa_name(double_type_node);
  const tree test = build2(NE_EXPR, boolean_type_node, condition, build_zero_cst(TREE_TYPE(condition)));
  gsi_insert_before(before_, gimple_build_assign(result, COND_EXPR, test, number(1), number(0)),
                    GSI_SAME_STMT);
  return result;
}

tree IntegerOperations::without_sign_of_zero(tree x) { return binary(PLUS_EXPR, x, number(0)); }

tree IntegerOperations::of_index(tree index) {
  const tree result = make_ssa_name(double_type_node);
  gsi_insert_before(before_, gimple_build_assign(result, FLOAT_EXPR, index), GSI_SAME_STMT);
  return result;
}

/// (|a| + 1/2) (1/|b|) is at least 1/(2 |b|) away from the next integer, which is more than both products'
/// roundings.
tree IntegerOperations::quotient(tree type, tree a, tree b, tree by) {
  const bool positive = TYPE_UNSIGNED(type);
  tree size = a, divisor = b;
  const auto magnitude = [&](tree x) {
    const tree result = make_ssa_name(double_type_node);
    gsi_insert_before(before_, gimple_build_assign(result, ABS_EXPR, x), GSI_SAME_STMT);
    return result;
  };
  if (!positive) size = magnitude(a), divisor = TREE_CODE(b) == REAL_CST ? b : magnitude(b);
  tree inverse;
  if (TREE_CODE(by) == INTEGER_CST && !integer_zerop(by)) {
    REAL_VALUE_TYPE real = real_value_abs(TREE_REAL_CST_PTR(b));
    real_arithmetic(&real, RDIV_EXPR, &dconst1, &real);
    REAL_VALUE_TYPE rounded;
    real_convert(&rounded, DFmode, &real);
    inverse = build_real(double_type_node, rounded);
  } else {
    gcall* const call = build_call(Runtime::DivideD, {number(1), divisor});
    inverse = make_ssa_name(double_type_node, call);
    gimple_call_set_lhs(call, inverse);
    gsi_insert_before(before_, call, GSI_SAME_STMT);
  }
  const tree product = binary(MULT_EXPR, binary(PLUS_EXPR, size, power(-1)), inverse);
  const tree whole =
      instruction("fxtod\t%1, %0", double_type_node, instruction("fdtox\t%1, %0", double_type_node, product));
  if (positive) return whole;
  tree result = insert_select(before_, {LT_EXPR, a, number(0)}, binary(MINUS_EXPR, number(0), whole), whole);
  if (TREE_CODE(by) == INTEGER_CST && tree_int_cst_sgn(by) > 0) return result;
  return insert_select(before_, {LT_EXPR, b, number(0)}, binary(MINUS_EXPR, number(0), result), result);
}

tree IntegerOperations::operation(tree_code code, tree type, tree a, tree b, tree by) {
  const bool wide = TYPE_PRECISION(type) == 64;
  const auto result = [&](tree x) { return wraps(type) && !wide ? wrapped(x, type) : x; };
  switch (code) {
    case PLUS_EXPR:
    case MINUS_EXPR:
      return result(binary(code, a, b));
    case NEGATE_EXPR:
      return result(binary(MINUS_EXPR, number(0), a));
    case MULT_EXPR: {
      const bool exact =
          TREE_CODE(by) == INTEGER_CST && tree_fits_shwi_p(by) && abs_hwi(tree_to_shwi(by)) < kExactFactor;
      if (wide || !wraps(type) || exact) return result(binary(MULT_EXPR, a, b));  // may be -0
      // In halves of one factor: the product of 32 and 16 bits is exact.
      const tree half = binary(MULT_EXPR, b, power(-16));
      const tree high = instruction("fxtod\t%1, %0", double_type_node,
                                    instruction("fdtox\t%1, %0", double_type_node, half));
      const tree low = binary(MINUS_EXPR, b, binary(MULT_EXPR, high, power(16)));
      const tree upper = wrapped(binary(MULT_EXPR, a, high), type);
      return result(binary(PLUS_EXPR, binary(MULT_EXPR, upper, power(16)), binary(MULT_EXPR, a, low)));
    }
    case TRUNC_DIV_EXPR:
      return quotient(type, a, b, by);
    case TRUNC_MOD_EXPR:
      return binary(MINUS_EXPR, a, binary(MULT_EXPR, quotient(type, a, b, by), b));
    case LSHIFT_EXPR:
      return wrapped(binary(MULT_EXPR, a, power(static_cast<int>(tree_to_shwi(by)))), type);
    case RSHIFT_EXPR: {
      const tree x = binary(MULT_EXPR, a, power(-static_cast<int>(tree_to_shwi(by))));
      const tree whole =
          instruction("fxtod\t%1, %0", double_type_node, instruction("fdtox\t%1, %0", double_type_node, x));
      if (TYPE_UNSIGNED(type)) return whole;
      return insert_select(before_, {GT_EXPR, whole, x}, binary(MINUS_EXPR, whole, number(1)), whole);
    }
    case BIT_AND_EXPR:
      return logical("fand\t%1, %2, %0", a, b);
    case BIT_IOR_EXPR:
      return logical("for\t%1, %2, %0", a, b);
    case BIT_XOR_EXPR:
      return logical("fxor\t%1, %2, %0", a, b);
    case BIT_NOT_EXPR:
      return binary(MINUS_EXPR,
                    TYPE_UNSIGNED(type) ? number((HOST_WIDE_INT_1 << TYPE_PRECISION(type)) - 1) : number(-1),
                    a);
    case ABS_EXPR: {
      const tree size = make_ssa_name(double_type_node);
      gsi_insert_before(before_, gimple_build_assign(size, ABS_EXPR, a), GSI_SAME_STMT);
      return size;
    }
    default:  // the smaller and the larger
      return binary(code, a, b);
  }
}

}  // namespace psim_omp
