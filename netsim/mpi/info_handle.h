// SPDX-License-Identifier: Apache-2.0
// Info objects as the user names them.
#pragma once

#include "netsim/mpi/include/mpi.h"
#include "netsim/mpi/info.h"

namespace psim::net::mpi {

/// Fails with MPI_ERR_INFO.
InfoList& info(MPI_Info handle);
MPI_Info publish_info(InfoList list);

}  // namespace psim::net::mpi
