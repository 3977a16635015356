// SPDX-License-Identifier: Apache-2.0
// Reservation stations and the pipes they feed.
//
// RSEA, RSEB feed the integer pipes EXA, EXB. RSFA, RSFB feed the floating-point pipes FLA, FLB, each with
// one multiply-add per cycle. RSA feeds the address pipes EAGA, EAGB, and RSBR the branch unit (JPS1-V pp. 6,
// 33). RSX, the SIMD station, feeds the arithmetic pipes of all PEs in step (paper 003 3.3). Each station
// starts its oldest ready instruction; RSA and RSX start one per pipe. An entry is held from D to X. Of the
// stations of a kind the emptiest takes a new instruction; among equals the first. Divides and square roots
// are not pipelined: each pipe has one such unit, which other instructions bypass.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/statistics/statistic.h"
#include "pipeline/config.h"
#include "pipeline/in_flight.h"

namespace psim::pipeline {

class TimingState;

/// Statistics of the stations of the machine. RSX is included without PEs, too.
struct StationStats : statistics::Group {
  explicit StationStats(const CoreConfig& config);
  std::array<std::uint64_t, kStations> issued{};
  std::array<std::unique_ptr<Distribution>, kStations> occupancy;  ///< null: no such station

 private:
  void declare_station(Station station, std::uint32_t entries, const char* name, const char* of);
};

class ExecutionPipes {
 public:
  explicit ExecutionPipes(const CoreConfig& config);

  /// Returns the station for an instruction of this unit, None if it needs none.
  Station choose(isa::Unit unit) const {
    const Group& group = groups_[static_cast<std::size_t>(unit)];
    std::size_t best = used_[group.second] < used_[group.first] ? group.second : group.first;
    if (group.more) [[unlikely]]
      for (std::size_t s = group.second + 1u; s < group.end; ++s) best = used_[s] < used_[best] ? s : best;
    return static_cast<Station>(best);
  }
  /// The number of instructions that each station may start in one cycle.
  using Widths = std::array<std::uint8_t, 16>;
  Widths widths() const { return widths_; }
  /// Returns true if the station has no room. Station::None always has.
  bool full(Station station) const { return used_[at(station)] >= size_[at(station)]; }
  void take(Station station) { ++used_[at(station)]; }
  /// Releases the entry of a flushed instruction, unless X has released it already.
  void give_back(Station station, std::uint64_t dispatched, std::uint64_t now);

  /// Begins cycle `now`: releases the entries of instructions in X.
  void tick(std::uint64_t now) {
    const Counts release = std::exchange(releases_[now % kReleases], {});
    Counts used = used_;
    for (std::size_t s = 0; s < used.size(); ++s) used[s] = static_cast<std::uint16_t>(used[s] - release[s]);
    used_ = used;
  }
  std::uint64_t busy_until(Station station) const { return busy_until_[at(station)]; }
  /// Starts an instruction in its pipe. Returns false, without effect, if it needs the unpipelined unit, and
  /// that is busy.
  bool start(Station station, isa::LatencyClass latency, std::uint64_t now) {
    const Latency& l = latency_[static_cast<std::size_t>(latency)];
    if (!l.pipelined) [[unlikely]] {
      if (busy_until_[at(station)] > now) return false;
      busy_until_[at(station)] = now + l.cycles;
    }
    ++stats_.issued[at(station)];
    ++releases_[(now + to_execute(station, stages_)) % kReleases][at(station)];
    return true;
  }
  /// Undoes start() of cycle `dispatched`, before X.
  void cancel(Station station, isa::LatencyClass latency, std::uint64_t dispatched);
  std::uint32_t cycles(isa::LatencyClass latency) const {
    return latency_[static_cast<std::size_t>(latency)].cycles;
  }
  std::string describe() const;
  /// Counts the entries in use `times` times.
  void sample(std::uint64_t times) {
    for (std::size_t s = 0; s < kStations; ++s)
      if (Distribution* const occupancy = stats_.occupancy[s].get()) occupancy->add(used_[s], times);
  }
  const StationStats& stats() const { return stats_; }
  void timing_state(TimingState& state);
  /// Calls visit(distribution, value) for the entries in use of each station.
  template <class Visit>
  void occupancies(Visit visit) {
    for (std::size_t s = 0; s < kStations; ++s)
      if (Distribution* const occupancy = stats_.occupancy[s].get()) visit(*occupancy, used_[s]);
  }

 private:
  using Distribution = statistics::Distribution;
  static constexpr std::size_t kReleases = 32;  // more than P to X
  static_assert(kReleases > 1 + 2 * kDeepestStage);
  static constexpr std::size_t at(Station station) { return static_cast<std::size_t>(station); }
  /// The stations [first, end) of a unit. `second` is `first` if there is only one.
  struct Group {
    std::uint8_t first, second, end;
    bool more;  ///< than two
  };

  const Stages stages_;
  PipeConfig pipes_;
  Widths widths_{};
  LatencyTable latency_;
  std::array<Group, 6> groups_;  // by isa::Unit
  // 16 bits and a round number of lanes: a tick is a few vector instructions.
  using Counts = std::array<std::uint16_t, 16>;
  static_assert(kStations <= 16);
  alignas(32) Counts size_{}, used_{};
  alignas(32) std::array<Counts, kReleases> releases_{};
  std::array<std::uint64_t, kStations> busy_until_{};  // of the unpipelined unit
  StationStats stats_;
};

}  // namespace psim::pipeline
