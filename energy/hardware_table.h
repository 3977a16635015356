// SPDX-License-Identifier: Apache-2.0
// The pipe, unit and queue of each instruction class, and the number of latches in all.
#pragma once

#include <vector>

#include "energy/model.h"

namespace psim::energy {

enum class Pipe : std::uint8_t { Integer, Fp, Address, Branch };
Pipe pipe_of(isa::LatencyClass latency);
Component units_of(Pipe pipe);
/// Bits in B and in each cycle of X.
struct PipeBits {
  Coefficient b, x;
};
PipeBits pipe_bits(Pipe pipe);
/// Returns the coefficient of an operation; not for LatencyClass::None.
Coefficient execution_of(isa::LatencyClass latency);
bool takes_fetch_port(isa::LatencyClass latency);  ///< loads, atomics, prefetches
bool takes_store_port(isa::LatencyClass latency);  ///< stores, atomics
/// Returns the entries of all scalar reservation stations.
std::uint32_t station_entries(const pipeline::CoreConfig& core);

/// All latches of one component, or of one kind of pipe in it.
struct LatchPool {
  Component component;
  std::uint64_t bits;
  Coefficient latch;
};
std::vector<LatchPool> latch_pools(const Coefficients& c, const Hardware& hardware);

}  // namespace psim::energy
