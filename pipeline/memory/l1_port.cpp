// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memory/l1_port.h"

namespace psim::pipeline {

L1Port::L1Port(const sc_core::sc_module_name& name, std::uint32_t line_bytes, sc_core::sc_time period)
    : LineRequester(name, line_bytes), period_(period.value()) {}

void L1Port::read(std::uint64_t address, AccessKind kind, std::uint64_t cycle, std::uint32_t miss_register) {
  request_cycle_ = cycle;
  LineRequester::read(address + offset_, kind, miss_register, cycle * period_);
}

void L1Port::write_back(std::uint64_t address, std::uint64_t cycle) {
  write(address + offset_, cycle * period_);
}

void L1Port::arrived(std::uint32_t miss_register, Level level, Ticks at, bool at_once) {
  const std::uint64_t cycle = (at + period_ - 1) / period_;
  if (at_once) {
    // The request leaves L1 some cycles after the core's present one: the answer can be reported then.
    cache_->fill(miss_register, cycle, request_cycle_, level, shared());
    return;
  }
  cache_->fill(miss_register, cycle, kernel_ticks() / period_ + 1, level, shared());
}

}  // namespace psim::pipeline
