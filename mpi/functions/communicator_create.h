// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/communicator.h"

namespace psim::net::mpi {

/// Makes a communicator with a topology for those ranks of `comm` that are in `members`; others get
/// MPI_COMM_NULL. Collective over `comm`.
int create_with_topology(const char* function, MPI_Comm comm, const Ref<Group>& members,
                         Ref<Topology> topology, MPI_Comm* result);

/// Makes a communicator of the members of a group, which all call with the same tag.
int create_from_group(const char* function, const Ref<Group>& members, int tag, MPI_Comm* result);

}  // namespace psim::net::mpi
