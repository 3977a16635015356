// SPDX-License-Identifier: Apache-2.0
// Steps the cores of several nodes in one process. An action of one node reaches another one only after some
// time, `ahead`, so each may be this far ahead of the others. They take turns of many cycles, which costs the
// host less than a process each that the kernel would activate for each cycle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

#include "pipeline/self_timed.h"

namespace psim::pipeline {

class StepSchedule : public sc_core::sc_module, private SelfTimed::Waker {
 public:
  /// `ahead`: in units of the time resolution. No part runs any more once `stopped` returns true.
  StepSchedule(const sc_core::sc_module_name& name, std::uint64_t ahead, std::function<bool()> stopped);
  /// Adds a part, which outlives this, before the simulation starts.
  void add(SelfTimed& part);

 private:
  void wake(std::size_t part) override;
  void activate();

  const std::uint64_t ahead_;
  const std::function<bool()> stopped_;
  std::vector<SelfTimed*> parts_;
  std::vector<std::uint64_t> next_;  ///< time at which a part runs again; kNever: after wake() only, or never
  sc_core::sc_event wake_;
};

}  // namespace psim::pipeline
