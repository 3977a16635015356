// SPDX-License-Identifier: Apache-2.0
#include "pipeline/config.h"

namespace psim::pipeline {

LatencyTable default_latencies() {
  using isa::LatencyClass;
  LatencyTable table{};
  const auto set = [&table](LatencyClass c, std::uint32_t cycles, bool pipelined = true) {
    table[static_cast<std::size_t>(c)] = {cycles, pipelined};
  };
  set(LatencyClass::IntSimple, 1);
  set(LatencyClass::IntMultiply, 5);
  set(LatencyClass::IntDivide, 40, false);
  set(LatencyClass::FpMove, 2);
  set(LatencyClass::FpAdd, 3);
  set(LatencyClass::FpMultiply, 3);
  set(LatencyClass::FpMultiplyAdd, 6);
  set(LatencyClass::FpDivideSingle, 13, false);
  set(LatencyClass::FpDivideDouble, 20, false);
  set(LatencyClass::FpSqrtSingle, 17, false);
  set(LatencyClass::FpSqrtDouble, 28, false);
  set(LatencyClass::FpQuad, 300, false);
  set(LatencyClass::PeMove, 1);
  set(LatencyClass::PeSum, 12);  // a tree of four adds for 16 PEs
  return table;                  // the others: 1 cycle; loads take the latency of L1
}

}  // namespace psim::pipeline
