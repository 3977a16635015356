// SPDX-License-Identifier: Apache-2.0
// The kernels as an expert of this machine would write them (workloads/kernels/expert), next to the plain
// ones, with the share of the machine's peak that they reach. No paper has their numbers, so nothing is
// judged.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "machines/machine.h"
#include "papers/measurements.h"

namespace psim::reproduce {

/// A line of expert/kernels.txt.
struct ExpertKernel {
  std::string name;
  unsigned order;  ///< the measured N
  double bytes;    ///< least traffic with memory at that N; 0: bound by arithmetic
};
/// Parses the text of that file. Throws std::runtime_error for a malformed line.
std::vector<ExpertKernel> parse_expert_kernels(std::string_view text);

class ExpertKernels {
 public:
  explicit ExpertKernels(Measurements& measured) : measured_(measured) {}

  /// Requests the measurement of every kernel in both modes.
  void request();
  /// Returns, after the measurement, a line for each kernel and mode with its share of peak and, if memory
  /// bounds it, of bandwidth.
  std::string table(const Machine& scalar, const Machine& simd) const;
  /// Returns [{"kernel", "mode", "order", "seconds", "flops", "part_of_peak", "part_of_bandwidth"}]. The last
  /// is null if arithmetic is the bound.
  nlohmann::ordered_json json(const Machine& scalar, const Machine& simd) const;

 private:
  Measurements& measured_;
  std::vector<ExpertKernel> kernels_;
};

}  // namespace psim::reproduce
