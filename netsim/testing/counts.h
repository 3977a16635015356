// SPDX-License-Identifier: Apache-2.0
// Everything that a run counted, as text to be compared.
#pragma once

#include <fmt/format.h>

#include <string>

#include "netsim/simulation.h"

namespace psim::net {

inline std::string counts(const Simulation& simulation) {
  std::string text;
  const auto add = [&](auto value) { text += fmt::format("{} ", value); };
  add(simulation.last()), add(simulation.fabric().packet_hops()), add(simulation.interfaces().messages());
  const PacketCount& received = simulation.interfaces().received();
  add(received.packets), add(received.bytes), add(received.latency_sum), add(received.latency_most);
  for (std::uint32_t i = 0; i < LatencyHistogram::kClasses; ++i) add(received.latency.count(i));
  for (std::size_t channel = 0; channel < simulation.graph().channels.size(); ++channel)
    add(simulation.fabric().count(channel).packets), add(simulation.fabric().count(channel).busy);
  for (const std::uint64_t sum : simulation.fabric().busy().sums()) add(sum);
  for (const OccupancySeries::Sample& sample : simulation.occupancy().samples()) {
    add(sample.time);
    for (const std::uint64_t of_class : sample.classes) add(of_class);
  }
  return text;
}

}  // namespace psim::net
