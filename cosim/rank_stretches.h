// SPDX-License-Identifier: Apache-2.0
// Counts and stretches of the run of a rank on a cycle-level node, for accounts and pages.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "netsim/parallel/parcel.h"
#include "pipeline/cpi_account.h"

namespace psim::cosim {

/// Counts of a rank; differences and sums of them are counts of parts of its run.
struct RankCounts {
  std::uint64_t cycles = 0;                   ///< of the first core
  std::uint64_t asleep = 0;                   ///< of these: the core had no thread to run
  std::uint64_t instructions = 0, flops = 0;  ///< of all cores of the rank
  /// Of the whole node, between chip and memory; of messages to and from other nodes.
  std::uint64_t memory_bytes = 0, sent_bytes = 0, received_bytes = 0;
  pipeline::CpiAccount::Stack cpi{};  ///< of the first core; sums to its cycles awake

  RankCounts& operator+=(const RankCounts& other);
  /// Returns the counts from `from` to `to`.
  static RankCounts between(const RankCounts& from, const RankCounts& to);
};

/// A part of a rank's run. Cycles are those of its first core.
struct Stretch {
  std::uint64_t begin = 0, end = 0;  ///< cycles
  std::uint32_t place = 0;           ///< of most of its cycles: an index into RankStretches::places
  std::uint64_t there = 0;           ///< cycles in this place
  RankCounts counts = {};
};
/// Adds `next`, which follows, to `into`.
void join_stretches(Stretch& into, const Stretch& next);

struct RankStretches {
  /// The innermost region and the outermost MPI function; empty: none.
  std::vector<std::pair<std::string, std::string>> places;
  std::vector<Stretch> stretches;

  void write(net::Parcel& parcel) const;
  static RankStretches read(net::Parcel& parcel);
};

}  // namespace psim::cosim
