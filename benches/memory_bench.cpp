// SPDX-License-Identifier: Apache-2.0
// Host time of the memory system: a hit in L1, a miss served by L2, a miss served by memory. The baseline of
// the run is one activation of a self-timed SystemC process: what a miss would pay at least for each event.
#include <benchmark/benchmark.h>

#include "pipeline/memory/memory_system.h"

// libsystemc refers to sc_main; main() is Google Benchmark's.
int sc_main(int, char**) { return 0; }

namespace {

using namespace psim::pipeline;

struct Timer : sc_core::sc_module {
  explicit Timer(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Timer);
    SC_METHOD(tick);
  }
  void tick() { next_trigger(step); }
  const sc_core::sc_time step{500, sc_core::SC_PS};
};

// SystemC elaborates once in a process, so all benchmarks share this machine.
struct Machine {
  Machine()
      : port("port", 64, period), below("below", L2Config{}, MemoryConfig{}, period), cache(config(), port) {
    port.serve(cache);
    below.attach(port);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  static L1Config config() { return {}; }
  /// A load by itself; the next begins when its data is there.
  void chase(std::uint64_t address) {
    for (;;) {
      const Access access = cache.access(address, 8, AccessKind::Load, cycle, 0);
      if (access.outcome != Outcome::Refused) {
        if (access.outcome == Outcome::Hit) return void(cycle = access.cycle);
        const std::uint64_t event = cache.next_event_cycle();
        return cache.drain(event, [&](const Completion& completion) { cycle = completion.cycle; });
      }
      cycle = access.cycle;
    }
  }
  sc_core::sc_time period{500, sc_core::SC_PS};
  L1Port port;
  MemorySystem below;
  L1Cache cache;
  Timer timer{"timer"};
  std::uint64_t cycle = 0;
};

Machine& machine() {
  static Machine the_machine;
  return the_machine;
}

void L1Hit(benchmark::State& state) {
  Machine& m = machine();
  for (std::uint64_t i = 0; i < 64; ++i) m.chase(i * 8);
  std::uint64_t cycle = m.cycle;
  std::uint64_t i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(m.cache.access(i++ % 64 * 8, 8, AccessKind::Load, ++cycle, 0));
  m.cycle = cycle;
}
BENCHMARK(L1Hit);

void L1HitOverSixteenPages(benchmark::State& state) {
  Machine& m = machine();
  for (int round = 0; round < 2; ++round)
    for (std::uint64_t i = 0; i < 16; ++i) m.chase(i * 8256);
  std::uint64_t cycle = m.cycle;
  std::uint64_t i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(m.cache.access(i++ % 16 * 8256, 8, AccessKind::Load, ++cycle, 0));
  m.cycle = cycle;
}
BENCHMARK(L1HitOverSixteenPages);

/// Loads that depend on each other, over `state.range(0)` lines in an order without neighbours.
void DependentLoads(benchmark::State& state) {
  Machine& m = machine();
  const auto lines = static_cast<std::uint64_t>(state.range(0));
  std::uint64_t line = 0;
  const std::uint64_t begin = m.cycle;
  for (auto _ : state) {
    m.chase((1 << 30) + line * 64);
    line = (line + 40'503) & (lines - 1);
  }
  state.counters["cycles"] = static_cast<double>(m.cycle - begin) / static_cast<double>(state.iterations());
}
BENCHMARK(DependentLoads)->ArgName("lines")->Arg(1 << 15)->Arg(1 << 20);  // 2 MB: in L2; 64 MB: in memory

/// An iteration is a thousand activations. Last: it moves the kernel's time past that of the loads.
void AThousandActivationsOfAProcess(benchmark::State& state) {
  const sc_core::sc_time thousand = 1000 * machine().timer.step;
  for (auto _ : state) sc_core::sc_start(thousand);
}
BENCHMARK(AThousandActivationsOfAProcess);

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
