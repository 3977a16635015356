// SPDX-License-Identifier: Apache-2.0
// Parameters of the network interface of a cycle-level node.
#pragma once

#include <cstdint>

#include "base/config/schema.h"
#include "base/units.h"

namespace psim::cosim {

/// The most bytes of one read by DMA, the usual limit of requests on PCI Express (assumption).
inline constexpr std::uint64_t kDmaReadBytes = 512;

struct NicConfig {
  Picoseconds doorbell{50'000};  ///< from the time a store leaves the core to the register
  Picoseconds setup{200'000};    ///< from all data in the interface to the first byte on the channel
  std::uint32_t dma_reads = 8;   ///< of up to kDmaReadBytes, under way at the same time
};

/// Adds the keys of [interface]. The schema keeps references to `config`.
void describe(Schema& schema, NicConfig& config);

}  // namespace psim::cosim
