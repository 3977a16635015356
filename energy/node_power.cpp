// SPDX-License-Identifier: Apache-2.0
#include "energy/node_power.h"

namespace psim::energy {

void describe(Schema& schema, NodePower& power) {
  constexpr std::uint64_t kMostPower = 1'000'000'000, kMostEnergy = 1'000'000'000'000;
  const auto watts = [&](const char* key, std::uint64_t& value, const char* doc, const char* source) {
    schema.add(key, value, Dimension::Power, {0, kMostPower}, doc, source);
  };
  const auto joules = [&](const char* key, std::uint64_t& value, const char* doc, const char* source) {
    schema.add(key, value, Dimension::Energy, {0, kMostEnergy}, doc, source);
  };
  schema.section("energy.interface", "energy of a node's network interface, for --energy");
  watts("energy.interface.power", power.interface, "at all times; the port of its link has its own",
        "assumption: an adapter of some 5 W less its ports");
  joules("energy.interface.packet", power.interface_packet, "a packet that it sends or receives",
         "assumption: some hundred accesses to its buffers and tables");
  joules("energy.interface.byte", power.interface_byte, "a byte that it reads or writes by DMA",
         "assumption: 5 pJ per bit");
  schema.section("energy.dram", "energy of a node's DRAM, for --energy");
  watts("energy.dram.power", power.dram, "at all times: standby and refresh",
        "assumption: two modules of DDR memory");
  joules("energy.dram.byte", power.dram_byte, "a byte read or written, in addition to the path to memory",
         "assumption: 50 pJ per bit");
  schema.section("energy.sleep", "energy of a core that sleeps, for --energy");
  watts("energy.sleep.clock", power.sleep_clock, "the clock of a sleeping core, in addition to leakage",
        "assumption: the clock stops");
}

}  // namespace psim::energy
