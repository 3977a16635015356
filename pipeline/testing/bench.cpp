// SPDX-License-Identifier: Apache-2.0
#include "pipeline/testing/bench.h"

#include <random>

namespace psim::pipeline::testing {

namespace {
// Loads the line of `address` long before cycle 0, so that the ports of cycle 0 stay free.
void warm(L1Cache& cache, std::uint64_t address, AccessKind kind) {
  std::uint64_t cycle = std::uint64_t{1} << 40;
  while (cache.access(address, 1, kind, cycle, 0).outcome == Outcome::Refused) ++cycle;
  cache.drain(kNever - 1, [](auto&) {});
}
}  // namespace

bool renew_systemc() {
  sc_core::sc_curr_simcontext = new sc_core::sc_simcontext;
  sc_core::sc_default_global_context = sc_core::sc_curr_simcontext;
  return true;
}

StageDepths some_depths(unsigned seed) {
  std::mt19937 random(seed);
  StageDepths depths;
  for (std::uint32_t* depth : {&depths.ib, &depths.ir, &depths.e, &depths.d, &depths.b, &depths.rs, &depths.u,
                               &depths.c, &depths.w1})
    *depth = 1 + static_cast<std::uint32_t>(random() % 4);
  return depths;
}

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
    : fresh(renew_systemc()),
      instruction_level(config.below_latency, config.below),
      data_level(config.below_latency, config.below),
      transfer_memory(config.transfer_latency, config.transfer_gap),
      instruction_cache(config.instruction_cache, instruction_level),
      data_cache(config.data_cache, data_level) {
  instruction_level.connect(instruction_cache);
  data_level.connect(data_cache);
  for (std::size_t i = 0; i < program.size(); ++i) {
    const isa::InstructionRecord& record = program.record(i);
    if (config.warm_data && record.address) warm(data_cache, record.address, AccessKind::Load);
  }
  if (config.warm_instructions)
    for (const std::uint64_t pc : program.addresses()) warm(instruction_cache, pc, AccessKind::Fetch);
  instruction_level.reads = data_level.reads = 0;
  core = std::make_unique<Core>("core", config.core, program, instruction_cache, data_cache, config.options);
  transfer_memory.connect(core->transfers());
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
            {t.stalls.begin(), t.stalls.end()},
            t.instruction->load,
            t.instruction->simd,
            t.pes,
            activity_of(t)};
  (t.flushed ? flushed : committed).push_back(std::move(seen));
}

}  // namespace psim::pipeline::testing
