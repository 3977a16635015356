// SPDX-License-Identifier: Apache-2.0
// Runs a sparc64 program on one core, or an MPI program on nodes, with psim's memory or with that of
// stacked_memory.h, and prints cycles and statistics of memory:
//     stacked_memory built-in|stacked NODES PROGRAM [ARG…]
// NODES = 0 is one core without a network. SystemC simulates once per process, so a run has one memory.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/statistics/print.h"
#include "base/statistics/registry.h"
#include "cosim/cosim_run.h"
#include "guest/guest_program.h"
#include "guest/live_source.h"
#include "machines/machine.h"
#include "pipeline/wired_core.h"
#include "stacked_memory.h"

namespace {

using Words = std::vector<std::string>;
constexpr const char* kMachine = MACHINES "/sparc64v.toml";

/// Makes the stack of a machine. It has parameters of its own; `config` are the keys memory.… of the machine.
std::unique_ptr<psim::pipeline::MemoryModel> make_stack(const sc_core::sc_module_name& name,
                                                        const psim::pipeline::MemoryConfig&,
                                                        const sc_core::sc_time& period) {
  return std::make_unique<StackedMemory>(name, StackConfig{}, period);
}

void print_memory(const std::vector<psim::statistics::Reading>& readings) {
  for (const auto& reading : readings)
    if (reading.component == "memory")
      std::printf("  %-15s %s %s\n", reading.statistic.name.c_str(),
                  psim::statistics::value_text(reading).c_str(), reading.statistic.unit.c_str());
}

void run_core(const psim::pipeline::MemoryFactory& memory, const Words& words) {
  const auto machine = psim::load_machine({.machine = kMachine, .sets = {}});
  machine->make_memory = memory;
  psim::GuestProgram guest = psim::load_guest(words, {}, 1);
  guest.options.timed = true;
  guest.options.simd = machine->simd;
  guest.options.cycles_per_second = static_cast<std::uint64_t>(machine->core.clock_hz);
  psim::isa::Process process(std::move(guest.image), guest.options);
  psim::isa::LiveSource live(process);
  psim::pipeline::WiredCore wired(*machine, live, {.skip_idle = true});
  psim::statistics::Registry registry;
  wired.register_statistics(registry);
  wired.run();
  std::printf("%llu cycles\n", static_cast<unsigned long long>(wired.core.totals().cycles));
  print_memory(registry.read(registry.snapshot()));
}

void run_nodes(const psim::pipeline::MemoryFactory& memory, std::uint32_t nodes, const Words& words) {
  const auto scenario = psim::make_scenario({.nodes = nodes,
                                             .machine = kMachine,
                                             .network = MACHINES "/torus3d.toml",
                                             .command = words,
                                             .sets = {}});
  scenario->node.make_memory = memory;
  psim::Progress silent(true);
  const psim::CosimResult result = psim::run_cosim(*scenario, {}, 1, silent);
  for (const psim::NodeResult& node : result.nodes)
    std::printf("%llu cycles\n", static_cast<unsigned long long>(node.cycles));
  print_memory(result.statistics);
}

}  // namespace

int main(int argc, char** argv) {
  const Words words(argv + 1, argv + argc);
  if (words.size() < 3 || (words[0] != "built-in" && words[0] != "stacked")) {
    std::fprintf(stderr, "expected: stacked_memory built-in|stacked NODES PROGRAM [ARG…]\n");
    return 2;
  }
  try {
    // An empty factory stands for psim's own model.
    const psim::pipeline::MemoryFactory memory =
        words[0] == "stacked" ? make_stack : psim::pipeline::MemoryFactory();
    const auto nodes = static_cast<std::uint32_t>(std::strtoul(words[1].c_str(), nullptr, 10));
    const Words program(words.begin() + 2, words.end());
    if (nodes == 0)
      run_core(memory, program);
    else
      run_nodes(memory, nodes, program);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stacked_memory: %s\n", error.what());
    return 2;
  }
}
