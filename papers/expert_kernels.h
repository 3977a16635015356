// SPDX-License-Identifier: Apache-2.0
// The kernels as an expert of this machine would write them (workloads/kernels/expert), beside the plain
// ones: how much of what the machine could do they do. No paper has their numbers, so nothing is judged.
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
  unsigned order;  ///< N that is measured
  double bytes;    ///< least traffic with memory at that N; 0: bound by arithmetic
};
/// `text` is that file. Throws std::runtime_error for a line that is none.
std::vector<ExpertKernel> parse_expert_kernels(std::string_view text);

class ExpertKernels {
 public:
  explicit ExpertKernels(Measurements& measured) : measured_(measured) {}

  /// Names every kernel in both modes as to be measured.
  void want();
  /// After that: a line a kernel and mode with its part of peak and, where memory bounds it, of bandwidth.
  std::string table(const Machine& scalar, const Machine& simd) const;
  /// [{"kernel", "mode", "order", "seconds", "flops", "part_of_peak", "part_of_bandwidth"}], the last null
  /// where arithmetic is the bound.
  nlohmann::ordered_json json(const Machine& scalar, const Machine& simd) const;

 private:
  Measurements& measured_;
  std::vector<ExpertKernel> kernels_;
};

}  // namespace psim::reproduce
