// SPDX-License-Identifier: Apache-2.0
// The sync-comm network of paper 001, a barrier network with a board in each node, and the clocks of nodes:
// plain numbers with their defaults. Keys and limits are in mpi_schema.cpp.
#pragma once

#include <cstdint>

#include "base/units.h"

namespace psim::net {

enum class BarrierNetwork : std::uint8_t { None, SyncComm };

struct SyncCommConfig {
  BarrierNetwork kind = BarrierNetwork::None;
  std::uint32_t micro_cluster = 16;    ///< nodes whose sync_n lines one detector reads
  Picoseconds line{120'000};           ///< along a bus line and into a detector: three ticks of 25 MHz
  Picoseconds chain{120'000};          ///< of each micro-cluster in the daisy chain Part-sync-comp
  Picoseconds flag_set{100'000};       ///< of the processor: a posted write to the board
  Picoseconds flag_access{1'500'000};  ///< of the processor: a read of the S-flag or of the clock
  Picoseconds tick{40'000};            ///< of the pseudo-global clock
  double oscillator_ppm = 50;          ///< largest deviation of a board's oscillator, parts per million
  std::uint32_t stamps = 1024;         ///< words of the time-stamp memory

  /// Returns the number of micro-clusters of `nodes` nodes.
  std::uint32_t clusters(std::uint32_t nodes) const { return (nodes + micro_cluster - 1) / micro_cluster; }
  /// Returns the time from the last S-flag until the barrier is complete: the sync_n line and the detector;
  /// and with several micro-clusters (Divided) each one in the chain Part-sync-comp.
  Picoseconds up(std::uint32_t nodes) const {
    const std::uint32_t all = clusters(nodes);
    return all > 1 ? line + all * chain : line;
  }
  /// Returns the time from then until all S-flags are clear: with several micro-clusters by All-sync-comp.
  Picoseconds down(std::uint32_t nodes) const { return clusters(nodes) > 1 ? 2 * line : line; }
};

/// The clock that MPI_Wtime reads.
enum class WtimeClock : std::uint8_t { Global, Node };

struct ClockConfig {
  WtimeClock wtime = WtimeClock::Global;
  Picoseconds offset{0};  ///< largest deviation of a node's clock at the start
  double drift_ppm = 0;   ///< largest deviation of its rate, parts per million
  std::uint64_t seed = 1;

  bool stated() const { return wtime != WtimeClock::Global || offset.count() != 0 || drift_ppm != 0; }
};

/// The clock of one node, or the oscillator of one board.
struct NodeClock {
  std::int64_t offset_ps = 0;
  std::int64_t drift_ppb = 0;

  /// Returns its reading at a simulated time, ps; may be negative.
  std::int64_t at(Picoseconds time) const {
    return time.count() + offset_ps +
           static_cast<std::int64_t>(static_cast<__int128>(time.count()) * drift_ppb / 1'000'000'000);
  }
};

/// Returns a number from -`most` to `most` that depends on seed, node and use alone (splitmix64).
inline std::int64_t spread(std::uint64_t seed, std::uint32_t node, std::uint32_t use, std::int64_t most) {
  std::uint64_t x = seed * 0x9e3779b97f4a7c15u + (std::uint64_t{node} << 8) + use + 1;
  for (int i = 0; i < 2; ++i) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
  }
  return static_cast<std::int64_t>(x % (2 * static_cast<std::uint64_t>(most) + 1)) - most;
}

/// Returns the clock of a node.
inline NodeClock clock_of(const ClockConfig& config, std::uint32_t node) {
  return {spread(config.seed, node, 0, config.offset.count()),
          spread(config.seed, node, 1, static_cast<std::int64_t>(config.drift_ppm * 1000))};
}
/// Returns the oscillator of a node's board: its phase within a tick, and its deviation.
inline NodeClock oscillator_of(const SyncCommConfig& config, std::uint64_t seed, std::uint32_t node) {
  return {(spread(seed, node, 2, config.tick.count()) + config.tick.count()) / 2,
          spread(seed, node, 3, static_cast<std::int64_t>(config.oscillator_ppm * 1000))};
}

}  // namespace psim::net
