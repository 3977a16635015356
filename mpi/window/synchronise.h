// SPDX-License-Identifier: Apache-2.0
// Epochs of one-sided communication.
#pragma once

#include "mpi/library.h"
#include "mpi/window/window.h"

namespace psim::net::mpi {

/// Makes the target ready for an operation. Under MPI_Win_lock_all it is locked when it is first reached (no
/// table of all ranks); between start and complete its post is waited for. Fails with MPI_ERR_RMA_SYNC
/// outside of an epoch.
void reach_target(Rank& me, Window& w, int target, std::uint32_t world);

}  // namespace psim::net::mpi
