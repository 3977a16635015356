// SPDX-License-Identifier: Apache-2.0
// One kernel on one machine, simulated by `psim run --energy`, and the cost of its region.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace psim::reproduce {

struct KernelRun {
  std::string kernel;                  ///< "paper/dgemm", of kernel_directory()
  std::vector<std::string> arguments;  ///< of the program
  std::string machine;                 ///< "simd16"
  std::vector<std::string> settings;   ///< applied after the machine, "l1d.prefetch=perfect"

  bool sample = false;  ///< estimate the cost from units

  std::string label() const;  ///< "paper/dgemm simd 256", for the user
};

/// The cost of the first region that the kernel marks.
struct KernelCost {
  std::uint64_t cycles = 0, instructions = 0, flops = 0;
  double seconds = 0, joules = 0;
  std::uint64_t cycles_low = 0, cycles_high = 0;  ///< 95 % interval; equal to `cycles` without a sample
};

/// Simulates with `psim run`; see run_psim() for `into`. If that fails, throws std::runtime_error with its
/// message. Throws it also if the kernel finds its own result wrong.
KernelCost simulate_kernel(const KernelRun& run, const std::string& into);

}  // namespace psim::reproduce
