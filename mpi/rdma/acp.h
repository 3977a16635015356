// SPDX-License-Identifier: Apache-2.0
// ACP state of the running rank.
#pragma once

#include "mpi/library.h"
#include "mpi/observe.h"
#include "mpi/rdma/rdma.h"

namespace psim::net::mpi {

/// Returns the state; null before acp_init and after acp_finalize.
AcpRank* acp_here();
/// Returns the rank of the world whose memory `ga` addresses, or -1.
std::int64_t acp_world_rank(const AcpRank& me, std::uint64_t ga);
/// Marks that the running rank enters a call that is no MPI function.
Rank& acp_enter(const char* function);
/// Waits until all operations of the running rank are complete.
void acp_wait_for_all(Rank& me);

}  // namespace psim::net::mpi
