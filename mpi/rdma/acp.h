// SPDX-License-Identifier: Apache-2.0
// The running rank as ACP sees it.
#pragma once

#include "mpi/library.h"
#include "mpi/observe.h"
#include "mpi/rdma/rdma.h"

namespace psim::net::mpi {

/// Null before acp_init and after acp_finalize.
AcpRank* acp_here();
/// The rank of the world whose memory `ga` names, or -1.
std::int64_t acp_world_rank(const AcpRank& me, std::uint64_t ga);
/// The running rank enters a call that is no function of MPI.
Rank& acp_enter(const char* function);
/// Until every operation of the running rank is over.
void acp_wait_for_all(Rank& me);

}  // namespace psim::net::mpi
