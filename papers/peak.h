// SPDX-License-Identifier: Apache-2.0
// The share of a machine's peak performance that a kernel reaches.
#pragma once

#include "machines/machine.h"
#include "papers/kernel_run.h"

namespace psim::reproduce {

/// Returns the operations per cycle of a machine whose pipes all do a multiply-add, two operations, in each
/// cycle. These are the pipes of the PEs if it has any (paper 003: 64 GFlop/s for 16 at 2 GHz), else the
/// core's own.
inline double peak_flops_per_cycle(const Machine& machine) {
  const unsigned pipes =
      machine.simd.pes == 0 ? machine.core.pipes.fp : machine.simd.pes * machine.core.simd.arithmetic_pipes;
  return 2.0 * pipes;
}

/// Returns the share, 0 … 1.
inline double part_of_peak(const KernelCost& cost, const Machine& machine) {
  return static_cast<double>(cost.flops) / (static_cast<double>(cost.cycles) * peak_flops_per_cycle(machine));
}

}  // namespace psim::reproduce
