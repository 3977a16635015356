// SPDX-License-Identifier: Apache-2.0
// Collectives whose time is in the table collective.table (CollectiveTimes). Data travel as in hardware.h, in
// the time that the table gives for the communicator and the bytes. A rank leaves that time after the last
// entry among itself and the ranks whose data it receives. Ranks need not be in a call for it to advance, and
// it costs no message overheads. The bytes in flight are at most those of all results.
#pragma once

#include "mpi/collective/algorithms.h"
#include "mpi/collective/levels.h"
#include "mpi/library.h"

namespace psim::net::mpi {

/// Returns the algorithm of a collective. The library itself never uses the table for its own collectives.
/// Two levels are chosen where there are two, and `fits(levels)` holds; else the rules that follow apply.
template <class Algorithm, class Fits>
Algorithm chosen(const Channel& c, CollectiveKind collective, std::uint64_t bytes, Fits fits) {
  auto algorithm = library->selection.choose<Algorithm>(collective, c.size, bytes);
  if constexpr (requires { Algorithm::TwoLevel; })
    if (algorithm == Algorithm::TwoLevel) {
      const Levels* const levels = levels_of(c);
      if (levels == nullptr || !fits(*levels))
        algorithm = library->selection.choose_other(collective, c.size, bytes, Algorithm::TwoLevel);
    }
  if (algorithm != Algorithm::Table || c.collective->function != Function::Library) return algorithm;
  return library->built_in.choose<Algorithm>(collective, c.size, bytes);
}

template <class Algorithm>
Algorithm chosen(const Channel& c, CollectiveKind collective, std::uint64_t bytes) {
  return chosen<Algorithm>(c, collective, bytes, [](const Levels&) { return true; });
}

Task table_barrier(Channel c);
Task table_bcast(Channel c, std::byte* data, std::uint64_t bytes, int root);
Task table_reduce(Channel c, Reduction r, std::byte* out, std::uint64_t count, int root);
Task table_allreduce(Channel c, Reduction r, std::byte* data, std::uint64_t count);
Task table_reduce_scatter(Channel c, Reduction r, std::byte* in, std::byte* out, Shares shares);
Task table_scan(Channel c, Reduction r, std::byte* data, std::uint64_t count, bool inclusive);
Task table_gather(Channel c, const std::byte* mine, std::byte* all, std::uint64_t bytes, int root);
Task table_scatter(Channel c, const std::byte* all, std::byte* mine, std::uint64_t bytes, int root);
Task table_allgather(Channel c, std::byte* all, std::uint64_t bytes);
Task table_alltoall(Channel c, const std::byte* in, std::byte* out, std::uint64_t bytes);

}  // namespace psim::net::mpi
