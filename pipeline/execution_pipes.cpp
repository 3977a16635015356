// SPDX-License-Identifier: Apache-2.0
#include "pipeline/execution_pipes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "pipeline/memo/timing_state.h"

namespace psim::pipeline {

StationStats::StationStats(const CoreConfig& config) {
  static constexpr const char* kInteger[]{"rsea", "rseb", "rsec", "rsed"};
  static constexpr const char* kFp[]{"rsfa", "rsfb", "rsfc", "rsfd"};
  const auto next = [](Station first, std::uint32_t n) {
    return static_cast<Station>(static_cast<std::uint32_t>(first) + n);
  };
  for (std::uint32_t n = 0; n < config.pipes.integer; ++n)
    declare_station(next(Station::Rsea, n), config.stations.integer, kInteger[n], "of an integer pipe");
  for (std::uint32_t n = 0; n < config.pipes.fp; ++n)
    declare_station(next(Station::Rsfa, n), config.stations.fp, kFp[n], "of a floating-point pipe");
  declare_station(Station::Rsbr, config.stations.branch, "rsbr", "of branches");
  declare_station(Station::Rsx, config.simd.station, "rsx", "of the SIMD-PEs");
  declare_station(Station::Rsa, config.stations.address, "rsa", "of loads and stores");
}

void StationStats::declare_station(Station station, std::uint32_t entries, const char* name, const char* of) {
  const auto s = static_cast<std::size_t>(station);
  declare({{fmt::format("{}_issued", name), "instructions",
            fmt::format("instructions issued from the station {}", of)},
           &issued[s]});
  occupancy[s] =
      std::make_unique<Distribution>(*this, fmt::format("{}_occupancy", name), "entries",
                                     fmt::format("entries in use of the station {}; sampled", of), entries);
}

ExecutionPipes::ExecutionPipes(const CoreConfig& config)
    : stages_(config.stages), pipes_(config.pipes), latency_(config.latency), stats_(config) {
  const auto resize = [this](Station first, std::uint32_t pipes, std::uint32_t entries) {
    std::fill_n(size_.begin() + at(first), pipes, static_cast<std::uint16_t>(entries));
  };
  widths_.fill(1);
  widths_[at(Station::Rsa)] = static_cast<std::uint8_t>(pipes_.address);
  widths_[at(Station::Rsx)] = static_cast<std::uint8_t>(config.simd.arithmetic_pipes);
  resize(Station::Rsea, pipes_.integer, config.stations.integer);
  resize(Station::Rsfa, pipes_.fp, config.stations.fp);
  resize(Station::Rsa, 1, config.stations.address);
  resize(Station::Rsbr, 1, config.stations.branch);
  resize(Station::Rsx, 1, config.simd.station);
  resize(Station::None, 1, std::numeric_limits<std::uint16_t>::max());
  const auto group = [this](isa::Unit unit, Station first, std::uint32_t count) {
    groups_[static_cast<std::size_t>(unit)] = {static_cast<std::uint8_t>(at(first)),
                                               static_cast<std::uint8_t>(at(first) + (count > 1)),
                                               static_cast<std::uint8_t>(at(first) + count), count > 2};
  };
  group(isa::Unit::None, Station::None, 1);
  group(isa::Unit::Int, Station::Rsea, pipes_.integer);
  group(isa::Unit::Fp, Station::Rsfa, pipes_.fp);
  group(isa::Unit::Address, Station::Rsa, 1);
  group(isa::Unit::Branch, Station::Rsbr, 1);
  group(isa::Unit::Simd, Station::Rsx, 1);
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

void ExecutionPipes::timing_state(TimingState& state) {
  for (std::size_t s = 0; s < kStations; ++s) state.value(used_[s]);
  state.value(used_[at(Station::None)]);
  for (std::size_t ahead = 0; ahead < kReleases; ++ahead) {
    Counts& turn = releases_[(state.now() + ahead) % kReleases];
    bool any = turn != Counts{};
    state.value(any);
    if (any)
      for (std::uint16_t& count : turn) state.value(count);
    else
      turn = {};
  }
  for (std::uint64_t& until : busy_until_) state.cycle(until);
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
