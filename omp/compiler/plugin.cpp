// SPDX-License-Identifier: Apache-2.0
// Plug-in of gcc 12 for sparc64: compiles the loops of OpenMP's target regions for the SIMD-PEs
// (docs/openmp.md).
#include <string_view>

#include "../runtime/loop.h"
#include "target_loop.h"

int plugin_is_GPL_compatible;

namespace {

/// Takes the arguments, which the wrappers have checked; false if one is unknown.
bool take_arguments(const plugin_name_args* plugin) {
  for (int i = 0; i < plugin->argc; ++i) {
    const std::string_view key = plugin->argv[i].key,
                           value = plugin->argv[i].value ? plugin->argv[i].value : "";
    if (key == "report" && value.empty())
      psim_omp::options.report = true;
    else if (key == "loops" && value == "auto")
      psim_omp::options.place = PSIM_OMP_LOOPS_AUTO;
    else if (key == "loops" && value == "pes")
      psim_omp::options.place = PSIM_OMP_LOOPS_PES;
    else if (key == "loops" && value == "scalar")
      psim_omp::options.place = PSIM_OMP_LOOPS_SCALAR;
    else
      return error("%s: unknown argument %qs", plugin->base_name, plugin->argv[i].key), false;
  }
  return true;
}

}  // namespace

int plugin_init(plugin_name_args* plugin, plugin_gcc_version* version) {
  using namespace psim_omp;
  if (!plugin_default_version_check(version, &gcc_version)) {
    error("%s was built for gcc %s (%s), but this is gcc %s (%s)", plugin->base_name, gcc_version.basever,
          gcc_version.datestamp, version->basever, version->datestamp);
    return 1;
  }
  if (!take_arguments(plugin)) return 1;
  register_roots(plugin->base_name);
  const auto add = [&](opt_pass* pass, const char* reference, int instance, pass_positioning_ops where) {
    register_pass_info info{pass, reference, instance, where};
    register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
  };
  add(make_teams_pass(g), "omplower", 1, PASS_POS_INSERT_BEFORE);
  add(make_relax_pass(g), "psim_teams", 1, PASS_POS_INSERT_AFTER);
  add(make_collapse_pass(g), "psim_relax", 1, PASS_POS_INSERT_AFTER);
  add(make_separate_pass(g), "psim_collapse", 1, PASS_POS_INSERT_AFTER);
  add(make_inline_pass(g), "visibility", 1, PASS_POS_INSERT_AFTER);
  add(make_share_pass(g), "adjust_alignment", 1, PASS_POS_INSERT_AFTER);
  add(make_integer_pass(g), "psim_share", 1, PASS_POS_INSERT_AFTER);
  add(make_conversion_pass(g), "psim_integers", 1, PASS_POS_INSERT_AFTER);
  add(make_distribution_pass(g), "fix_loops", 1, PASS_POS_INSERT_AFTER);
  return 0;
}
