// SPDX-License-Identifier: Apache-2.0
// Epochs of one-sided communication.
#pragma once

#include "mpi/library.h"
#include "mpi/window/window.h"

namespace psim::net::mpi {

/// Makes the target ready for an operation. MPI_Win_lock_all locks a target at its first use, which needs no
/// table of all ranks. Between start and complete, waits for the target's post. Fails with MPI_ERR_RMA_SYNC
/// outside of an epoch.
void reach_target(Rank& me, Window& w, int target, std::uint32_t world);

}  // namespace psim::net::mpi
