// SPDX-License-Identifier: Apache-2.0
// The kernel runs of an experiment: requested first, simulated together, then looked up.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "papers/kernel_run.h"
#include "papers/simulation_options.h"

namespace psim::reproduce {

/// One form of a kernel at one size: on the scalar core, or on the core with PEs.
struct Case {
  std::string kernel;  ///< "paper/dgemm", "openmp/dgemm"
  bool simd = false;
  unsigned order = 0;

  const char* mode() const { return simd ? "simd" : "scalar"; }
  /// Returns the arguments of the program. OpenMP forms take no mode: target loops run on PEs if there are
  /// any.
  std::vector<std::string> arguments() const;
  auto operator<=>(const Case&) const = default;
};

class Measurements {
 public:
  /// Sets the machine of each mode, and settings applied after both.
  Measurements(std::string scalar_machine, std::string simd_machine, std::vector<std::string> settings);

  /// Requests a case. Simulations begin in the order of these calls, so the longest should come first.
  /// Requesting a case again has no effect.
  void request(Case requested);
  /// Simulates the requested cases. Shows progress on a terminal. Throws as do_all() does.
  void simulate(const SimulationOptions& options);

  /// Returns the cost of a case. Throws std::out_of_range if it was not simulated.
  const KernelCost& of(const Case& measured) const { return costs_.at(measured); }
  bool has(const Case& measured) const { return costs_.contains(measured); }
  /// Returns an array, sorted by kernel, mode, order.
  nlohmann::ordered_json json() const;

 private:
  std::string machines_[2];
  std::vector<std::string> settings_;
  std::vector<Case> requested_;
  std::map<Case, KernelCost> costs_;
};

}  // namespace psim::reproduce
