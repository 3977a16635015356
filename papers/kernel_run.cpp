// SPDX-License-Identifier: Apache-2.0
#include "papers/kernel_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "papers/kernel_files.h"
#include "papers/psim_process.h"

namespace psim::reproduce {

std::string KernelRun::label() const { return fmt::format("{} {}", kernel, fmt::join(arguments, " ")); }

KernelCost simulate_kernel(const KernelRun& run, const std::string& into) {
  // The kernels are compiled for parts whose multiply-adds round once.
  std::vector<std::string> words{"run", "--energy", "--fma", "fused", "--machine", run.machine};
  if (run.sample) words.emplace_back("--sample");
  for (const std::string& setting : run.settings) words.insert(words.end(), {"--set", setting});
  words.push_back(kernel_directory() + "/" + run.kernel);
  words.insert(words.end(), run.arguments.begin(), run.arguments.end());
  const auto result = nlohmann::ordered_json::parse(run_psim(std::move(words), run.label(), into).json);
  const nlohmann::ordered_json& regions = result["regions"];
  if (regions.empty()) throw std::runtime_error(run.label() + " marks no region");
  const nlohmann::ordered_json& region = regions[0];
  if (!region.contains("cycles")) {  // too few units for an estimate
    KernelRun whole = run;
    whole.sample = false;
    return simulate_kernel(whole, into);
  }
  KernelCost cost;
  cost.cycles = region["cycles"].get<std::uint64_t>();
  cost.cycles_low = cost.cycles_high = cost.cycles;
  if (region.contains("cycles_interval")) {
    cost.cycles_low = region["cycles_interval"][0].get<std::uint64_t>();
    cost.cycles_high = region["cycles_interval"][1].get<std::uint64_t>();
  }
  cost.instructions = region["instructions"].get<std::uint64_t>();
  cost.flops = region["flops"].get<std::uint64_t>();
  const double clock_hz = std::round(result["cycles"].get<double>() / result["seconds"].get<double>());
  cost.seconds = static_cast<double>(cost.cycles) / clock_hz;
  cost.joules = region["energy_joules"].get<double>();
  return cost;
}

}  // namespace psim::reproduce
