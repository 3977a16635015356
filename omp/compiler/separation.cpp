// SPDX-License-Identifier: Apache-2.0
#include "separation.h"

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
        self->good &= OMP_CLAUSE_LASTPRIVATE_GIMPLE_SEQ(node) == nullptr;
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

struct Search {
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
  Search search{variable, false};
  walk_stmt_info info{};
  info.info = &search;
  walk_gimple_seq(
      code,
      [](gimple_stmt_iterator* at, bool*, walk_stmt_info* info) -> tree {
        auto* const search = static_cast<Search*>(info->info);
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
  Search search{variable, false};
  walk_stmt_info info{};
  info.info = &search;
  walk_gimple_seq(
      code, nullptr,
      [](tree* at, int* deeper, void* data) -> tree {
        auto* const search = static_cast<Search*>(static_cast<walk_stmt_info*>(data)->info);
        if (TYPE_P(*at)) *deeper = 0;
        search->found |= TREE_CODE(*at) == ADDR_EXPR && get_base_address(TREE_OPERAND(*at, 0)) == search->variable;
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
  if (reduction != PLUS_EXPR && reduction != MINUS_EXPR && reduction != MULT_EXPR && reduction != BIT_AND_EXPR &&
      reduction != BIT_IOR_EXPR && reduction != BIT_XOR_EXPR)
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

namespace {

/// Finds whether a loop of the region uses a value of the variable from an earlier iteration, or code uses
/// the value that a loop has left. Loops that do not write the variable keep it.
class Carried {
 public:
  Carried(gimple* region, tree variable) : variable_(variable) {
    do {
      changed_ = false;
      walk(gimple_omp_body(region), State::Known);
    } while (changed_ && !found_);
  }
  bool found() const { return found_; }

 private:
  enum class State { Unreachable, Known, Left };  // Left: another iteration, or a loop, has written it

  State walk(gimple_seq code, State state);
  State walk_statement(gimple_stmt_iterator at, State state);
  void reach(tree label, State state) {
    if (state != State::Unreachable && label != NULL_TREE)
      changed_ |= !(state == State::Left ? left_ : known_).add(label);
  }
  void read(gimple_stmt_iterator at, State state);
  bool in_operands(gimple* statement) const;

  tree variable_;
  hash_set<tree> left_, known_;  // labels that are reached with the variable in that state
  bool changed_ = false, found_ = false;
};

tree find_in_operand(tree* at, int* deeper, void* data) {
  auto* const search = static_cast<Search*>(static_cast<walk_stmt_info*>(data)->info);
  if (TYPE_P(*at)) *deeper = 0;
  search->found |= *at == search->variable;
  return NULL_TREE;
}

void Carried::read(gimple_stmt_iterator at, State state) {
  if (state != State::Left) return;
  gimple* const statement = gsi_stmt(at);
  Search search{variable_, false};
  walk_stmt_info info{};
  info.info = &search;
  if ((is_gimple_assign(statement) || is_gimple_call(statement)) && gimple_get_lhs(statement) == variable_) {
    for (unsigned i = 1; i < gimple_num_ops(statement); ++i)
      if (gimple_op(statement, i)) walk_tree(gimple_op_ptr(statement, i), find_in_operand, &info, nullptr);
  } else {
    walk_gimple_stmt(&at, nullptr, find_in_operand, &info);
  }
  found_ |= search.found;
}

bool Carried::in_operands(gimple* statement) const {
  Search search{variable_, false};
  walk_stmt_info info{};
  info.info = &search;
  walk_gimple_op(statement, find_in_operand, &info);
  return search.found;
}

Carried::State Carried::walk(gimple_seq code, State state) {
  for (gimple_stmt_iterator at = gsi_start(code); !gsi_end_p(at); gsi_next(&at))
    state = walk_statement(at, state);
  return state;
}

Carried::State Carried::walk_statement(gimple_stmt_iterator at, State state) {
  gimple* const statement = gsi_stmt(at);
  switch (gimple_code(statement)) {
    case GIMPLE_BIND:
      return walk(gimple_bind_body(as_a<gbind*>(statement)), state);
    case GIMPLE_TRY: {
      const State after = walk(gimple_try_eval(statement), state);
      return walk(gimple_try_cleanup(statement), after);
    }
    case GIMPLE_OMP_TEAMS:
    case GIMPLE_OMP_SINGLE:
    case GIMPLE_OMP_MASTER:
    case GIMPLE_OMP_MASKED:
    case GIMPLE_OMP_CRITICAL:
    case GIMPLE_OMP_ORDERED:
    case GIMPLE_OMP_SECTIONS:
    case GIMPLE_OMP_SECTION:
      found_ |= state == State::Left && in_operands(statement);  // of its clauses
      return walk(gimple_omp_body(statement), state);
    case GIMPLE_LABEL: {
      const tree label = gimple_label_label(as_a<glabel*>(statement));
      if (left_.contains(label)) return State::Left;
      return state == State::Unreachable && known_.contains(label) ? State::Known : state;
    }
    case GIMPLE_GOTO:
      reach(gimple_goto_dest(statement), state);
      return State::Unreachable;
    case GIMPLE_COND:
      read(at, state);
      reach(gimple_cond_true_label(as_a<gcond*>(statement)), state);
      reach(gimple_cond_false_label(as_a<gcond*>(statement)), state);
      return State::Unreachable;
    case GIMPLE_SWITCH: {
      gswitch* const choice = as_a<gswitch*>(statement);
      read(at, state);
      for (unsigned i = 0; i < gimple_switch_num_labels(choice); ++i)
        reach(CASE_LABEL(gimple_switch_label(choice, i)), state);
      return State::Unreachable;
    }
    case GIMPLE_OMP_FOR: {
      gomp_for* const loop = as_a<gomp_for*>(statement);
      const tree clause = find_clause_of(gimple_omp_for_clauses(loop), variable_);
      if (clause != NULL_TREE && OMP_CLAUSE_CODE(clause) == OMP_CLAUSE_PRIVATE)
        return state;  // another variable
      walk(gimple_omp_for_pre_body(loop), state);
      const bool shared = is_shared_loop(loop), writes_it = writes(gimple_omp_body(loop), variable_);
      const State inside = state == State::Unreachable ? state : shared && writes_it ? State::Left : state;
      found_ |= in_operands(loop) && (inside == State::Left || state == State::Left || clause != NULL_TREE);
      walk(gimple_omp_body(loop), inside);
      return inside == State::Left ? inside : state;
    }
    default:
      break;
  }
  read(at, state);
  if ((is_gimple_assign(statement) || is_gimple_call(statement)) && gimple_get_lhs(statement) == variable_ &&
      state != State::Unreachable)
    return State::Known;
  return state;
}

}  // namespace

bool Separation::only_in(tree variable, gomp_for* loop) {
  // The variable would be found in the region if the loop's body were empty.
  gimple_seq body = gimple_omp_body(loop);
  gimple_omp_set_body(loop, nullptr);
  Variables outside;
  outside.add(gimple_omp_body(region_));
  gimple_omp_set_body(loop, body);
  return !outside.uses(variable);
}

tree Separation::outer_clause(tree variable) const {
  for (const tree clauses : clauses_)
    if (const tree found = find_clause_of(clauses, variable)) return found;
  return NULL_TREE;
}

omp_clause_code Separation::kind_of(tree variable, gomp_for* loop) {
  const tree outer = outer_clause(variable);
  const omp_clause_code kind = outer == NULL_TREE ? OMP_CLAUSE_PRIVATE : OMP_CLAUSE_CODE(outer);
  if (find_clause_of(gimple_omp_for_clauses(loop), variable) != NULL_TREE) return OMP_CLAUSE_SHARED;
  if (keeps(gimple_omp_body(loop), variable)) return OMP_CLAUSE_FIRSTPRIVATE;
  if (kind == OMP_CLAUSE_SHARED) return OMP_CLAUSE_SHARED;
  // The thread's own variable.
  if (!is_gimple_reg(variable))
    return kind == OMP_CLAUSE_PRIVATE && only_in(variable, loop) ? OMP_CLAUSE_PRIVATE : OMP_CLAUSE_SHARED;
  if (!writes(gimple_omp_body(loop), variable)) return OMP_CLAUSE_FIRSTPRIVATE;
  const bool outlives = kind != OMP_CLAUSE_PRIVATE && kind != OMP_CLAUSE_FIRSTPRIVATE;
  return outlives || Carried(region_, variable).found() ? OMP_CLAUSE_SHARED : OMP_CLAUSE_PRIVATE;
}

gomp_parallel* Separation::region_of(gimple_stmt_iterator at) {
  gomp_for* const loop = as_a<gomp_for*>(gsi_stmt(at));
  Variables inside;
  inside.add(at);
  if (!inside.good) return nullptr;
  tree clauses = NULL_TREE;
  for (const tree variable : inside.used) {
    if (inside.own.contains(variable)) continue;
    const tree own = find_clause_of(gimple_omp_for_clauses(loop), variable);
    if (own != NULL_TREE && OMP_CLAUSE_CODE(own) == OMP_CLAUSE_PRIVATE) continue;
    if (!all_.own.contains(variable) && outer_clause(variable) == NULL_TREE)
      continue;  // global and not mapped, or private further inside
    const tree clause = build_omp_clause(gimple_location(loop), kind_of(variable, loop));
    OMP_CLAUSE_DECL(clause) = variable;
    OMP_CLAUSE_CHAIN(clause) = clauses;
    clauses = clause;
  }
  return gimple_build_omp_parallel(nullptr, clauses, NULL_TREE, NULL_TREE);
}

void wrap_loop(gimple_stmt_iterator* at, gomp_parallel* region) {
  gomp_for* const loop = as_a<gomp_for*>(gsi_stmt(*at));
  if (omp_find_clause(gimple_omp_for_clauses(loop), OMP_CLAUSE_NOWAIT) == NULL_TREE) {
    const tree nowait = build_omp_clause(gimple_location(loop), OMP_CLAUSE_NOWAIT);
    OMP_CLAUSE_CHAIN(nowait) = gimple_omp_for_clauses(loop);
    gimple_omp_for_set_clauses(loop, nowait);
  }
  gsi_replace(at, region, false);
  gimple_seq body = nullptr;
  gimple_seq_add_stmt(&body, loop);
  gimple_set_location(region, gimple_location(loop));
  gimple_omp_set_body(region, gimple_build_bind(NULL_TREE, body, make_node(BLOCK)));
}

void use_one_thread(gomp_parallel* region) {
  const tree clauses = gimple_omp_parallel_clauses(region);
  tree threads = omp_find_clause(clauses, OMP_CLAUSE_NUM_THREADS);
  if (threads == NULL_TREE) {
    threads = build_omp_clause(gimple_location(region), OMP_CLAUSE_NUM_THREADS);
    OMP_CLAUSE_CHAIN(threads) = clauses;
    gimple_omp_parallel_set_clauses(region, threads);
  }
  OMP_CLAUSE_NUM_THREADS_EXPR(threads) = integer_one_node;
}

}  // namespace psim_omp
