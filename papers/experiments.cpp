// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "papers/experiment.h"

namespace psim::reproduce {

const std::vector<const Experiment*>& experiments() {
  static const std::vector<const Experiment*> all{
      &kTable2,    &kBluegeneAlltoall, &kNsimTable3, &kNsimAce, &kTracerp,  &kReviriego,  &kPq580Tables,
      &kPetascale, &kEriTimeline,      &kRoofline,   &kBarrier, &kMachines, &kRealMachine};
  return all;
}

const Experiment& find_experiment(const std::string& name) {
  std::vector<std::string> names;
  for (const Experiment* experiment : experiments()) {
    if (name == experiment->name) return *experiment;
    names.emplace_back(experiment->name);
  }
  throw UserError(
      fmt::format("reproduce: unknown experiment {}{}", name.substr(0, 200),
                  did_you_mean(name, names, fmt::format("there are {}", fmt::join(names, ", ")))));
}

}  // namespace psim::reproduce
