// SPDX-License-Identifier: Apache-2.0
// Makes parallel loops of the loops of target regions whose iterations OpenMP gives to teams (`distribute`)
// or to the lanes of a SIMD unit (`simd`), so that PEs share them.
//
// A PE does the work of a team, or of a lane. A league may have fewer teams than the program requests: with
// one team, its loop has all iterations.
#include "separation.h"

#include <string>

namespace psim_omp {
namespace {

constexpr const char* kClause = "it has a variable, or a clause, that loops of threads cannot have";

bool is_kind(gimple* statement, int kind) {
  const gomp_for* const loop = dyn_cast<gomp_for*>(statement);
  return loop != nullptr && gimple_omp_for_kind(loop) == kind;
}

bool is_distribute(gimple* statement) { return is_kind(statement, GF_OMP_FOR_KIND_DISTRIBUTE); }

/// True if each team has a parallel region, or a part of a reduction, outside of the loops that teams share.
bool repeats(gomp_teams* teams) {
  const auto look = [](gimple_stmt_iterator* at, bool* handled, walk_stmt_info* info) {
    *handled = is_distribute(gsi_stmt(*at));
    *static_cast<bool*>(info->info) |= gimple_code(gsi_stmt(*at)) == GIMPLE_OMP_PARALLEL;
    return NULL_TREE;
  };
  bool parallel = false;
  walk_stmt_info info{};
  info.info = &parallel;
  walk_gimple_seq(gimple_omp_body(teams), look, nullptr, &info);
  return parallel || (omp_find_clause(gimple_omp_teams_clauses(teams), OMP_CLAUSE_REDUCTION) != NULL_TREE &&
                      find_statement(gimple_omp_body(teams), is_distribute) == nullptr);
}

/// Makes the league one team; false if the program needs several, or queries their number.
bool use_one_team(gomp_teams* teams) {
  const tree number = omp_find_clause(gimple_omp_teams_clauses(teams), OMP_CLAUSE_NUM_TEAMS);
  if (number == NULL_TREE || integer_onep(OMP_CLAUSE_NUM_TEAMS_UPPER_EXPR(number))) return true;
  const auto queries = [](gimple* statement) { return is_query(statement, "_team"); };
  if (OMP_CLAUSE_NUM_TEAMS_LOWER_EXPR(number) != NULL_TREE ||
      find_statement(gimple_omp_body(teams), queries) != nullptr || repeats(teams))
    return false;
  OMP_CLAUSE_NUM_TEAMS_LOWER_EXPR(number) = build_one_cst(unsigned_type_node);
  return true;
}

/// True for the constructs that a loop of one thread may have inside.
bool stays_sequential(gimple* statement) {
  switch (gimple_code(statement)) {
    case GIMPLE_OMP_FOR:
      return is_kind(statement, GF_OMP_FOR_KIND_SIMD);
    case GIMPLE_OMP_ATOMIC_LOAD:
    case GIMPLE_OMP_ATOMIC_STORE:
    case GIMPLE_OMP_CONTINUE:
    case GIMPLE_OMP_RETURN:
      return true;
    default:
      return !is_gimple_omp(statement);
  }
}

/// True for a call whose result counts a parallel region of one thread, too.
bool queries_level(gimple* statement) {
  const tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  if (callee == NULL_TREE || DECL_NAME(callee) == NULL_TREE) return false;
  const char* const name = IDENTIFIER_POINTER(DECL_NAME(callee));
  return startswith(name, "omp_get_level") || startswith(name, "omp_get_team_size") ||
         startswith(name, "omp_get_ancestor_thread_num");
}

/// A loop of a target region that is not of threads: the `distribute` or `simd` construct, or both combined.
class Loop {
 public:
  Loop(gomp_for* construct, gomp_target* target, gomp_teams* teams, bool several_teams)
      : construct_(construct),
        loop_(construct),
        teams_(teams),
        several_teams_(several_teams),
        separation_(target, {teams ? gimple_omp_teams_clauses(teams) : NULL_TREE,
                             gimple_omp_target_clauses(target)}) {}
  /// Puts a parallel region in its place, if that keeps its meaning; warns otherwise.
  void replace(gimple_stmt_iterator* at);

