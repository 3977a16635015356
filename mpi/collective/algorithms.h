// SPDX-License-Identifier: Apache-2.0
// The algorithms of collectives, on packed bytes. `in` and `out` are addresses as the rank calls them, null
// in size-only runs. Each rank of the channel runs the same task with the same arguments.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpi/collective/collective.h"
#include "mpi/collective/layout.h"
#include "mpi/op.h"

namespace psim::net::mpi {

/// An operation on elements of a type; vectors are `count` packed elements.
struct Reduction {
  Ref<Op> op;
  Ref<Datatype> type;
  std::uint64_t size() const { return type->size; }
};

Task barrier(Channel c);

Task bcast(Channel c, std::byte* data, std::uint64_t bytes, int root);
Task bcast_binomial(Channel c, std::byte* data, std::uint64_t bytes, int root);

/// inout = in ∘ inout, on memory of the rank.
void reduce_local(const Channel& c, const Reduction& r, const std::byte* in, std::byte* inout,
                  std::uint64_t count);
/// inout = inout ∘ in; spoils `in` if the operation does not commute.
void reduce_behind(const Channel& c, const Reduction& r, std::byte* in, std::byte* inout,
                   std::uint64_t count);
/// `out` holds this rank's vector; at the end that of the root is the result, others are spoilt.
Task reduce(Channel c, Reduction r, std::byte* out, std::uint64_t count, int root);
/// `data` holds this rank's vector, and at the end the result.
Task allreduce(Channel c, Reduction r, std::byte* data, std::uint64_t count);
/// At the end rank i holds its share of the result at `out`. `in` is scratch.
Task reduce_scatter(Channel c, Reduction r, std::byte* in, std::byte* out, Shares shares);
/// Inclusive if `inclusive`; exclusive leaves `data` of rank 0 alone.
Task scan(Channel c, Reduction r, std::byte* data, std::uint64_t count, bool inclusive);

/// Blocks of `bytes` of all ranks, in rank order, to `all` of the root.
Task gather(Channel c, const std::byte* mine, std::byte* all, std::uint64_t bytes, int root);
Task scatter(Channel c, const std::byte* all, std::byte* mine, std::uint64_t bytes, int root);
/// `all` holds this rank's block in place, and at the end all.
Task allgather(Channel c, std::byte* all, std::uint64_t bytes);
Task alltoall(Channel c, const std::byte* in, std::byte* out, std::uint64_t bytes);

}  // namespace psim::net::mpi
