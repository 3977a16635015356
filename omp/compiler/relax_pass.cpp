// SPDX-License-Identifier: Apache-2.0
// Removes what several threads would need from the shared loops of target regions, because one thread
// executes them: shared variables that are only read, schedules, and atomic updates. An update of an element
// by the loop's counter, or of a variable, becomes a statement; if the loop does not use the variable
// otherwise, it becomes a reduction.
#include <algorithm>

#include "separation.h"

namespace psim_omp {
namespace {

/// The variables of a loop's body that are linear in its counter, with factors that the body does not change.
class Linear {
 public:
  explicit Linear(gomp_for* loop) : body_(gimple_omp_body(loop)) {
    do {
      changed_ = false;
      names_.empty();
      names_.add(gimple_omp_for_index(loop, 0));
      walk_stmt_info info{};
      info.info = this;
      walk_gimple_seq(
          body_,
          [](gimple_stmt_iterator* at, bool*, walk_stmt_info* info) -> tree {
            static_cast<Linear*>(info->info)->look(gsi_stmt(*at));
            return NULL_TREE;
          },
          nullptr, &info);
    } while (changed_);
  }
  /// True for the address of an element by the counter.
  bool is_element(tree address) {
    if (TREE_CODE(address) != ADDR_EXPR)
      return POINTER_TYPE_P(TREE_TYPE(address)) && names_.contains(address);
    const tree place = TREE_OPERAND(address, 0);
    if (TREE_CODE(place) != ARRAY_REF || !names_.contains(TREE_OPERAND(place, 1))) return false;
    const tree base = TREE_OPERAND(place, 0);
    return DECL_P(base) || (TREE_CODE(base) == MEM_REF && is_fixed(TREE_OPERAND(base, 0)));
  }

 private:
  bool is_fixed(tree value) { return CONSTANT_CLASS_P(value) || (DECL_P(value) && !writes(body_, value)); }
  void look(gimple* statement) {
    if (!is_gimple_assign(statement) && !is_gimple_call(statement)) return;
    const tree result = gimple_get_lhs(statement);
    if (result == NULL_TREE || !DECL_P(result)) return;
    if (!is_gimple_assign(statement) || !is_linear(statement))
      changed_ |= !others_.add(result), names_.remove(result);
    else if (!others_.contains(result))
      names_.add(result);
  }
  bool is_linear(gimple* statement) {
    const tree_code code = gimple_assign_rhs_code(statement);
    if (code == ADDR_EXPR) return is_element(gimple_assign_rhs1(statement));
    if (code != PLUS_EXPR && code != MINUS_EXPR && code != MULT_EXPR && code != POINTER_PLUS_EXPR &&
        code != VAR_DECL && code != PARM_DECL && !CONVERT_EXPR_CODE_P(code))
      return false;
    unsigned moving = 0;
    for (unsigned i = 1; i < gimple_num_ops(statement); ++i) {
      const tree operand = gimple_op(statement, i);
      // A factor that is a variable may be 0: then all iterations update one element.
      const bool fixed =
          code == MULT_EXPR ? CONSTANT_CLASS_P(operand) && !integer_zerop(operand) : is_fixed(operand);
      if (names_.contains(operand))
        ++moving;
      else if (!fixed)
        return false;
    }
    return moving == 1 || (moving == 2 && code != MULT_EXPR && code != MINUS_EXPR);
  }

  gimple_seq body_;
  hash_set<tree> names_;
  hash_set<tree> others_;  // that have another value somewhere
  bool changed_;
};

/// Adds a clause for the variable to the loop.
tree add_clause(gomp_for* loop, tree variable, omp_clause_code kind) {
  const tree clause = build_omp_clause(gimple_location(loop), kind);
  OMP_CLAUSE_DECL(clause) = variable;
  OMP_CLAUSE_CHAIN(clause) = gimple_omp_for_clauses(loop);
  gimple_omp_for_set_clauses(loop, clause);
  return clause;
}

/// The atomic updates of one loop.
class Updates {
 public:
  explicit Updates(gomp_for* loop) : loop_(loop), linear_(loop) {}
  /// Replaces them; false if there are none that can be.
  bool replace() {
    walk(&Updates::collect);
    for (Update& update : updates_) any_ |= update.plain = is_plain(update);
    if (!any_) return false;
    for (const Update& update : updates_)
      if (is_reduction(update))
        add(update, OMP_CLAUSE_REDUCTION);
      else if (is_last(update))
        add(update, OMP_CLAUSE_LASTPRIVATE);
    next_ = 0;
    walk(&Updates::rewrite);
    return true;
  }

