// SPDX-License-Identifier: Apache-2.0
#include "select.h"

#include <string>

#include "target_loop.h"

namespace psim_omp {

const char* condition_of(tree_code code) {
  switch (code) {
    case LT_EXPR:
      return "l";
    case LE_EXPR:
      return "le";
    case GT_EXPR:
      return "g";
    case GE_EXPR:
      return "ge";
    case EQ_EXPR:
      return "e";
    case NE_EXPR:
      return "ne";
    case UNLT_EXPR:
      return "ul";
    case UNLE_EXPR:
      return "ule";
    case UNGT_EXPR:
      return "ug";
    case UNGE_EXPR:
      return "uge";
    case UNEQ_EXPR:
      return "ue";
    case LTGT_EXPR:
      return "lg";
    case UNORDERED_EXPR:
      return "u";
    case ORDERED_EXPR:
      return "o";
    default:
      return nullptr;
  }
}

tree number(HOST_WIDE_INT value) {
  return build_real_from_int_cst(double_type_node, build_int_cst(long_long_integer_type_node, value));
}

tree with_bits(unsigned HOST_WIDE_INT bits) {
  const long words[] = {static_cast<long>(bits >> 32), static_cast<long>(bits & 0xffffffff)};  // big-endian
  REAL_VALUE_TYPE real;
  real_from_target(&real, words, DFmode);
  return build_real(double_type_node, real);
}

tree operand(const char* text, tree value) {
  return build_tree_list(build_tree_list(NULL_TREE, build_string(strlen(text) + 1, text)), value);
}

namespace {

const char* constraint(char kind) { return kind == 'd' ? "e" : "f"; }

/// Returns the statement result = predicate ? yes : no.
gasm* select(const Predicate& p, tree result, tree yes, tree no) {
  const char compared = is_double(TREE_TYPE(p.left)) ? 'd' : 's',
             moved = is_double(TREE_TYPE(result)) ? 'd' : 's';
  // fcmp traps on quiet NaNs only as fcmpe, which <, <=, > and >= need.
  const bool quiet =
      p.code != LT_EXPR && p.code != LE_EXPR && p.code != GT_EXPR && p.code != GE_EXPR && p.code != LTGT_EXPR;
  const std::string code = std::string("fcmp") + (quiet ? "" : "e") + compared + "\t%%fcc3, %2, %3\n\tfmov" +
                           moved + condition_of(p.code) + "\t%%fcc3, %1, %0";
  vec<tree, va_gc>*inputs = nullptr, *out = nullptr, *clobbers = nullptr;
  vec_safe_push(out, operand(moved == 'd' ? "=e" : "=f", result));
  vec_safe_push(inputs, operand(constraint(moved), yes));
  vec_safe_push(inputs, operand(constraint(compared), p.left));
  vec_safe_push(inputs, operand(constraint(compared), p.right));
  vec_safe_push(inputs, operand("0", no));
  vec_safe_push(clobbers, build_tree_list(NULL_TREE, build_string(5, "fcc3")));
  gasm* const statement = gimple_build_asm_vec(code.c_str(), inputs, out, clobbers, nullptr);
  SSA_NAME_DEF_STMT(result) = statement;
  return statement;
}

/// Makes an operand of asm: constants get a name.
tree named(gimple_stmt_iterator* before, tree value) {
  if (TREE_CODE(value) == SSA_NAME) return value;
  const tree name = make_ssa_name(TREE_TYPE(value));
  gsi_insert_before(before, gimple_build_assign(name, value), GSI_SAME_STMT);
  return name;
}

}  // namespace

tree insert_select(gimple_stmt_iterator* before, const Predicate& p, tree yes, tree no) {
  const tree result = make_ssa_name(TREE_TYPE(yes));
  const Predicate mine{p.code, named(before, p.left), named(before, p.right)};
  gasm* const statement = select(mine, result, named(before, yes), named(before, no));
  gsi_insert_before(before, statement, GSI_SAME_STMT);
  return result;
}

tree insert_logical(gimple_stmt_iterator* before, const char* instruction, tree a, tree b) {
  const bool wide = is_double(TREE_TYPE(a));
  const tree result = make_ssa_name(TREE_TYPE(a));
  const std::string code = std::string(instruction) + (wide ? "" : "s") + "\t%1, %2, %0";
  vec<tree, va_gc>*inputs = nullptr, *out = nullptr;
  vec_safe_push(out, operand(wide ? "=e" : "=f", result));
  vec_safe_push(inputs, operand(constraint(wide ? 'd' : 's'), named(before, a)));
  vec_safe_push(inputs, operand(constraint(wide ? 'd' : 's'), named(before, b)));
  gasm* const statement = gimple_build_asm_vec(code.c_str(), inputs, out, nullptr, nullptr);
  SSA_NAME_DEF_STMT(result) = statement;
  gsi_insert_before(before, statement, GSI_SAME_STMT);
  return result;
}

}  // namespace psim_omp
