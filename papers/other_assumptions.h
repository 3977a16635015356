// SPDX-License-Identifier: Apache-2.0
// Table 2 with other assumptions than the chosen ones: a slower memory, and the OpenMP forms of the kernels
// (workloads/openmp), which were written without the paper's times. Nothing of this is judged by table2
// itself.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "papers/measurements.h"

namespace psim::reproduce {

class OtherAssumptions {
 public:
  /// `chosen` has the same kernels with the chosen assumptions, `settings` of its machine apply here too. The
  /// kernels have order 128, and also 1024 if `whole`; `only`: this kernel alone.
  OtherAssumptions(Measurements& chosen, std::vector<std::string> settings, const std::string& only,
                   bool whole);

  /// Requests the kernels, those with the chosen assumptions from `chosen`.
  void request();
  /// Simulates all kernels on PEs, those of `chosen` excepted.
  void simulate(const SimulationOptions& options);
  /// Returns [{"kernel", "assumption", "order", "seconds", "chosen_seconds", "change"}].
  nlohmann::ordered_json json() const;

 private:
  struct Row {
    std::string kernel, assumption;
    unsigned order;
    double seconds, chosen;
  };
  std::vector<Row> rows() const;

  Measurements& chosen_;
  Measurements slow_memory_, openmp_;
  std::vector<Case> cases_;  ///< of paper/
};

}  // namespace psim::reproduce
