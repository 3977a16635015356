// SPDX-License-Identifier: Apache-2.0
// Construction of datatypes: the common part of all constructors.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "mpi/api.h"
#include "mpi/datatype/construct.h"
#include "mpi/datatype/datatype.h"
#include "mpi/datatype/registry.h"

namespace psim::net::mpi {

/// Rounds the extent up to the strictest alignment among the elements, as C lays structures out (the ε of
/// MPI-3.1 section 4.1), unless the bounds are marked.
void pad(Datatype& type);

/// Constructs a type, calls `complete` with it, and stores it with the contents and the types they name.
template <class Complete>
int build(const char* function, int combiner, Contents contents, MPI_Datatype* result, Complete&& complete) {
  return guarded(function, [&] {
    require(result != nullptr, MPI_ERR_ARG, "newtype is a null pointer");
    auto type = std::make_unique<Datatype>();
    type->combiner = MPI_UNDEFINED;  // nothing appended yet
    std::vector<const Datatype*> parts;
    for (MPI_Datatype part : contents.types) {
      type->parts.emplace_back(&datatype(part));
      parts.push_back(&datatype(part));
    }
    construct(*type, combiner, contents, parts);
    complete(*type);
    pad(*type);
    type->combiner = combiner;
    type->contents = std::move(contents);
    *result = publish_datatype(std::move(type));
    ++self().datatypes;
  });
}

inline int build(const char* function, int combiner, Contents contents, MPI_Datatype* result) {
  return build(function, combiner, std::move(contents), result, [](Datatype&) {});
}

}  // namespace psim::net::mpi
