// SPDX-License-Identifier: Apache-2.0
// Epochs of one-sided communication.
#pragma once

#include "netsim/mpi/library.h"
#include "netsim/mpi/window/window.h"

namespace psim::net::mpi {

/// Under MPI_Win_lock_all a target is locked when it is first reached: no table of all ranks.
void reach_target(Rank& me, Window& w, int target);

}  // namespace psim::net::mpi
