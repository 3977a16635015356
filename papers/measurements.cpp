// SPDX-License-Identifier: Apache-2.0
#include "papers/measurements.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "base/run_progress.h"
#include "papers/psim_process.h"

namespace psim::reproduce {

std::vector<std::string> Case::arguments() const {
  const std::string size = std::to_string(order);
  if (kernel.starts_with("openmp/")) return {size};
  return {mode(), size};
}

Measurements::Measurements(std::string scalar_machine, std::string simd_machine,
                           std::vector<std::string> settings)
    : machines_{std::move(scalar_machine), std::move(simd_machine)}, settings_(std::move(settings)) {}

void Measurements::request(Case requested) {
  if (std::find(requested_.begin(), requested_.end(), requested) == requested_.end())
    requested_.push_back(std::move(requested));
}

void Measurements::simulate(const SimulationOptions& options) {
  prepare_to_keep(options.into);
  static_assert(std::is_trivially_copyable_v<KernelCost>);
  std::vector<Task> tasks;
  std::vector<std::string> labels;
  for (const Case& requested : requested_) {
    KernelRun run{requested.kernel, requested.arguments(), machines_[requested.simd], settings_,
                  options.sample};
    labels.push_back(run.label());
    tasks.push_back({[run = std::move(run), &options]() {
      const KernelCost cost = simulate_kernel(run, options.into);
      return std::string(reinterpret_cast<const char*>(&cost), sizeof cost);
    }});
  }
  const std::vector<std::string> results = do_all_shown(tasks, labels, options.jobs, options.quiet);
  for (std::size_t i = 0; i < requested_.size(); ++i)
    std::memcpy(&costs_[requested_[i]], results[i].data(), sizeof(KernelCost));
  requested_.clear();
}

nlohmann::ordered_json Measurements::json() const {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const auto& [measured, cost] : costs_) {
    all.push_back({{"kernel", measured.kernel},
                   {"mode", measured.mode()},
                   {"order", measured.order},
                   {"cycles", cost.cycles},
                   {"seconds", cost.seconds},
                   {"instructions", cost.instructions},
                   {"flops", cost.flops},
                   {"energy_joules", cost.joules}});
    if (cost.cycles_low != cost.cycles_high)
      all.back()["cycles_interval"] = {cost.cycles_low, cost.cycles_high};
  }
  return all;
}

}  // namespace psim::reproduce
