// SPDX-License-Identifier: Apache-2.0
// How much of what a machine could do a kernel does.
#pragma once

#include "machines/machine.h"
#include "papers/kernel_run.h"

namespace psim::reproduce {

/// Operations a cycle of a machine whose pipes all do a multiply-add, two operations, each cycle: those of
/// the PEs if it has any (paper 003: 64 GFlop/s for 16 at 2 GHz), else the core's own.
inline double peak_flops_per_cycle(const Machine& machine) {
  const unsigned pipes =
      machine.simd.pes == 0 ? machine.core.pipes.fp : machine.simd.pes * machine.core.simd.arithmetic_pipes;
  return 2.0 * pipes;
}

/// 0 … 1.
inline double part_of_peak(const KernelCost& cost, const Machine& machine) {
  return static_cast<double>(cost.flops) / (static_cast<double>(cost.cycles) * peak_flops_per_cycle(machine));
}

}  // namespace psim::reproduce
