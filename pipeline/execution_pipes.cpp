// SPDX-License-Identifier: Apache-2.0
#include "pipeline/execution_pipes.h"

#include <fmt/format.h>

namespace psim::pipeline {

ExecutionPipes::ExecutionPipes(const CoreConfig& config) : latency_(config.latency) {
  const StationConfig& s = config.stations;
  size_ = {s.integer, s.integer, s.fp, s.fp, s.address, s.branch};
}

void ExecutionPipes::give_back(Station station, std::uint64_t dispatched, std::uint64_t now) {
  if (dispatched != kNever) {
    if (dispatched + stages::kExecute <= now) return;
    --releases_[(dispatched + stages::kExecute) % kReleases][at(station)];
  }
  --used_[at(station)];
}

void ExecutionPipes::cancel(Station station, isa::LatencyClass latency, std::uint64_t dispatched) {
  --releases_[(dispatched + stages::kExecute) % kReleases][at(station)];
  if (!latency_[static_cast<std::size_t>(latency)].pipelined) busy_until_[at(station)] = 0;
}

std::string ExecutionPipes::describe() const {
  static constexpr const char* kNames[kStations] = {"RSEA", "RSEB", "RSFA", "RSFB", "RSA", "RSBR"};
  std::string text = "stations:";
  for (std::size_t i = 0; i < kStations; ++i) text += fmt::format(" {} {}/{}", kNames[i], used_[i], size_[i]);
  return text;
}

}  // namespace psim::pipeline
