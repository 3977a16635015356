// SPDX-License-Identifier: Apache-2.0
// Models: the wires between the transfer engine and the memory controller; the engine's TLM-2.0 initiator.
// Converts the core's cycles to SystemC time, as L1Port does.
#pragma once

#include "pipeline/memory/line_requester.h"
#include "pipeline/simd/transfer_unit.h"

namespace psim::pipeline {

class TransferPort : public LineRequester, public TransferMemory {
 public:
  /// Creates the port. Cycle n of the core is the time n × `period`.
  TransferPort(const sc_core::sc_module_name& name, std::uint32_t line_bytes, sc_core::sc_time period)
      : LineRequester(name, line_bytes), period_(period.value()) {}
  void serve(TransferUnit& unit) {
    unit_ = &unit;
    unit.connect(*this);
  }

  void request(std::uint64_t address, bool write, std::uint64_t cycle, std::uint32_t transfer) override {
    if (write)
      write_answered(address, transfer, cycle * period_);
    else
      read(address, AccessKind::Load, transfer, cycle * period_);
  }

 private:
  void arrived(std::uint32_t transfer, Level, Ticks at, bool at_once) override {
    // An answer without an annotated delay is noticed in the following cycle.
    const std::uint64_t cycle = (at + period_ - 1) / period_;
    unit_->served(transfer, at_once ? cycle : std::max(cycle, kernel_ticks() / period_ + 1));
  }

  Ticks period_;
  TransferUnit* unit_ = nullptr;
};

}  // namespace psim::pipeline
