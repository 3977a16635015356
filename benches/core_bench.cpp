// SPDX-License-Identifier: Apache-2.0
// Host time of an instruction on the core over the whole memory system: loads that depend on each other, each
// from memory, beside the baseline of the same run, a kernel of loads and multiply-adds that lives in L1.
// Records come ready-made, so this is the timing model alone.
#include <benchmark/benchmark.h>

#include "pipeline/core.h"
#include "pipeline/memory/memory_system.h"
#include "pipeline/testing/program.h"

namespace {

using namespace psim;
using namespace psim::pipeline;
using namespace psim::pipeline::testing;

void run(benchmark::State& state, Program& program) {
  for (auto _ : state) {
    sc_core::sc_curr_simcontext = new sc_core::sc_simcontext;  // SystemC elaborates once in a context
    sc_core::sc_default_global_context = sc_core::sc_curr_simcontext;
    program.rewind();
    const sc_core::sc_time period(500, sc_core::SC_PS);
    L1Config config;
    L1Port instruction_port("instruction_port", 64, period);
    L1Port data_port("data_port", 64, period);
    L1Cache instructions(config, instruction_port);
    L1Cache data(config, data_port);
    instruction_port.serve(instructions);
    data_port.serve(data);
    MemorySystem below("below", L2Config{}, MemoryConfig{}, period);
    below.attach(instruction_port);
    below.attach(data_port);
    Core core("core", CoreConfig{}, program, instructions, data);
    sc_core::sc_start();
    core.check();
    const Totals totals = core.totals();
    state.counters["instructions"] = static_cast<double>(totals.instructions);
    state.counters["cycles"] = static_cast<double>(totals.cycles);
    state.counters["stepped"] = static_cast<double>(core.stepped_cycles());
    state.SetItemsProcessed(state.items_processed() + static_cast<std::int64_t>(totals.instructions));
  }
}

constexpr std::uint64_t kInstructions = 120'000;

/// A loop of 8 instructions whose loads hit L1.
void KernelInL1(benchmark::State& state) {
  using isa::LatencyClass;
  using isa::Unit;
  Program program;
  const std::uint64_t loop = program.pc();
  for (std::uint64_t i = 0; i < kInstructions / 8; ++i) {
    program.at(loop);
    program.load(d(2), 1, 0x800000 + i % 512 * 8);
    program.load(d(4), 2, 0x900000 + i % 64 * 512);
    program.op(Unit::Fp, LatencyClass::FpMultiplyAdd, {d(2), d(4), d(6)}, {d(6)});
    program.add(1, 1, 3);
    program.add(2, 2, 3);
    program.op(Unit::Int, LatencyClass::IntSimple, {r(4)}, {r(4), ccr()});
    program.branch(isa::BranchKind::Conditional, true, loop, {ccr()});
    program.nop();
  }
  run(state, program);
}
BENCHMARK(KernelInL1)->Unit(benchmark::kMillisecond);

/// A loop of 4 instructions, one of them a load from memory that the next round depends on.
void PointerChaseOverMemory(benchmark::State& state) {
  using isa::LatencyClass;
  using isa::Unit;
  Program program;
  const std::uint64_t loop = program.pc();
  std::uint64_t line = 0;
  for (std::uint64_t i = 0; i < kInstructions / 4; ++i) {
    program.at(loop);
    program.load(r(1), 1, (1 << 30) + line * 64);
    program.op(Unit::Int, LatencyClass::IntSimple, {r(1)}, {ccr()});
    program.branch(isa::BranchKind::Conditional, true, loop, {ccr()});
    program.nop();
    line = (line + 40'503) & ((1 << 20) - 1);
  }
  run(state, program);
}
BENCHMARK(PointerChaseOverMemory)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
