// SPDX-License-Identifier: Apache-2.0
// Algorithms of collectives, on packed bytes. `in` and `out` are addresses of the rank's memory, null in
// size-only runs. Each rank of the channel runs the same task with the same arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mpi/collective/collective.h"
#include "mpi/numbers.h"
#include "mpi/op.h"

namespace psim::net::mpi {

// Shares of a vector by rank: equal shares, or the user's counts and displacements, copied because the call
// may return before they are used.

struct Shares {
  std::uint64_t equal = 0;
  std::vector<std::uint64_t> ends;  ///< empty: equal shares; else the sums of the counts
  Shares() = default;
  explicit Shares(std::uint64_t each) : equal(each) {}
  Shares(Numbers counts, int size) {
    std::uint64_t sum = 0;
    for (int i = 0; i < size; ++i) ends.push_back(sum += static_cast<std::uint64_t>(counts[i]));
  }
  std::uint64_t first(int i) const {
    return ends.empty() ? static_cast<std::uint64_t>(i) * equal
           : i == 0     ? 0
                        : ends[static_cast<std::size_t>(i) - 1];
  }
  std::uint64_t count(int i) const { return first(i + 1) - first(i); }
  std::uint64_t total(int size) const { return first(size); }
};

/// An operation on elements of a type; vectors are `count` packed elements.
struct Reduction {
  Ref<Op> op;
  Ref<Datatype> type;
  std::uint64_t size() const { return type->size; }
};

Task barrier(Channel c);

Task bcast(Channel c, std::byte* data, std::uint64_t bytes, int root);
Task bcast_binomial(Channel c, std::byte* data, std::uint64_t bytes, int root);

/// Computes inout = in ∘ inout, on memory of the rank.
void reduce_local(const Channel& c, const Reduction& r, const std::byte* in, std::byte* inout,
                  std::uint64_t count);
/// Computes inout = inout ∘ in. Overwrites `in` if the operation does not commute.
void reduce_right(const Channel& c, const Reduction& r, std::byte* in, std::byte* inout, std::uint64_t count);
/// Reduces the ranks' vectors at `out`. At the end the root's holds the result; the others are overwritten.
Task reduce(Channel c, Reduction r, std::byte* out, std::uint64_t count, int root);
/// Reduces the ranks' vectors at `data`, which hold the result at the end.
Task allreduce(Channel c, Reduction r, std::byte* data, std::uint64_t count);
/// Reduces, and leaves rank i its share of the result at `out`. `in` is scratch.
Task reduce_scatter(Channel c, Reduction r, std::byte* in, std::byte* out, Shares shares);
/// Computes a scan, inclusive if `inclusive`. An exclusive one leaves `data` of rank 0 unchanged.
Task scan(Channel c, Reduction r, std::byte* data, std::uint64_t count, bool inclusive);

/// Gathers blocks of `bytes` of all ranks, in rank order, in `all` of the root.
Task gather(Channel c, const std::byte* mine, std::byte* all, std::uint64_t bytes, int root);
Task scatter(Channel c, const std::byte* all, std::byte* mine, std::uint64_t bytes, int root);
/// Gathers the blocks of all ranks in `all`, which holds this rank's block in place.
Task allgather(Channel c, std::byte* all, std::uint64_t bytes);
Task alltoall(Channel c, const std::byte* in, std::byte* out, std::uint64_t bytes);

}  // namespace psim::net::mpi
