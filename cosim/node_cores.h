// SPDX-License-Identifier: Apache-2.0
// The cores of a node with their caches and memory: one core with a process of its own, or a chip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/statistics/registry.h"
#include "pipeline/chip.h"
#include "pipeline/step_schedule.h"
#include "pipeline/wired_core.h"

namespace psim::cosim {

class NodeCores {
 public:
  /// Core n runs source n; `machine` and the sources outlive this. Only a single core has intervals.
  NodeCores(const pipeline::MachineConfig& machine, const std::vector<isa::InstructionSource*>& sources,
            const pipeline::RunOptions& options);

  pipeline::Core& core(std::size_t n) { return chip_ ? chip_->tiles[n]->core : one_->core; }
  pipeline::L1Cache& data_cache(std::size_t n) {
    return chip_ ? chip_->tiles[n]->data_cache : one_->data_cache;
  }
  pipeline::MemorySystem& memory() { return chip_ ? chip_->memory : one_->memory; }
  /// Makes `schedule` step the cores, before the simulation.
  void join(pipeline::StepSchedule& schedule);
  /// Adds `offset` to the addresses of core n of a chip, before the simulation.
  void shift_addresses(std::size_t n, std::uint64_t offset);
  /// Makes core n continue after an event of the present, if its source has nothing to run.
  void wake(std::uint32_t n);
  /// Makes core n, whose source has nothing to run, fetch from `cycle` on, or look at its source earlier.
  void unpark(std::uint32_t n, std::uint64_t cycle);
  /// Throws the error that ended the cores early.
  void check() const;
  /// Makes the clocks of all cores equal. Call it once, after the simulation.
  void align();
  /// Returns the sum over the cores, with the cycles of the whole run.
  pipeline::Totals totals() const;

  /// The counts of a node; those of nodes of one machine can be added.
  struct Counts {
    statistics::Snapshot cores;   ///< the sum over the cores; of a machine of one core, with its memory
    statistics::Snapshot shared;  ///< of what the cores of a chip share
    void operator+=(const Counts& other) {
      cores += other.cores;
      shared += other.shared;
    }
  };
  Counts counts() const;
  std::vector<statistics::Reading> read(const Counts& counts) const;

 private:
  std::optional<pipeline::WiredCore> one_;
  std::optional<pipeline::Chip> chip_;
  std::vector<statistics::Registry> registries_;  ///< of the cores
  statistics::Registry shared_;
};

}  // namespace psim::cosim
