// SPDX-License-Identifier: Apache-2.0
#include "cosim/nic_config.h"

namespace psim::cosim {

void describe(Schema& schema, NicConfig& config) {
  constexpr Picoseconds kMost{1'000'000'000};
  schema.section("interface", "network interface of a node; keys of the network describe its channel");
  schema.add("interface.doorbell", config.doorbell, {Picoseconds{0}, kMost},
             "time of a store from the core to the interface's register", kAssumption);
  schema.add("interface.setup", config.setup, {Picoseconds{1}, kMost},
             "time from a message in the interface to its first byte on the channel; at least the network's "
             "lookahead, the least time from one router to the next",
             kAssumption);
  schema.add("interface.dma_reads", config.dma_reads, {1, 64},
             "reads by DMA of up to 512 bytes that are under way at the same time for a message from a queue",
             kAssumption);
}

}  // namespace psim::cosim
