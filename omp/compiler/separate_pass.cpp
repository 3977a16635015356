// SPDX-License-Identifier: Apache-2.0
// Makes each shared loop of a parallel region that has several, or that does other work, a parallel region of
// its own.
//
// One thread executes the region around them, and each loop then goes to the PEs like a region of one loop. A
// region may have fewer threads than the program requests, and with one thread the loops are executed one
// after the other, so that barriers and nowait have no effect.
#include "separation.h"

namespace psim_omp {
namespace {

/// The loops of a region, outside nested regions, and the code around them.
struct Contents {
  std::vector<gimple_stmt_iterator> loops;
  bool work = false;  // code outside the loops that has an effect, or branches
};

Contents contents_of(gimple* region) {
  Contents contents;
  walk_stmt_info info{};
  info.info = &contents;
  walk_gimple_seq_mod(
      gimple_omp_body_ptr(region),
      [](gimple_stmt_iterator* at, bool* handled, walk_stmt_info* info) -> tree {
        auto* const contents = static_cast<Contents*>(info->info);
        gimple* const statement = gsi_stmt(*at);
        *handled = true;
        if (is_shared_loop(statement)) return contents->loops.push_back(*at), NULL_TREE;
        switch (gimple_code(statement)) {
          case GIMPLE_BIND:
          case GIMPLE_TRY:
            *handled = false;
            break;
          case GIMPLE_NOP:
          case GIMPLE_DEBUG:
          case GIMPLE_PREDICT:
          case GIMPLE_LABEL:
            break;
          case GIMPLE_ASSIGN:
            contents->work |= !gimple_clobber_p(statement) && !is_gimple_reg(gimple_assign_lhs(statement));
            break;
          default:
            contents->work |= !gimple_call_builtin_p(statement, BUILT_IN_GOMP_BARRIER);
        }
        return NULL_TREE;
      },
      nullptr, &info);
  return contents;
}

bool can_be_cancelled(gimple* region) {
  walk_stmt_info info{};
  const auto look = [](gimple_stmt_iterator* at, bool* found, walk_stmt_info*) -> tree {
    *found = gimple_call_builtin_p(gsi_stmt(*at), BUILT_IN_GOMP_CANCEL) ||
             gimple_call_builtin_p(gsi_stmt(*at), BUILT_IN_GOMP_CANCELLATION_POINT);
    return *found ? integer_one_node : NULL_TREE;  // which ends the walk
  };
  return walk_gimple_seq(gimple_omp_body(region), look, nullptr, &info) != nullptr;
}

tree wrap(gimple_stmt_iterator* at, bool* handled, walk_stmt_info* info) {
  auto* const regions = static_cast<hash_map<gimple*, gomp_parallel*>*>(info->info);
  gimple* const statement = gsi_stmt(*at);
  *handled = gimple_code(statement) != GIMPLE_BIND && gimple_code(statement) != GIMPLE_TRY;
  gomp_parallel** const region = regions->get(statement);
  if (region != nullptr && *region != nullptr) wrap_loop(at, *region);
  return NULL_TREE;
}

void separate(gomp_parallel* region) {
  const Contents contents = contents_of(region);
  if (contents.loops.empty() || (contents.loops.size() == 1 && !contents.work) || can_be_cancelled(region))
    return;
  hash_map<gimple*, gomp_parallel*> regions;
  Separation separation(region, {gimple_omp_parallel_clauses(region)});
  for (const gimple_stmt_iterator& loop : contents.loops)
    regions.put(gsi_stmt(loop), separation.region_of(loop));
  walk_stmt_info info{};
  info.info = &regions;
  walk_gimple_seq_mod(gimple_omp_body_ptr(region), wrap, nullptr, &info);
  use_one_thread(region);
}

tree find_parallel(gimple_stmt_iterator* at, bool* handled, walk_stmt_info*) {
  *handled = false;
  gomp_parallel* const region = dyn_cast<gomp_parallel*>(gsi_stmt(*at));
  if (region != nullptr && !gimple_omp_parallel_combined_p(region)) separate(region);
  return NULL_TREE;
}

const pass_data kSeparatePass = {
    GIMPLE_PASS, "psim_separate", OPTGROUP_OMP, TV_NONE, PROP_gimple_any, 0, 0, 0, 0};

class SeparatePass final : public gimple_opt_pass {
 public:
  explicit SeparatePass(gcc::context* context) : gimple_opt_pass(kSeparatePass, context) {}
  bool gate(function*) final { return flag_openmp; }
  unsigned execute(function* fun) final {
    walk_target_bodies(fun, find_parallel);
    return 0;
  }
};

}  // namespace

gimple_opt_pass* make_separate_pass(gcc::context* context) { return new SeparatePass(context); }

}  // namespace psim_omp
