// SPDX-License-Identifier: Apache-2.0
// The core on the whole memory system: cycles between dependent instructions, derived by hand from the
// latencies of the levels (L1 4, L2 20, memory 120; each level adds its own).
#include <gtest/gtest.h>

#include <random>

#include "pipeline/core.h"
#include "pipeline/memory/memory_system.h"
#include "pipeline/testing/program.h"
#include "pipeline/testing/systemc_test.h"
#include "pipeline/testing/textbook_memory.h"

namespace psim::pipeline {
namespace {

using namespace testing;
using sc_core::sc_time;

class CoreChain : public SystemCTest {};

struct ChainMachine {
  CoreConfig core;
  L1Config instructions, data;
  L2Config l2;
  MemoryConfig memory;
  RunOptions options;
  ChainMachine() {
    instructions.prefetch = Prefetch::Perfect;
    data.tlb.enabled = false;
  }
};

struct Chain : CoreObserver {
  Chain(Program& program, const ChainMachine& machine, bool own_memory = true)
      : instruction_port("instruction_port", 64, period),
        data_port("data_port", 64, period),
        instructions(machine.instructions, instruction_port),
        data(machine.data, data_port),
        l2("l2", machine.l2, period),
        core("core", machine.core, program, instructions, data, machine.options) {
    instruction_port.serve(instructions);
    data_port.serve(data);
    instruction_port.out_lines.bind(l2.in_requests);
    data_port.out_lines.bind(l2.in_requests);
    l2.out_back_invalidate(instruction_port);
    l2.out_back_invalidate(data_port);
    core.attach(*this);
    if (own_memory) {
      memory = std::make_unique<MemoryController>("memory", machine.memory, period);
      l2.out_lines.bind(memory->in_requests);
    } else {
      textbook = std::make_unique<TextbookMemory>("textbook");
      l2.out_lines.bind(textbook->socket);
    }
  }
  void run() {
    sc_core::sc_start();
    core.check();
    EXPECT_TRUE(core.finished());
  }
  void on_leave(const InstructionTimeline& timeline) override {
    if (timeline.flushed) return;
    std::uint64_t x = 0;
    std::uint64_t u = 0;
    for (const StageEvent& event : timeline.stages) {
      if (event.stage == Stage::X) x = event.cycle;
      if (event.stage == Stage::U) u = event.cycle;
    }
    execute.push_back(x);
    update.push_back(u);
  }
  std::uint64_t part(CpiPart part) { return core.totals().cpi[static_cast<std::size_t>(part)]; }

  sc_time period{500, sc_core::SC_PS};
  L1Port instruction_port, data_port;
  L1Cache instructions, data;
  L2Cache l2;
  Core core;
  std::unique_ptr<MemoryController> memory;
  std::unique_ptr<TextbookMemory> textbook;
  std::vector<std::uint64_t> execute, update;  ///< last X and U of each committed instruction
};

TEST_F(CoreChain, DependentLoadsAreApartByTheLatenciesOfTheLevelsTheyPass) {
  ChainMachine machine;
  machine.data.bytes = 128;  // two lines: a round of four leaves nothing in L1, all in L2
  Program program;
  for (int round = 0; round < 2; ++round)
    for (std::uint64_t i = 0; i < 4; ++i) program.load(r(1), 1, 0x800000 + 4096 * i);
  program.load(r(1), 1, 0x800000 + 4096 * 3);
  program.add(1, 1, 1);
  Chain chain(program, machine);
  chain.run();
  const auto apart = [&](std::size_t i) { return chain.execute[i + 1] - chain.execute[i]; };
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(apart(i), 4u + 20 + 120) << i;  // first use: memory
  for (std::size_t i = 4; i < 8; ++i) EXPECT_EQ(apart(i), 4u + 20) << i;        // second: L2
  EXPECT_EQ(apart(8), 4u);                                                      // the line before: L1
}

TEST_F(CoreChain, WaitingIsChargedToTheLevelThatSuppliedTheLine) {
  ChainMachine machine;
  Program program;
  for (std::uint64_t i = 0; i < 50; ++i) program.load(r(1), 1, 0x800000 + 4096 * i);
  Chain chain(program, machine);
  chain.run();
  // Each takes 144 cycles, and commits in one of them.
  EXPECT_EQ(chain.part(CpiPart::Memory), 50u * 143);
  EXPECT_EQ(chain.part(CpiPart::L2), 0u);
}

TEST_F(CoreChain, AFirstInstructionWaitsForItsLineFromMemory) {
  Program program;
  program.nop();
  std::uint64_t cycles[2];
  for (const bool perfect : {false, true}) {
    renew_context();
    ChainMachine machine;
    machine.instructions.prefetch = perfect ? Prefetch::Perfect : Prefetch::None;
    machine.instructions.tlb.enabled = false;
    program.rewind();
    Chain chain(program, machine);
    chain.run();
    cycles[perfect] = chain.core.totals().cycles;
  }
  EXPECT_EQ(cycles[false] - cycles[true], 20u + 120);
}

TEST_F(CoreChain, IndependentLoadsAreLimitedByTheBandwidthOfMemory) {
  ChainMachine machine;  // 8 cycles per line; enough resources to keep 144 / 8 = 18 lines under way
  machine.data.miss_registers = 32;
  machine.core.load_store.fetch_ports = 64;
  Program program;
  for (std::uint64_t i = 0; i < 200; ++i) program.load(r(1), 2, 0x800000 + 64 * i);
  Chain chain(program, machine);
  chain.run();
  for (std::size_t i = 50; i + 1 < 200; ++i) EXPECT_EQ(chain.update[i + 1] - chain.update[i], 8u) << i;
}

/// Loads and stores over more lines than the caches hold, some of them dependent.
Program random_program() {
  std::mt19937 random(3);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Program program;
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t address = 0x800000 + 64 * below(64);
    if (below(3) == 0)
      program.store(r(1 + below(8)), 1 + below(8), address);
    else if (below(2) == 0)
      program.load(r(1 + below(8)), 1 + below(8), address);
    else
      program.add(1 + below(8), 1 + below(8), 1 + below(8));
  }
  return program;
}

ChainMachine small_machine() {
  ChainMachine machine;
  machine.instructions.prefetch = Prefetch::None;
  machine.instructions.bytes = 1024;
  machine.data.bytes = 512;
  machine.data.miss_registers = 4;
  machine.l2.bytes = 64 * 32;
  machine.l2.ways = 4;
  machine.l2.miss_registers = 3;
  return machine;
}

TEST_F(CoreChain, SkippingIdleCyclesChangesNothingOverAnyMemory) {
  for (const bool own_memory : {true, false}) {
    Totals totals[2];
    std::uint64_t stepped[2];
    for (const bool skip : {false, true}) {
      renew_context();
      ChainMachine machine = small_machine();
      machine.options.skip_idle = skip;
      Program program = random_program();
      Chain chain(program, machine, own_memory);
      chain.run();
      totals[skip] = chain.core.totals();
      stepped[skip] = chain.core.stepped_cycles();
      EXPECT_GT(chain.l2.stats().back_invalidates + chain.data.stats().back_invalidates, 0u);
    }
    EXPECT_EQ(totals[0].cycles, totals[1].cycles) << own_memory;
    EXPECT_EQ(totals[0].cpi, totals[1].cpi) << own_memory;
    EXPECT_LT(stepped[1], stepped[0]) << own_memory;
  }
}

}  // namespace
}  // namespace psim::pipeline
