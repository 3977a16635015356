// SPDX-License-Identifier: Apache-2.0
// What the constructors of datatypes share.
#pragma once

#include <memory>
#include <utility>

#include "netsim/mpi/api.h"
#include "netsim/mpi/datatype/datatype.h"

namespace psim::net::mpi {

/// Runs `fill` on an empty type; keeps the contents and the types they name.
template <class Fill>
int build(const char* function, int combiner, Contents contents, MPI_Datatype* result, Fill&& fill) {
  return guarded(function, MPI_COMM_WORLD, [&] {
    auto type = std::make_unique<Datatype>();
    type->combiner = MPI_UNDEFINED;  // nothing appended yet
    for (MPI_Datatype part : contents.types) type->parts.emplace_back(&datatype(part));
    fill(*type);
    type->combiner = combiner;
    type->contents = std::move(contents);
    *result = publish_datatype(std::move(type));
  });
}

/// The extent of a structure is rounded up to the strictest alignment in it (the ε of MPI-3.1 section 4.1.6),
/// as C lays structures out; not if its bounds are marked.
void pad(Datatype& type, int n, const int* lengths, const MPI_Datatype* types);
/// Alignment of the strictest basic element.
MPI_Aint alignment(const Datatype& type);

}  // namespace psim::net::mpi
