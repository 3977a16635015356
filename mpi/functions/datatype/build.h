// SPDX-License-Identifier: Apache-2.0
// Construction of datatypes: the common part of all constructors.
#pragma once

#include <memory>
#include <utility>

#include "mpi/api.h"
#include "mpi/datatype/datatype.h"
#include "mpi/datatype/registry.h"

namespace psim::net::mpi {

/// Rounds the extent up to the strictest alignment among the elements, as C lays structures out (the ε of
/// MPI-3.1 section 4.1), unless the bounds are marked.
void pad(Datatype& type);

/// Runs `fill` on an empty type and stores its result with the contents and the types they name.
template <class Fill>
int build(const char* function, int combiner, Contents contents, MPI_Datatype* result, Fill&& fill) {
  return guarded(function, MPI_COMM_WORLD, [&] {
    require(result != nullptr, MPI_ERR_ARG, "newtype is a null pointer");
    auto type = std::make_unique<Datatype>();
    type->combiner = MPI_UNDEFINED;  // nothing appended yet
    for (MPI_Datatype part : contents.types) type->parts.emplace_back(&datatype(part));
    fill(*type);
    pad(*type);
    type->combiner = combiner;
    type->contents = std::move(contents);
    *result = publish_datatype(std::move(type));
    ++self().datatypes;
  });
}

}  // namespace psim::net::mpi
