// SPDX-License-Identifier: Apache-2.0
// The energy of a node of psim cosim beyond that of its cores and caches: network interface, DRAM, and the
// clock of a core that sleeps. Nothing of this is published for the modelled machines: all values are
// assumptions.
#pragma once

#include <cstdint>

#include "base/config/schema.h"

namespace psim::energy {

struct NodePower {
  std::uint64_t interface = 1'000'000;          ///< uW, at all times
  std::uint64_t interface_packet = 10'000'000;  ///< fJ, of a packet that the interface sends or receives
  std::uint64_t interface_byte = 40'000;        ///< fJ, of a byte that it reads or writes by DMA
  std::uint64_t dram = 2'000'000;               ///< uW, at all times
  std::uint64_t dram_byte = 400'000;            ///< fJ, of a byte read or written
  std::uint64_t sleep_clock = 0;                ///< uW, while the core sleeps
};
/// Adds the keys energy.interface.…, energy.dram.… and energy.sleep.…; `power` must outlive `schema`.
void describe(Schema& schema, NodePower& power);

}  // namespace psim::energy
