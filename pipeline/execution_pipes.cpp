// SPDX-License-Identifier: Apache-2.0
#include "pipeline/execution_pipes.h"

#include <fmt/format.h>

#include <algorithm>

namespace psim::pipeline {

ExecutionPipes::ExecutionPipes(const CoreConfig& config)
    : stages_(config.stages),
      pipes_(config.pipes),
      simd_pipes_(config.simd.arithmetic_pipes),
      latency_(config.latency) {
  const auto resize = [this](Station first, std::uint32_t pipes, std::uint32_t entries) {
    std::fill_n(size_.begin() + at(first), pipes, static_cast<std::uint16_t>(entries));
  };
  resize(Station::Rsea, pipes_.integer, config.stations.integer);
  resize(Station::Rsfa, pipes_.fp, config.stations.fp);
  resize(Station::Rsa, 1, config.stations.address);
  resize(Station::Rsbr, 1, config.stations.branch);
  resize(Station::Rsx, 1, config.simd.station);
}

void ExecutionPipes::give_back(Station station, std::uint64_t dispatched, std::uint64_t now) {
  if (dispatched != kNever) {
    const std::uint64_t execute = dispatched + to_execute(station, stages_);
    if (execute <= now) return;
    --releases_[execute % kReleases][at(station)];
  }
  --used_[at(station)];
}

void ExecutionPipes::cancel(Station station, isa::LatencyClass latency, std::uint64_t dispatched) {
  --releases_[(dispatched + to_execute(station, stages_)) % kReleases][at(station)];
  if (!latency_[static_cast<std::size_t>(latency)].pipelined) busy_until_[at(station)] = 0;
}

std::string ExecutionPipes::describe() const {
  static constexpr const char* kNames[kStations] = {"RSEA", "RSEB", "RSEC", "RSED", "RSFA", "RSFB",
                                                    "RSFC", "RSFD", "RSBR", "RSX",  "RSA"};
  std::string text = "stations:";
  for (std::size_t i = 0; i < kStations; ++i)
    if (size_[i]) text += fmt::format(" {} {}/{}", kNames[i], used_[i], size_[i]);
  return text;
}

}  // namespace psim::pipeline
