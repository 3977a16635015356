// SPDX-License-Identifier: Apache-2.0
// The statistics of a core: its own and those of its parts, their samples, intervals and activity.
#include "pipeline/core.h"

namespace psim::pipeline {

CoreStats::CoreStats(const CoreConfig& config, const std::uint64_t& now, const CommitStats& commit)
    : cycles(*this, "cycles", "cycles", "cycles simulated", now),
      ipc(*this, "ipc", "instructions/cycle", "instructions committed per cycle", {commit.instructions},
          {cycles}),
      commit_stack(*this, "commit_stack", "instructions", "entries of the commit stack in use; sampled",
                   config.window.commit_stack),
      instruction_buffer(*this, "instruction_buffer", "instructions",
                         "instructions fetched and not yet decoded; sampled",
                         config.fetch.instruction_buffer),
      integer_rename(*this, "integer_rename", "registers", "integer rename registers (GUB) in use; sampled",
                     config.window.integer_rename),
      fp_rename(*this, "fp_rename", "registers", "floating-point rename registers (FUB) in use; sampled",
                config.window.fp_rename) {}

void Core::count_activity() {
  activity_ = std::make_unique<ActivityCounter>(config_.latency, window_.stages);
  fetch_.set_activity(activity_.get());
  dispatch_.set_activity(activity_.get());
  operands_.set_activity(activity_.get());
  decode_.set_activity(activity_.get());
  commit_.set_activity(activity_.get());
}

Activity Core::activity() const {
  Activity sample = activity_ ? activity_->counts : Activity{};
  sample.cycles = now_;
  const auto add = [](CacheActivity& to, const L1Cache& cache) {
    to.fills = cache.stats().requests;
    to.prefetches = cache.stats().prefetch_lookups;
    to.write_backs = cache.stats().write_backs;
    to.tlb_refills = cache.tlb().stats().micro_misses;
  };
  add(sample.instruction_cache, instruction_cache_);
  add(sample.data_cache, data_cache_);
  sample.transfers.requests = transfers_.requests();
  return sample;
}

void Core::register_statistics(statistics::Registry& registry) const {
  registry.add("core", "The core as a whole", stats_);
  registry.add("branch", "Branches and their prediction", fetch_.branch_stats());
  registry.add("decode", "Decode and rename (D)", decode_.stats());
  registry.add("issue", "Issue from the reservation stations to the pipes (P)", dispatch_.stats());
  registry.add("stations", "Reservation stations", pipes_.stats());
  registry.add("load_store", "Operand access: loads, stores and the store queue", operands_.stats());
  registry.add("commit", "Commit (W)", commit_.stats());
  registry.add("l1i", "First-level instruction cache", instruction_cache_.stats());
  registry.add("itlb", "TLBs of instructions", instruction_cache_.tlb().stats());
  registry.add("l1d", "First-level data cache", data_cache_.stats());
  registry.add("dtlb", "TLBs of data", data_cache_.tlb().stats());
  registry.set_run(stats_.cycles.count(), 1.0 / config_.clock_hz, commit_.stats().instructions.count());
}

/// Samples the occupancy of queues after cycle now() - 1.
void Core::sample(std::uint64_t times) {
  stats_.commit_stack.add(window_.in_commit_stack(), times);
  stats_.instruction_buffer.add(window_.in_instruction_buffer(), times);
  stats_.integer_rename.add(config_.window.integer_rename - rename_.integer_free(), times);
  stats_.fp_rename.add(config_.window.fp_rename - rename_.fp_free(), times);
  pipes_.sample(times);
  operands_.sample(times);
  instruction_cache_.sample(times);
  data_cache_.sample(times);
}

Totals Core::totals() const {
  return {now_, commit_.stats().instructions, commit_.stats().flops, commit_.cpi().stack()};
}

void Core::end_interval() {
  const Totals end = totals();
  if (end.cycles == interval_start_.cycles) return;
  const Interval interval{interval_start_.cycles, end.cycles, end.instructions - interval_start_.instructions,
                          CpiAccount::between(interval_start_.cpi, end.cpi)};
  for (CoreObserver* observer : observers_) observer->on_interval(interval);
  interval_start_ = end;
}

}  // namespace psim::pipeline
