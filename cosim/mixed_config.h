// SPDX-License-Identifier: Apache-2.0
// The keys of a scenario for the loads on the network in addition to its detailed nodes: jobs of ranks, and
// background traffic.
//
//     at = "0:3,512:515"            # the network's nodes that are simulated in detail
//     compute = "model:fits.toml"   # of ranks, as psim net --compute
//     [job.solver]                  # docs/jobs.md
//     program = "stencil"
//     ranks = 64
//     [traffic]
//     pattern = "uniform"
//     load = 0.2
#pragma once

#include <string>
#include <vector>

#include "base/config/schema.h"
#include "base/units.h"

namespace psim {

struct MixedConfig {
  MixedConfig();

  std::string at;       ///< numbers and ranges; empty: the first nodes
  std::string compute;  ///< empty: as programs state it
  bool skeleton = false;
  std::string pattern;  ///< of background traffic; empty: none
  double load = 0.1;    ///< of each node, as a share of nic.bandwidth
  Bytes message{2'048};
  double hot = 0.1;  ///< share of a hotspot's traffic

  Schema schema;              ///< of the above
  std::vector<Setting> jobs;  ///< of the tables [job.NAME]; their keys begin with kJobTable
  static constexpr const char* kJobTable = "job.";

  /// Returns whether the network has other loads.
  bool any() const { return !jobs.empty() || !pattern.empty(); }
};

}  // namespace psim
