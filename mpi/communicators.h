// SPDX-License-Identifier: Apache-2.0
// The communicators of the ranks of this host process, by handle and by number.
#pragma once

#include <cstdint>

#include "mpi/communicator.h"
#include "mpi/include/mpi.h"
#include "mpi/object/group.h"
#include "mpi/object/ref.h"

namespace psim::net::mpi {

/// Returns the running rank's communicator of a handle. Fails with MPI_ERR_COMM. After MPI_Finalize,
/// MPI_COMM_WORLD and MPI_COMM_SELF fail with MPI_ERR_OTHER; before MPI_Init they are valid.
Communicator& communicator(MPI_Comm handle);

/// Returns a number for a new communicator led by the rank `leader_world`, unique in the run.
std::uint32_t new_context(std::uint32_t leader_world);
/// Returns the shared part registered under `context`, or makes it with these groups.
Ref<Shared> share(std::uint32_t context, std::uint32_t local_context, Ref<Group> group, Ref<Group> remote,
                  Ref<Topology> topology);
/// Returns a new handle of the running rank.
MPI_Comm publish(Ref<Shared> shared, int rank, std::uint8_t side);

}  // namespace psim::net::mpi
