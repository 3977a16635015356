// SPDX-License-Identifier: Apache-2.0
#include "separation.h"

namespace psim_omp {

namespace {

struct Search {
  tree variable;
  bool found;
};

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
