// SPDX-License-Identifier: Apache-2.0
// Memory models that MachineConfig::make_memory makes, behind whole cores.
#include "pipeline/memory/memory_model.h"

#include <gtest/gtest.h>

#include <memory>

#include "pipeline/chip.h"
#include "pipeline/testing/late_memory.h"
#include "pipeline/testing/program.h"
#include "pipeline/testing/systemc_test.h"
#include "pipeline/wired_core.h"

namespace psim::pipeline {
namespace {

using testing::LateMemory;
using testing::Program;
using testing::r;

class MemoryModels : public testing::SystemCTest {};

constexpr std::uint64_t kLoads = 200;

/// Loads of lines that no cache has, each of which needs the one before it, and writes of each fourth line.
Program chain(std::uint64_t base) {
  Program program(base);
  for (std::uint64_t i = 0; i < kLoads; ++i) {
    program.load(r(1), 1, base + 0x800000 + i * 64);
    if (i % 4 == 0) program.store(r(2), 1, base + 0x800000 + i * 64);
  }
  return program;
}

MachineConfig machine_with(MemoryFactory make_memory) {
  MachineConfig machine;
  machine.core.clock_hz = 2e9;
  machine.l1i.tlb.enabled = machine.l1d.tlb.enabled = false;
  machine.l2.bytes = 64 * 128;  // lines return to memory
  machine.l2.ways = 1;
  machine.l1i.bytes = machine.l1d.bytes = 4096;
  machine.make_memory = std::move(make_memory);
  return machine;
}

MemoryFactory late() {
  return [](const sc_core::sc_module_name& name, const MemoryConfig&, const sc_core::sc_time&) {
    return std::make_unique<LateMemory>(name);
  };
}

struct Counts {
  std::uint64_t cycles, reads, writes;
};
Counts run_one(MemoryFactory make_memory) {
  const MachineConfig machine = machine_with(std::move(make_memory));
  Program program = chain(0x100000);
  WiredCore wired(machine, program, {.skip_idle = true});
  wired.run();
  return {wired.core.totals().cycles, wired.activity().memory.reads, wired.activity().memory.writes};
}

TEST_F(MemoryModels, TheFactoryGetsTheKeysOfMemoryAndThePeriodOfTheCore) {
  MemoryConfig keys;
  sc_core::sc_time cycle;
  const Counts built_in = run_one({});
  renew_context();
  const Counts same = run_one(
      [&](const sc_core::sc_module_name& name, const MemoryConfig& config, const sc_core::sc_time& period) {
        keys = config;
        cycle = period;
        return std::make_unique<MemoryController>(name, config, period);
      });
  EXPECT_EQ(keys.latency, 120u);
  EXPECT_EQ(cycle, sc_core::sc_time(500, sc_core::SC_PS));
  EXPECT_EQ(same.cycles, built_in.cycles);
  EXPECT_EQ(same.reads, built_in.reads);
}

// 60 ns are the 120 cycles of the built-in memory. A core notices a late answer one cycle later, and uses it
// two cycles after that (pipeline/memory/memory_model.h).
TEST_F(MemoryModels, AModelWithAllPhasesCostsThreeCyclesPerLoad) {
  const Counts built_in = run_one({});
  renew_context();
  const Counts late_answers = run_one(late());
  EXPECT_EQ(late_answers.reads, built_in.reads);
  EXPECT_EQ(late_answers.writes, built_in.writes);
  EXPECT_GT(built_in.writes, 0u);
  EXPECT_GE(late_answers.cycles, built_in.cycles + 3 * kLoads);
  // Instructions come from the same memory.
  EXPECT_LE(late_answers.cycles, built_in.cycles + 3 * (built_in.reads + 1));
}

TEST_F(MemoryModels, CoresOfAChipShareAModelWithAllPhases) {
  MachineConfig machine = machine_with(late());
  machine.node.cores = 2;
  Program first = chain(0x100000), second = chain(0x100000);
  std::vector<isa::InstructionSource*> sources{&first, &second};
  Chip chip(machine, sources, {.skip_idle = true});
  chip.run();
  for (const auto& tile : chip.tiles) EXPECT_EQ(tile->core.totals().instructions, kLoads + kLoads / 4);
  EXPECT_GE(chip.memory.memory->stats().reads, kLoads);
}

}  // namespace
}  // namespace psim::pipeline
