// SPDX-License-Identifier: Apache-2.0
#include "papers/expert_kernels.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "papers/kernel_files.h"
#include "papers/peak.h"

namespace psim::reproduce {
namespace {

Case case_of(const ExpertKernel& kernel, bool simd) { return {"expert/" + kernel.name, simd, kernel.order}; }

/// Returns the share of the memory bandwidth. There is none if arithmetic bounds the kernel, or on the scalar
/// core, where every access hits by assumption.
std::optional<double> part_of_bandwidth(const ExpertKernel& kernel, bool simd, const KernelCost& cost,
                                        const Machine& machine) {
  if (kernel.bytes == 0 || !simd) return {};
  return kernel.bytes / cost.seconds / static_cast<double>(machine.memory.bytes_per_second);
}

}  // namespace

std::vector<ExpertKernel> parse_expert_kernels(std::string_view text) {
  std::vector<ExpertKernel> kernels;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    ExpertKernel kernel;
    unsigned test_order = 0;
    double bytes = 0, power = 0;
    if (!(words >> kernel.name >> test_order >> kernel.order >> bytes >> power))
      throw std::runtime_error(
          fmt::format("kernels/expert/kernels.txt: {}: expected a name, two sizes, bytes and a power", line));
    kernel.bytes = bytes * std::pow(kernel.order, power);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

void ExpertKernels::request() {
  kernels_ = parse_expert_kernels(read_kernel_file("expert/kernels.txt"));
  for (const ExpertKernel& kernel : kernels_)
    for (const bool simd : {false, true}) measured_.request(case_of(kernel, simd));
}

std::string ExpertKernels::table(const Machine& scalar, const Machine& simd) const {
  std::string text = fmt::format("{:<22}{:>10}{:>12}{:>12}{:>12}{:>14}\n", "expert kernels", "N", "ms",
                                 "GFlop/s", "of peak", "of bandwidth");
  for (const ExpertKernel& kernel : kernels_)
    for (const bool mode : {false, true}) {
      const KernelCost& cost = measured_.of(case_of(kernel, mode));
      const Machine& machine = mode ? simd : scalar;
      const std::optional<double> bandwidth = part_of_bandwidth(kernel, mode, cost, machine);
      text += fmt::format("{:<22}{:>10}{:>12.4g}{:>12.2f}{:>10.1f} %{:>14}\n",
                          fmt::format("{} {}", kernel.name, mode ? "SIMD" : "scalar"), kernel.order,
                          1e3 * cost.seconds, static_cast<double>(cost.flops) / cost.seconds * 1e-9,
                          100 * part_of_peak(cost, machine),
                          bandwidth ? fmt::format("{:.1f} %", 100 * *bandwidth) : "-");
    }
  return text;
}

nlohmann::ordered_json ExpertKernels::json(const Machine& scalar, const Machine& simd) const {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const ExpertKernel& kernel : kernels_)
    for (const bool mode : {false, true}) {
      const KernelCost& cost = measured_.of(case_of(kernel, mode));
      const std::optional<double> bandwidth = part_of_bandwidth(kernel, mode, cost, mode ? simd : scalar);
      rows.push_back(
          {{"kernel", kernel.name},
           {"mode", mode ? "simd" : "scalar"},
           {"order", kernel.order},
           {"seconds", cost.seconds},
           {"flops", cost.flops},
           {"part_of_peak", part_of_peak(cost, mode ? simd : scalar)},
           {"part_of_bandwidth", bandwidth ? nlohmann::ordered_json(*bandwidth) : nlohmann::ordered_json()}});
    }
  return rows;
}

}  // namespace psim::reproduce
