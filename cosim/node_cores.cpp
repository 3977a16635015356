// SPDX-License-Identifier: Apache-2.0
#include "cosim/node_cores.h"

#include <algorithm>

namespace psim::cosim {

NodeCores::NodeCores(const pipeline::MachineConfig& machine,
                     const std::vector<isa::InstructionSource*>& sources, const pipeline::RunOptions& options)
    : registries_(sources.size()) {
  if (sources.size() == 1) {
    one_.emplace(machine, *sources.front(), options);
    one_->register_statistics(registries_.front());
    return;
  }
  chip_.emplace(machine, sources, options);
  for (std::size_t n = 0; n < sources.size(); ++n) {
    chip_->tiles[n]->register_core_statistics(registries_[n]);
    chip_->tiles[n]->register_simd_statistics(registries_[n]);
  }
  chip_->register_shared_statistics(shared_);
}

void NodeCores::join(pipeline::StepSchedule& schedule) {
  if (chip_)
    schedule.add(chip_->group);
  else
    schedule.add(one_->core);
}

void NodeCores::shift_addresses(std::size_t n, std::uint64_t offset) {
  if (!chip_) return;
  chip_->tiles[n]->instruction_port.shift_addresses(offset);
  chip_->tiles[n]->data_port.shift_addresses(offset);
}

void NodeCores::wake(std::uint32_t n) {
  if (chip_)
    chip_->group.wake(n);
  else
    one_->core.wake();
}

void NodeCores::unpark(std::uint32_t n, std::uint64_t cycle) {
  if (chip_)
    chip_->group.unpark(n, cycle);
  else
    one_->core.wake();
}

void NodeCores::check() const {
  if (chip_)
    chip_->group.check();
  else
    one_->core.check();
}

void NodeCores::align() {
  if (chip_) chip_->group.align();
}

pipeline::Totals NodeCores::totals() const {
  if (one_) return one_->core.totals();
  pipeline::Totals sum;
  for (const auto& tile : chip_->tiles) {
    const pipeline::Totals core = tile->core.totals();
    sum.cycles = std::max(sum.cycles, core.cycles);
    sum.instructions += core.instructions;
    sum.flops += core.flops;
    for (std::size_t part = 0; part < sum.cpi.size(); ++part) sum.cpi[part] += core.cpi[part];
  }
  return sum;
}

NodeCores::Counts NodeCores::counts() const {
  using Detail = statistics::Registry::Detail;
  Counts counts;
  for (const statistics::Registry& registry : registries_) counts.cores += registry.snapshot(Detail::Buckets);
  if (chip_) counts.shared = shared_.snapshot(Detail::Buckets);
  return counts;
}

std::vector<statistics::Reading> NodeCores::read(const Counts& counts) const {
  std::vector<statistics::Reading> readings = registries_.front().read(counts.cores);
  if (chip_)
    for (statistics::Reading& reading : shared_.read(counts.shared)) readings.push_back(std::move(reading));
  return readings;
}

}  // namespace psim::cosim
