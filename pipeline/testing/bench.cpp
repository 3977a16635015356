// SPDX-License-Identifier: Apache-2.0
#include "pipeline/testing/bench.h"

namespace psim::pipeline::testing {

namespace {
// Brings the line of `address` in without leaving a trace in the cycles of the run: before cycle 0 there is
// none, so the cache is asked and answered by hand.
void warm(L1Cache& cache, std::uint64_t address, AccessKind kind) {
  std::uint64_t cycle = 0;
  while (cache.access(address, 1, kind, cycle, 0).outcome == Outcome::Refused)
    cache.drain(++cycle, [](auto&) {});
  cache.drain(kNever - 1, [](auto&) {});
}
}  // namespace

std::uint64_t Seen::first(Stage stage) const {
  for (const StageEvent& e : stages)
    if (e.stage == stage) return e.cycle;
  return kNever;
}

std::uint64_t Seen::last(Stage stage) const {
  std::uint64_t cycle = kNever;
  for (const StageEvent& e : stages)
    if (e.stage == stage) cycle = e.cycle;
  return cycle;
}

Bench::Bench(Program& program, const BenchConfig& config)
    : instruction_level(config.below_latency, config.below),
      data_level(config.below_latency, config.below),
      instruction_cache(config.instruction_cache, instruction_level),
      data_cache(config.data_cache, data_level) {
  instruction_level.connect(instruction_cache);
  data_level.connect(data_cache);
  for (std::size_t i = 0; i < program.size(); ++i) {
    const isa::InstructionRecord& record = program.record(i);
    if (config.warm_instructions) warm(instruction_cache, record.pc, AccessKind::Fetch);
    if (config.warm_data && record.address) warm(data_cache, record.address, AccessKind::Load);
  }
  instruction_level.reads = data_level.reads = 0;
  core = std::make_unique<Core>("core", config.core, program, instruction_cache, data_cache, config.options);
  if (config.observed) core->attach(*this);
}

Bench::~Bench() = default;

void Bench::run() {
  sc_core::sc_start();
  core->check();
}

void Bench::on_leave(const InstructionTimeline& t) {
  Seen seen{t.pc,
            t.address,
            t.end,
            t.flushed,
            {t.stages.begin(), t.stages.end()},
            {t.stalls.begin(), t.stalls.end()}};
  (t.flushed ? flushed : committed).push_back(std::move(seen));
}

}  // namespace psim::pipeline::testing
