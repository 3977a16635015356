// SPDX-License-Identifier: Apache-2.0
// The datatypes of all ranks of the host process, by handle.
#pragma once

#include <memory>

#include "mpi/datatype/datatype.h"
#include "mpi/object/pool.h"

namespace psim::net::mpi {

struct DatatypeSlot {
  std::unique_ptr<Datatype> type;
};
using Datatypes = Pool<DatatypeSlot, 8>;
/// Returns the pool of datatypes; the first call makes it.
Datatypes& datatype_pool();

/// Returns the type of a handle. Fails with MPI_ERR_TYPE.
Datatype& datatype(MPI_Datatype handle);
/// Returns the type of a handle for communication. Fails also if it is not committed.
Datatype& committed(MPI_Datatype handle);
/// As committed(), for `count` elements: without any, MPI_DATATYPE_NULL is a valid type.
Datatype& committed(MPI_Datatype handle, std::uint64_t count);
/// Makes the predefined types, unless they exist. To be called before the functions of this file.
void make_predefined_datatypes();
/// Returns a new handle of a type with segments, bounds, combiner and contents; computes the other members.
MPI_Datatype publish_datatype(std::unique_ptr<Datatype> type);
void release_datatype(Datatype& type);

}  // namespace psim::net::mpi