 private:
  struct Update {
    gimple *load, *operation, *store;
    tree address;
    tree_code code;  // of the operation on what is loaded; ERROR_MARK: another, or several
    bool always;     // no branch precedes it
    bool plain;
  };
  void walk(void (Updates::*visit)(gimple_stmt_iterator*)) {
    struct Data {
      Updates* self;
      void (Updates::*visit)(gimple_stmt_iterator*);
    } data{this, visit};
    walk_stmt_info info{};
    info.info = &data;
    walk_gimple_seq_mod(
        gimple_omp_body_ptr(loop_),
        [](gimple_stmt_iterator* at, bool*, walk_stmt_info* info) -> tree {
          const auto* const data = static_cast<Data*>(info->info);
          (data->self->*data->visit)(at);
          return NULL_TREE;
        },
        nullptr, &info);
  }
  void collect(gimple_stmt_iterator* at) {
    gimple* const statement = gsi_stmt(*at);
    const auto kind = gimple_code(statement);
    branches_ |=
        kind == GIMPLE_COND || kind == GIMPLE_GOTO || kind == GIMPLE_SWITCH || kind == GIMPLE_OMP_FOR;
    if (gomp_atomic_load* const load = dyn_cast<gomp_atomic_load*>(statement)) {
      updates_.push_back(
          {load, nullptr, nullptr, gimple_omp_atomic_load_rhs(load), ERROR_MARK, !branches_, false});
      if (gimple_omp_atomic_need_value_p(load)) updates_.back().code = NOP_EXPR;
    } else if (gomp_atomic_store* const store = dyn_cast<gomp_atomic_store*>(statement)) {
      Update& update = updates_.back();
      update.store = store;
      if (gimple_omp_atomic_need_value_p(store) || update.operation == nullptr ||
          gimple_assign_lhs(update.operation) != gimple_omp_atomic_store_val(store))
        update.code = ERROR_MARK;
    } else if (!updates_.empty() && updates_.back().store == nullptr && is_gimple_assign(statement)) {
      Update& update = updates_.back();
      const tree value = gimple_omp_atomic_load_lhs(as_a<gomp_atomic_load*>(update.load));
      for (unsigned i = 1; i < gimple_num_ops(statement); ++i)
        if (gimple_op(statement, i) == value) {
          update.code = update.operation == nullptr && update.code == ERROR_MARK &&
                                (i == 1 || gimple_assign_rhs_code(statement) != MINUS_EXPR)
                            ? gimple_assign_rhs_code(statement)
                            : NOP_EXPR;
          update.operation = statement;
        }
    }
  }
  /// False for an address that may be that of another iteration's element: the analysis of references takes
  /// iterations to be independent where it cannot compute an address.
  bool is_plain(const Update& update) {
    if (update.store == nullptr) return false;
    return linear_.is_element(update.address) ||
           (TREE_CODE(update.address) == ADDR_EXPR && DECL_P(TREE_OPERAND(update.address, 0)));
  }
  /// Returns the variable that a plain update is of; null: of an element.
  static tree variable_of(const Update& update) {
    return update.plain && TREE_CODE(update.address) == ADDR_EXPR && DECL_P(TREE_OPERAND(update.address, 0))
               ? TREE_OPERAND(update.address, 0)
               : NULL_TREE;
  }
  /// True if every iteration writes the variable, and none uses it: it may have the last one's value.
  bool is_last(const Update& update) {
    const tree variable = variable_of(update);
    if (variable == NULL_TREE || update.operation != nullptr || update.code != ERROR_MARK ||
        !is_gimple_reg_type(TREE_TYPE(variable)))
      return false;
    return update.always && uses_of(gimple_omp_body(loop_), variable) == 1;
  }
  bool is_reduction(const Update& update) {
    const tree variable = variable_of(update);
    if (variable == NULL_TREE) return false;
    const tree_code code = update.code == MINUS_EXPR ? PLUS_EXPR : update.code;
    if (code != PLUS_EXPR && code != MULT_EXPR && code != BIT_AND_EXPR && code != BIT_IOR_EXPR &&
        code != BIT_XOR_EXPR)
      return false;
    unsigned updates = 0;
    for (const Update& other : updates_)
      if (operand_equal_p(other.address, update.address, 0)) {
        ++updates;
        if ((other.code == MINUS_EXPR ? PLUS_EXPR : other.code) != code || other.store == nullptr)
          return false;
      }
    return uses_of(gimple_omp_body(loop_), variable) == updates;
  }
  void add(const Update& update, omp_clause_code kind) {
    const tree variable = variable_of(update);
    if (find_clause_of(gimple_omp_for_clauses(loop_), variable) != NULL_TREE) return;
    const tree clause = add_clause(loop_, variable, kind);
    if (kind == OMP_CLAUSE_REDUCTION)
      OMP_CLAUSE_REDUCTION_CODE(clause) = update.code == MINUS_EXPR ? PLUS_EXPR : update.code;
  }
  void rewrite(gimple_stmt_iterator* at) {
    if (next_ == updates_.size()) return;
    const Update& update = updates_[next_];
    gimple* const statement = gsi_stmt(*at);
    const bool loads = statement == update.load, stores = statement == update.store;
    if (!loads && !stores) return;
    if (stores || update.store == nullptr) ++next_;
    if (!update.plain) return;
    const tree value = loads ? gimple_omp_atomic_load_lhs(as_a<gomp_atomic_load*>(statement))
                             : gimple_omp_atomic_store_val(as_a<gomp_atomic_store*>(statement));
    const tree place = TREE_CODE(update.address) == ADDR_EXPR ? unshare_expr(TREE_OPERAND(update.address, 0))
                                                              : build_simple_mem_ref(update.address);
    gassign* const plain = loads ? gimple_build_assign(value, place) : gimple_build_assign(place, value);
    gimple_set_location(plain, gimple_location(statement));
    gsi_replace(at, plain, false);
  }

