// SPDX-License-Identifier: Apache-2.0
// Handles of groups.
#pragma once

#include "mpi/include/mpi.h"
#include "mpi/object/group.h"

namespace psim::net::mpi {

/// Returns the group of a handle. Fails with MPI_ERR_GROUP.
Ref<Group> group(MPI_Group handle);
MPI_Group publish_group(Ref<Group> group);
void free_group(MPI_Group handle);

}  // namespace psim::net::mpi
