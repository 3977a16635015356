// SPDX-License-Identifier: Apache-2.0
#include "pipeline/node_config.h"

#include <fmt/format.h>

#include "guest/process.h"

namespace psim::pipeline {

void describe(Schema& schema, NodeConfig& config) {
  schema.section("node", "cores of a node, and the threads of a program on them");
  schema.add("node.cores", config.cores, {1, NodeConfig::kMostCores},
             "cores with private L1 caches and a shared L2; thread i of a program runs on core i mod cores",
             "paper 003 4");
  schema.add("node.thread_wake", config.thread_wake, Dimension::Cycles, {0, 100'000'000},
             "from a futex wake, or the creation of a thread, to its first fetch", kAssumption);
  schema.add("node.thread_switch", config.thread_switch, Dimension::Cycles, {0, 100'000'000},
             "cost of a core that changes to another of its threads", kAssumption);
  schema.add("node.time_slice", config.time_slice, Dimension::Cycles, {1000, 4'000'000'000},
             "turn of a thread while other threads of its core are ready", kAssumption);
  schema.leave_out_defaults("node.");
}

std::string shared_core_note(const isa::Process& process) {
  if (!process.threaded() || process.threads.placement().cores > 1) return {};
  return fmt::format(
      "the {} threads of the program share one core, in turns of {} cycles (node.time_slice); --set "
      "node.cores=2 … {} gives them more cores",
      process.threads.all().size(), process.threads.placement().slice_cycles, NodeConfig::kMostCores);
}

}  // namespace psim::pipeline
