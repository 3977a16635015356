// SPDX-License-Identifier: Apache-2.0
#include "psim/statistics_manual.h"

#include "base/statistics/print.h"
#include "machines/machine.h"
#include "pipeline/wired_core.h"

namespace psim {

namespace {

/// A program without instructions.
class NoProgram final : public isa::InstructionSource {
 public:
  isa::Pull next(std::uint64_t, bool, isa::InstructionRecord&) override { return isa::Pull::End; }
  const isa::StaticInstruction* text(std::uint64_t, bool) override { return nullptr; }
};

}  // namespace

std::vector<statistics::Reading> all_statistics() {
  const auto machine = load_machine({.machine = "simd16", .sets = {}});
  NoProgram program;
  pipeline::WiredCore simulation(*machine, program, {});
  statistics::Registry registry;
  simulation.register_statistics(registry);
  return registry.read(registry.snapshot());
}

std::string statistics_manual() {
  return "# Statistics\n\nMade by `psim statistics --markdown`; do not edit. `psim run` and `psim replay` "
         "write "
         "them to the key `statistics` of the JSON result by component, `statistics.l1d.misses`, and with "
         "`--statistics FILE` as a table. `psim statistics WORD` searches them. A counter is a sum over the "
         "run. A "
         "ratio is 0 if its denominator is. A distribution has the number of its `samples`, their `mean` and "
         "`buckets`: the smallest value of each bucket that is not empty, and its samples.\n" +
         statistics::to_markdown(all_statistics());
}

}  // namespace psim
