// SPDX-License-Identifier: Apache-2.0
// Prepares a copy of the shared loop for PEs, which have no integers and no branches of their own. The other
// copy remains for the scalar core.
#include "integers.h"
#include "loop_copy.h"
#include "masked_loops.h"

namespace psim_omp {
namespace {

void convert(const SharedLoop& shared) {
  Integers integers(shared.loop, shared.begin);
  integers.find();
  const Decides decides = [&](gimple* statement) { return integers.decides(statement); };
  bool copied = false;
  if (ends_by_data(shared.loop, decides)) {
    rewrite_into_loop_closed_ssa(nullptr, TODO_update_ssa);
    calculate_dominance_info(CDI_DOMINATORS);
    if (!can_mask_loops(shared.loop, decides) || copy_for_scalar_core(shared.loop).scalar == nullptr) return;
    copied = true;
    calculate_dominance_info(CDI_DOMINATORS);
    mask_loops(shared.loop, decides);
    calculate_dominance_info(CDI_DOMINATORS);
  }
  Integers of_pes(shared.loop, shared.begin);
  of_pes.find();
  if (of_pes.good() && (copied || copy_for_scalar_core(shared.loop).scalar != nullptr)) {
    copied = true;
    calculate_dominance_info(CDI_DOMINATORS);
    of_pes.rewrite();
  }
  if (copied) renew_function();
}

const pass_data kIntegerPass = {
    GIMPLE_PASS, "psim_integers", OPTGROUP_OMP, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class IntegerPass final : public gimple_opt_pass {
 public:
  explicit IntegerPass(gcc::context* context) : gimple_opt_pass(kIntegerPass, context) {}
  bool gate(function* fun) final { return in_target_parallel(fun) && !starts_parallel(fun); }
  unsigned execute(function* fun) final {
    loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
    scev_initialize();
    calculate_dominance_info(CDI_DOMINATORS);
    const SharedLoop shared = shared_loop_of(fun);
    if (shared.loop != nullptr && single_exit(shared.loop) != nullptr) convert(shared);
    scev_finalize();
    loop_optimizer_finalize();
    return TODO_cleanup_cfg;
  }
};

}  // namespace

gimple_opt_pass* make_integer_pass(gcc::context* context) { return new IntegerPass(context); }

}  // namespace psim_omp
