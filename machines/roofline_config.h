// SPDX-License-Identifier: Apache-2.0
// The roofs of a node, as a machine file states them for psim roofline (section [roofline]). A run does not
// use them.
#pragma once

#include <string>
#include <vector>

#include "base/config/schema.h"
#include "base/units.h"

namespace psim {

struct RooflineConfig {
  FlopsPerSecond peak{0};              ///< of a node; 0: not stated
  BytesPerSecond memory_bandwidth{0};  ///< of a node; 0: not stated
  /// Bandwidths between nodes, one way: "inside a drawer = 24 GB/s; between drawers = 20 GB/s". Empty: those
  /// of the network interface.
  std::string links;

  bool stated() const { return peak.count != 0 || memory_bandwidth.count != 0 || !links.empty(); }
};

/// Adds every key to `schema`, which keeps references to `config`.
void describe(Schema& schema, RooflineConfig& config);

struct NamedBandwidth {
  std::string name;
  BytesPerSecond bandwidth;
};
/// Returns the list of roofline.links. Throws UserError with the reason.
std::vector<NamedBandwidth> parse_links(const std::string& text);

}  // namespace psim