  gomp_for* loop_;
  Linear linear_;
  std::vector<Update> updates_;
  std::size_t next_ = 0;
  bool any_ = false, branches_ = false;
};

/// Makes a reduction of each shared truth value that iterations only set to one value (`found = true`).
void reduce_flags(gomp_for* loop, gomp_parallel* region) {
  std::vector<gimple*> settings;
  walk_stmt_info info{};
  info.info = &settings;
  walk_gimple_seq(
      gimple_omp_body(loop),
      [](gimple_stmt_iterator* at, bool*, walk_stmt_info* info) -> tree {
        gimple* const statement = gsi_stmt(*at);
        if (gimple_assign_single_p(statement) && DECL_P(gimple_assign_lhs(statement)) &&
            TREE_CODE(TREE_TYPE(gimple_assign_lhs(statement))) == BOOLEAN_TYPE &&
            TREE_CODE(gimple_assign_rhs1(statement)) == INTEGER_CST)
          static_cast<std::vector<gimple*>*>(info->info)->push_back(statement);
        return NULL_TREE;
      },
      nullptr, &info);
  for (gimple* const setting : settings) {
    const tree variable = gimple_assign_lhs(setting), value = gimple_assign_rhs1(setting);
    const tree shared = find_clause_of(gimple_omp_parallel_clauses(region), variable);
    if (shared == NULL_TREE || OMP_CLAUSE_CODE(shared) != OMP_CLAUSE_SHARED ||
        find_clause_of(gimple_omp_for_clauses(loop), variable) != NULL_TREE)
      continue;
    const auto alike = std::count_if(settings.begin(), settings.end(), [&](gimple* other) {
      return gimple_assign_lhs(other) == variable && tree_int_cst_equal(gimple_assign_rhs1(other), value);
    });
    if (uses_of(gimple_omp_body(loop), variable) == alike)
      OMP_CLAUSE_REDUCTION_CODE(add_clause(loop, variable, OMP_CLAUSE_REDUCTION)) =
          integer_zerop(value) ? TRUTH_ANDIF_EXPR : TRUTH_ORIF_EXPR;
  }
}

/// Removes the loop's schedule; false if it has none that says which thread executes an iteration.
bool remove_schedule(gomp_for* loop) {
  bool chunks = false;
  tree clauses = gimple_omp_for_clauses(loop);
  for (tree* at = &clauses; *at != NULL_TREE;)
    if (OMP_CLAUSE_CODE(*at) == OMP_CLAUSE_SCHEDULE) {
      chunks |= OMP_CLAUSE_SCHEDULE_CHUNK_EXPR(*at) != NULL_TREE;
      *at = OMP_CLAUSE_CHAIN(*at);
    } else {
      at = &OMP_CLAUSE_CHAIN(*at);
    }
  gimple_omp_for_set_clauses(loop, clauses);
  return chunks;
}

/// Gives the region values of the shared variables that it only reads, so that its loops need not load them
/// again and again.
void pass_by_value(gomp_parallel* region) {
  tree clauses = gimple_omp_parallel_clauses(region);
  for (tree* at = &clauses; *at != NULL_TREE; at = &OMP_CLAUSE_CHAIN(*at)) {
    const tree variable = OMP_CLAUSE_CODE(*at) == OMP_CLAUSE_SHARED ? OMP_CLAUSE_DECL(*at) : NULL_TREE;
    if (variable == NULL_TREE || !DECL_P(variable) || !keeps(gimple_omp_body(region), variable)) continue;
    const tree clause = build_omp_clause(OMP_CLAUSE_LOCATION(*at), OMP_CLAUSE_FIRSTPRIVATE);
    OMP_CLAUSE_DECL(clause) = variable;
    OMP_CLAUSE_CHAIN(clause) = OMP_CLAUSE_CHAIN(*at);
    *at = clause;
  }
  gimple_omp_parallel_set_clauses(region, clauses);
}

tree look_at(gimple_stmt_iterator* at, bool* handled, walk_stmt_info* info) {
  *handled = false;
  gimple* const statement = gsi_stmt(*at);
  if (gomp_parallel* const region = dyn_cast<gomp_parallel*>(statement)) {
    const auto counts_threads = [](gimple* inside) {
      return is_query(inside, "thread_num") || gimple_call_builtin_p(inside, BUILT_IN_GOMP_CANCEL);
    };
    if (find_statement(gimple_omp_body(region), counts_threads) != nullptr) return NULL_TREE;
    walk_stmt_info inside{};
    inside.info = region;
    walk_gimple_seq_mod(gimple_omp_body_ptr(region), look_at, nullptr, &inside);
    pass_by_value(region);
    *handled = true;
  }
  auto* const region = static_cast<gomp_parallel*>(info->info);
  if (region == nullptr || !is_shared_loop(statement)) return NULL_TREE;
  gomp_for* const loop = as_a<gomp_for*>(statement);
  for (tree clause = gimple_omp_for_clauses(loop); clause != NULL_TREE; clause = OMP_CLAUSE_CHAIN(clause))
    if (OMP_CLAUSE_CODE(clause) == OMP_CLAUSE_ORDERED ||
        (OMP_CLAUSE_CODE(clause) == OMP_CLAUSE_REDUCTION && OMP_CLAUSE_REDUCTION_TASK(clause)))
      return NULL_TREE;
  reduce_flags(loop, region);
  const bool schedule = remove_schedule(loop), updates = Updates(loop).replace();
  if (schedule || updates) use_one_thread(region);
  return NULL_TREE;
}

/// Begins the arrays of the construct at doublewords, which transfers move. Arrays of short integers and
/// floats may begin between them otherwise.
void align_arrays(gomp_target* target) {
  for (tree clause = gimple_omp_target_clauses(target); clause != NULL_TREE;
       clause = OMP_CLAUSE_CHAIN(clause)) {
    const tree variable = OMP_CLAUSE_CODE(clause) == OMP_CLAUSE_MAP ? OMP_CLAUSE_DECL(clause) : NULL_TREE;
    if (variable != NULL_TREE && VAR_P(variable) && !DECL_EXTERNAL(variable) && !DECL_COMMON(variable) &&
        AGGREGATE_TYPE_P(TREE_TYPE(variable)) && DECL_ALIGN(variable) < BITS_PER_WORD)
      SET_DECL_ALIGN(variable, BITS_PER_WORD);
  }
}

const pass_data kRelaxPass = {GIMPLE_PASS, "psim_relax", OPTGROUP_OMP, TV_NONE, PROP_gimple_any, 0, 0, 0, 0};

class RelaxPass final : public gimple_opt_pass {
 public:
  explicit RelaxPass(gcc::context* context) : gimple_opt_pass(kRelaxPass, context) {}
  bool gate(function*) final { return flag_openmp; }
  unsigned execute(function* fun) final {
    walk_targets(fun, align_arrays);
    walk_target_bodies(fun, look_at);
    return 0;
  }
};

}  // namespace

gimple_opt_pass* make_relax_pass(gcc::context* context) { return new RelaxPass(context); }

}  // namespace psim_omp
