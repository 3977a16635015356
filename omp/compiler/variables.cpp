// SPDX-License-Identifier: Apache-2.0
#include "variables.h"

namespace psim_omp {

gimple* find_statement(gimple_seq code, bool (*matches)(gimple*)) {
  struct Found {
    bool (*matches)(gimple*);
    gimple* statement;
  } found{matches, nullptr};
  walk_stmt_info info{};
  info.info = &found;
  walk_gimple_seq(
      code,
      [](gimple_stmt_iterator* at, bool* handled, walk_stmt_info* info) -> tree {
        auto* const found = static_cast<Found*>(info->info);
        if (!found->matches(gsi_stmt(*at))) return NULL_TREE;
        found->statement = gsi_stmt(*at);
        *handled = true;
        return integer_one_node;  // which ends the walk
      },
      nullptr, &info);
  return found.statement;
}

bool is_shared_loop(gimple* statement) {
  return gimple_code(statement) == GIMPLE_OMP_FOR &&
         gimple_omp_for_kind(as_a<gomp_for*>(statement)) == GF_OMP_FOR_KIND_FOR;
}

tree find_clause_of(tree clauses, tree variable) {
  for (; clauses != NULL_TREE; clauses = OMP_CLAUSE_CHAIN(clauses)) switch (OMP_CLAUSE_CODE(clauses)) {
      case OMP_CLAUSE_SHARED:
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_FIRSTPRIVATE:
      case OMP_CLAUSE_LASTPRIVATE:
      case OMP_CLAUSE_REDUCTION:
      case OMP_CLAUSE_LINEAR:
      case OMP_CLAUSE_COPYIN:
      case OMP_CLAUSE_MAP:
      case OMP_CLAUSE_IS_DEVICE_PTR:
      case OMP_CLAUSE_HAS_DEVICE_ADDR:
        if (OMP_CLAUSE_DECL(clauses) == variable) return clauses;
        break;
      default:
        break;
    }
  return NULL_TREE;
}

tree Variables::declared(gimple_stmt_iterator* at, bool*, walk_stmt_info* info) {
  if (const gbind* const bind = dyn_cast<gbind*>(gsi_stmt(*at)))
    for (tree var = gimple_bind_vars(bind); var != NULL_TREE; var = DECL_CHAIN(var))
      static_cast<Variables*>(info->info)->own.add(var);
  return NULL_TREE;
}

tree Variables::referred(tree* at, int* deeper, void* data) {
  auto* const self = static_cast<Variables*>(static_cast<walk_stmt_info*>(data)->info);
  const tree node = *at;
  if (TYPE_P(node)) *deeper = 0;
  if (TREE_CODE(node) == OMP_CLAUSE) switch (OMP_CLAUSE_CODE(node)) {
      case OMP_CLAUSE_REDUCTION:
        self->good &= OMP_CLAUSE_REDUCTION_PLACEHOLDER(node) == NULL_TREE &&
                      !OMP_CLAUSE_REDUCTION_TASK(node) && !OMP_CLAUSE_REDUCTION_INSCAN(node);
        break;
      case OMP_CLAUSE_LASTPRIVATE:
        self->add(OMP_CLAUSE_LASTPRIVATE_GIMPLE_SEQ(node));
        break;
      case OMP_CLAUSE_LINEAR:
        self->good &= OMP_CLAUSE_LINEAR_GIMPLE_SEQ(node) == nullptr;
        break;
      default:
        break;
    }
  if (VAR_P(node) || TREE_CODE(node) == PARM_DECL || TREE_CODE(node) == RESULT_DECL) {
    if (!self->seen_.add(node)) self->used.push_back(node);
    self->good &= !DECL_HAS_VALUE_EXPR_P(node);
  }
  return NULL_TREE;
}

void Variables::add(gimple_seq code) {
  walk_stmt_info info{};
  info.info = this;
  walk_gimple_seq(code, declared, referred, &info);
}

void Variables::add(gimple_stmt_iterator at) {
  walk_stmt_info info{};
  info.info = this;
  walk_gimple_stmt(&at, declared, referred, &info);
}

namespace {

struct UseSearch {
  tree variable;
  bool found;
};

}  // namespace

unsigned uses_of(gimple_seq code, tree variable) {
  struct Count {
    tree variable;
    unsigned uses;
  } count{variable, 0};
  walk_stmt_info info{};
  info.info = &count;
  walk_gimple_seq(
      code, nullptr,
      [](tree* at, int* deeper, void* data) -> tree {
        auto* const count = static_cast<Count*>(static_cast<walk_stmt_info*>(data)->info);
        if (TYPE_P(*at)) *deeper = 0;
        count->uses += *at == count->variable;
        return NULL_TREE;
      },
      &info);
  return count.uses;
}

bool writes(gimple_seq code, tree variable) {
  UseSearch search{variable, false};
  walk_stmt_info info{};
  info.info = &search;
  walk_gimple_seq(
      code,
      [](gimple_stmt_iterator* at, bool*, walk_stmt_info* info) -> tree {
        auto* const search = static_cast<UseSearch*>(info->info);
        gimple* const statement = gsi_stmt(*at);
        if (const gasm* const code = dyn_cast<gasm*>(statement))
          for (unsigned i = 0; i < gimple_asm_noutputs(code); ++i)
            search->found |= TREE_VALUE(gimple_asm_output_op(code, i)) == search->variable;
        else if (is_gimple_assign(statement) || is_gimple_call(statement))
          search->found |= gimple_get_lhs(statement) == search->variable;
        else if (gomp_for* const loop = dyn_cast<gomp_for*>(statement))
          for (size_t i = 0; i < gimple_omp_for_collapse(loop); ++i)
            search->found |= gimple_omp_for_index(loop, i) == search->variable;
        return NULL_TREE;
      },
      nullptr, &info);
  return search.found;
}

bool keeps(gimple_seq code, tree variable) {
  const tree type = TREE_TYPE(variable);
  if (!is_gimple_reg_type(type) || TREE_THIS_VOLATILE(variable) || writes(code, variable)) return false;
  // A private reference, or allocatable variable, would have a copy of what it refers to.
  if (TREE_CODE(type) == REFERENCE_TYPE || (POINTER_TYPE_P(type) && lang_GNU_Fortran())) return false;
  UseSearch search{variable, false};
  walk_stmt_info info{};
  info.info = &search;
  walk_gimple_seq(
      code, nullptr,
      [](tree* at, int* deeper, void* data) -> tree {
        auto* const search = static_cast<UseSearch*>(static_cast<walk_stmt_info*>(data)->info);
        if (TYPE_P(*at)) *deeper = 0;
        search->found |=
            TREE_CODE(*at) == ADDR_EXPR && get_base_address(TREE_OPERAND(*at, 0)) == search->variable;
        search->found |= TREE_CODE(*at) == OMP_CLAUSE && find_clause_of(*at, search->variable) != NULL_TREE;
        return NULL_TREE;
      },
      &info);
  return !search.found;
}

namespace {

/// The values that are computed from a variable.
struct Accumulation {
  tree variable;
  bool good = true;
  hash_set<tree> derived;
};

bool uses(gimple* statement, hash_set<tree>& values) {
  for (unsigned i = 1; i < gimple_num_ops(statement); ++i)
    if (gimple_op(statement, i) && values.contains(gimple_op(statement, i))) return true;
  return false;
}

}  // namespace

bool only_accumulates(gimple_seq code, tree variable, tree_code reduction) {
  if (reduction != PLUS_EXPR && reduction != MINUS_EXPR && reduction != MULT_EXPR &&
      reduction != BIT_AND_EXPR && reduction != BIT_IOR_EXPR && reduction != BIT_XOR_EXPR)
    return true;  // one of several values: the old one, or another
  Accumulation search;
  search.variable = variable;
  search.derived.add(variable);
  walk_stmt_info info{};
  info.info = &search;
  walk_gimple_seq(
      code,
      [](gimple_stmt_iterator* at, bool*, walk_stmt_info* info) -> tree {
        auto* const search = static_cast<Accumulation*>(info->info);
        gimple* const statement = gsi_stmt(*at);
        if (!is_gimple_assign(statement) && !is_gimple_call(statement)) return NULL_TREE;
        const tree result = gimple_get_lhs(statement);
        const bool derives = uses(statement, search->derived);
        if (result == search->variable)
          search->good &= derives;
        else if (result != NULL_TREE && derives)
          search->derived.add(result);
        return NULL_TREE;
      },
      nullptr, &info);
  return search.good;
}

}  // namespace psim_omp