 private:
  const char* share(gimple_stmt_iterator* at);
  const char* find();
  const char* take(tree clauses, gomp_for* from);
  void add(omp_clause_code code, tree variable);
  gomp_for* of_teams();
  bool add_reductions_of_teams();

  gomp_for *construct_, *loop_;  // loop_: the innermost construct, which has the body
  gomp_teams* teams_;
  bool several_teams_;
  Separation separation_;
  tree clauses_ = NULL_TREE;
  bool needs_earlier_ = false;  // an iteration may need the one `safelen` before
};

/// Finds the loop and its clauses; returns the reason why it stays as it is, which is empty for one that
/// contains parallel regions.
const char* Loop::find() {
  const auto any = [](gimple* statement) { return is_gimple_omp(statement); };
  if (gimple_omp_for_combined_p(construct_)) {
    gimple* const inner = find_statement(gimple_omp_body(construct_), any);
    if (inner == nullptr || !is_kind(inner, GF_OMP_FOR_KIND_SIMD)) return "";
    loop_ = as_a<gomp_for*>(inner);
  }
  const auto parallel = [](gimple* statement) { return gimple_code(statement) == GIMPLE_OMP_PARALLEL; };
  if (find_statement(gimple_omp_body(loop_), parallel) != nullptr) return "";
  const auto other = [](gimple* statement) { return !stays_sequential(statement); };
  if (find_statement(gimple_omp_body(loop_), other) != nullptr) return "it has other constructs inside";
  if (find_statement(gimple_omp_body(loop_), queries_level) != nullptr)
    return "it queries its level of parallel regions";
  if (const char* const reason = take(gimple_omp_for_clauses(loop_), loop_)) return reason;
  if (construct_ != loop_)
    if (const char* const reason = take(gimple_omp_for_clauses(construct_), construct_)) return reason;
  if (!add_reductions_of_teams()) return "it does not only accumulate the reduction of its teams";
  if (!several_teams_) return nullptr;
  const bool last = omp_find_clause(clauses_, OMP_CLAUSE_LASTPRIVATE) != NULL_TREE;
  return last || !is_kind(construct_, GF_OMP_FOR_KIND_DISTRIBUTE)
             ? "it needs several teams, or the number of its team"
             : nullptr;
}

/// Returns the loop's `distribute` without its body, which divides the iterations among the teams.
gomp_for* Loop::of_teams() {
  tree clauses = NULL_TREE;
  const size_t loops = gimple_omp_for_collapse(loop_);
  if (const tree collapse = omp_find_clause(clauses_, OMP_CLAUSE_COLLAPSE)) {
    clauses = copy_node(collapse);
    OMP_CLAUSE_CHAIN(clauses) = NULL_TREE;
  }
  gomp_for* const result = gimple_build_omp_for(nullptr, GF_OMP_FOR_KIND_DISTRIBUTE, clauses, loops, nullptr);
  for (size_t i = 0; i < loops; ++i) {
    const tree index = create_tmp_var(TREE_TYPE(gimple_omp_for_index(loop_, i)));
    const tree incremented = unshare_expr(gimple_omp_for_incr(loop_, i));
    TREE_OPERAND(incremented, 0) = index;
    gimple_omp_for_set_index(result, i, index);
    gimple_omp_for_set_initial(result, i, unshare_expr(gimple_omp_for_initial(loop_, i)));
    gimple_omp_for_set_final(result, i, unshare_expr(gimple_omp_for_final(loop_, i)));
    gimple_omp_for_set_incr(result, i, incremented);
    gimple_omp_for_set_cond(result, i, gimple_omp_for_cond(loop_, i));
    const tree clause = build_omp_clause(gimple_location(loop_), OMP_CLAUSE_PRIVATE);
    OMP_CLAUSE_DECL(clause) = index;
    OMP_CLAUSE_CHAIN(clause) = gimple_omp_for_clauses(result);
    gimple_omp_for_set_clauses(result, clause);
  }
  gimple_omp_for_set_combined_p(result, true);
  gimple_set_location(result, gimple_location(construct_));
  return result;
}

void Loop::add(omp_clause_code code, tree variable) {
  if (find_clause_of(clauses_, variable) != NULL_TREE) return;
  const tree clause = build_omp_clause(gimple_location(loop_), code);
  OMP_CLAUSE_DECL(clause) = variable;
  OMP_CLAUSE_CHAIN(clause) = clauses_;
  clauses_ = clause;
}

/// Takes the clauses that a loop of threads has, too. Returns a reason for those that order iterations.
const char* Loop::take(tree clauses, gomp_for* from) {
  for (; clauses != NULL_TREE; clauses = OMP_CLAUSE_CHAIN(clauses)) switch (OMP_CLAUSE_CODE(clauses)) {
      case OMP_CLAUSE_SAFELEN:
        needs_earlier_ = true;
        break;
      case OMP_CLAUSE_ORDERED:
      case OMP_CLAUSE__SCANTEMP_:
        return "its loop is ordered";
      case OMP_CLAUSE_ALLOCATE:
      case OMP_CLAUSE__CONDTEMP_:
        return kClause;
      case OMP_CLAUSE_LINEAR: {
        const tree variable = OMP_CLAUSE_DECL(clauses);
        bool counter = false;
        for (size_t i = 0; i < gimple_omp_for_collapse(from); ++i)
          counter |= gimple_omp_for_index(from, i) == variable;
        if (!counter) return kClause;
        const bool own = OMP_CLAUSE_LINEAR_NO_COPYOUT(clauses) || separation_.only_in(variable, construct_);
        add(own ? OMP_CLAUSE_PRIVATE : OMP_CLAUSE_LASTPRIVATE, variable);
        break;
      }
      case OMP_CLAUSE_LASTPRIVATE:
        if (OMP_CLAUSE_LASTPRIVATE_CONDITIONAL(clauses)) return kClause;
        /* FALLTHRU */
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_FIRSTPRIVATE:
      case OMP_CLAUSE_REDUCTION:
      case OMP_CLAUSE_COLLAPSE: {
        // A variable may be firstprivate and lastprivate. The inner construct's clause precedes the outer
        // one's.
        const bool collapse = OMP_CLAUSE_CODE(clauses) == OMP_CLAUSE_COLLAPSE;
        if (from != loop_ &&
            (collapse || find_clause_of(gimple_omp_for_clauses(loop_), OMP_CLAUSE_DECL(clauses))))
          break;
        const tree clause = copy_node(clauses);
        OMP_CLAUSE_CHAIN(clause) = clauses_;
        clauses_ = clause;
        break;
      }
      default:
        break;  // hints for a SIMD unit, or for the schedule of teams
    }
  return nullptr;
}

/// Each iteration of a league's reduction updates its team's copy, which becomes that of a PE. False if the
/// loop does something else with it.
bool Loop::add_reductions_of_teams() {
  if (teams_ == nullptr) return true;
  for (tree clause = gimple_omp_teams_clauses(teams_); clause != NULL_TREE;
       clause = OMP_CLAUSE_CHAIN(clause)) {
    if (OMP_CLAUSE_CODE(clause) != OMP_CLAUSE_REDUCTION) continue;
    const tree variable = OMP_CLAUSE_DECL(clause);
    if (find_clause_of(clauses_, variable) != NULL_TREE || !writes(gimple_omp_body(loop_), variable))
      continue;
    if (!only_accumulates(gimple_omp_body(loop_), variable, OMP_CLAUSE_REDUCTION_CODE(clause))) return false;
    const tree copy = copy_node(clause);
    OMP_CLAUSE_CHAIN(copy) = clauses_;
    clauses_ = copy;
  }
  return true;
}

const char* Loop::share(gimple_stmt_iterator* at) {
  if (const char* const reason = find()) return reason;
  gomp_for* const single = gimple_build_omp_for(gimple_omp_body(loop_), GF_OMP_FOR_KIND_FOR, clauses_,
                                                gimple_omp_for_collapse(loop_), nullptr);
  for (size_t i = 0; i < gimple_omp_for_collapse(loop_); ++i) {
    gimple_omp_for_set_index(single, i, gimple_omp_for_index(loop_, i));
    gimple_omp_for_set_initial(single, i, gimple_omp_for_initial(loop_, i));
    gimple_omp_for_set_final(single, i, gimple_omp_for_final(loop_, i));
    gimple_omp_for_set_incr(single, i, gimple_omp_for_incr(loop_, i));
    gimple_omp_for_set_cond(single, i, gimple_omp_for_cond(loop_, i));
  }
  gimple_set_location(single, gimple_location(construct_));
  if (needs_earlier_)
    gimple_seq_add_stmt(gimple_omp_for_pre_body_ptr(single), build_call(Runtime::Ordered, {}));
  gsi_replace(at, single, false);
  gomp_parallel* const region = separation_.region_of(*at);
  if (region == nullptr) return gsi_replace(at, construct_, false), kClause;
  for (gomp_for* const from : {construct_, loop_}) {
    gsi_insert_seq_before(at, gimple_omp_for_pre_body(from), GSI_SAME_STMT);
    if (construct_ == loop_) break;
  }
  use_one_thread(region);
  wrap_loop(at, region);
  if (!several_teams_) return nullptr;
  gimple_omp_for_set_combined_into_p(single, true);
  gimple_omp_parallel_set_combined_p(region, true);
  gomp_for* const of_teams = this->of_teams();
  gsi_replace(at, of_teams, false);
  gimple_seq body = nullptr;
  gimple_seq_add_stmt(&body, region);
  gimple_omp_set_body(of_teams, body);
  return nullptr;
}

void Loop::replace(gimple_stmt_iterator* at) {
  const char* const reason = share(at);
  if (reason == nullptr || *reason == 0) return;
  const location_t where = gimple_location(construct_);
  warning_at(where, 0, "this loop runs on the scalar core: %s", reason);
  const std::string text = std::string(reason) + " (line " + std::to_string(LOCATION_LINE(where)) + ")";
  gsi_insert_before(
      at, build_call(Runtime::Scalar, {null_pointer_node, name_of_loop(cfun, where), literal(text.c_str())}),
      GSI_SAME_STMT);
}

struct Place {
  gomp_target* target;
  gomp_teams* teams;
  bool several_teams;
};

tree visit(gimple_stmt_iterator* at, bool* handled, walk_stmt_info* info) {
  auto* const place = static_cast<Place*>(info->info);
  gimple* const statement = gsi_stmt(*at);
  *handled = true;
  switch (gimple_code(statement)) {
    case GIMPLE_BIND:
    case GIMPLE_TRY:
      *handled = false;
      break;
    case GIMPLE_OMP_TEAMS: {
      gomp_teams* const teams = as_a<gomp_teams*>(statement);
      Place inside{place->target, teams, !use_one_team(teams)};
      walk_stmt_info more{};
      more.info = &inside;
      walk_gimple_seq_mod(gimple_omp_body_ptr(statement), visit, nullptr, &more);
      break;
    }
    case GIMPLE_OMP_FOR:
      if (is_kind(statement, GF_OMP_FOR_KIND_DISTRIBUTE) || is_kind(statement, GF_OMP_FOR_KIND_SIMD))
        Loop(as_a<gomp_for*>(statement), place->target, place->teams, place->several_teams).replace(at);
      break;
    default:
      break;
  }
  return NULL_TREE;
}

const pass_data kTeamsPass = {GIMPLE_PASS, "psim_teams", OPTGROUP_OMP, TV_NONE, PROP_gimple_any, 0, 0, 0, 0};

class TeamsPass final : public gimple_opt_pass {
 public:
  explicit TeamsPass(gcc::context* context) : gimple_opt_pass(kTeamsPass, context) {}
  bool gate(function*) final { return flag_openmp; }
  unsigned execute(function* fun) final {
    walk_targets(fun, [](gomp_target* target) {
      Place place{target, nullptr, false};
      walk_stmt_info info{};
      info.info = &place;
      walk_gimple_seq_mod(gimple_omp_body_ptr(target), visit, nullptr, &info);
    });
    return 0;
  }
};

}  // namespace

gimple_opt_pass* make_teams_pass(gcc::context* context) { return new TeamsPass(context); }

}  // namespace psim_omp
