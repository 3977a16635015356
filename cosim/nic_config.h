// SPDX-License-Identifier: Apache-2.0
// Parameters of the network interface of a cycle-level node.
#pragma once

#include "base/config/schema.h"
#include "base/units.h"

namespace psim::cosim {

struct NicConfig {
  Picoseconds doorbell{50'000};  ///< from the time a store leaves the core to the register
  Picoseconds setup{200'000};    ///< from all data in the interface to the first byte on the channel
};

/// Adds the keys of [interface]. The schema keeps references to `config`.
void describe(Schema& schema, NicConfig& config);

}  // namespace psim::cosim
