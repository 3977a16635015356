// SPDX-License-Identifier: Apache-2.0
// The kernel runs that an experiment needs: named first, simulated together, looked up after.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "papers/kernel_run.h"

namespace psim::reproduce {

/// One form of a kernel at one size: on the scalar core, or on the core with PEs.
struct Case {
  std::string kernel;  ///< "paper/dgemm"
  bool simd = false;
  unsigned order = 0;

  const char* mode() const { return simd ? "simd" : "scalar"; }
  auto operator<=>(const Case&) const = default;
};

class Measurements {
 public:
  /// The machine of each mode, and settings on top of both.
  Measurements(std::string scalar_machine, std::string simd_machine, std::vector<std::string> settings);

  /// Simulations begin in the order of these calls, so what takes longest comes first. Naming a case again
  /// does nothing.
  void want(Case wanted);
  /// Simulates what is wanted, `jobs` at a time; a line on a terminal says how far it is, unless `quiet`.
  /// Throws as do_all().
  void simulate(unsigned jobs, bool quiet);

  /// Throws std::out_of_range for a case that was not simulated.
  const KernelCost& of(const Case& measured) const { return costs_.at(measured); }
  bool has(const Case& measured) const { return costs_.contains(measured); }
  /// An array, sorted by kernel, mode, order.
  nlohmann::ordered_json json() const;

 private:
  std::string machines_[2];
  std::vector<std::string> settings_;
  std::vector<Case> wanted_;
  std::map<Case, KernelCost> costs_;
};

}  // namespace psim::reproduce
