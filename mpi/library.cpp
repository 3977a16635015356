// SPDX-License-Identifier: Apache-2.0
#include "mpi/library.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "mpi/scc_board.h"

namespace psim::net::mpi {

Mpi* library = nullptr;
SccBoard* scc_board = nullptr;

std::byte* Mpi::memory(std::uint32_t rank, const void* address, const Datatype& type,
                       std::uint64_t count) const {
  if (count == 0) return memory(rank, address, 0);
  const MPI_Aint reach = static_cast<MPI_Aint>(count - 1) * type.extent();
  const MPI_Aint low = type.true_lb + std::min<MPI_Aint>(0, reach);
  const MPI_Aint high = type.true_ub + std::max<MPI_Aint>(0, reach);
  return memory(rank, static_cast<const std::byte*>(address) + low, static_cast<std::uint64_t>(high - low)) -
         low;
}

std::byte* memory_for(std::uint64_t bytes) {
  auto* const memory = static_cast<std::byte*>(std::malloc(bytes));
  if (memory == nullptr && bytes > 0) [[unlikely]]
    library->host.abort_job(
        MPI_ERR_NO_MEM, "no memory for a message or a copy of data of " + std::to_string(bytes) + " bytes");
  return memory;
}

void wake(Rank& rank) {
  if (!rank.blocked) return;
  rank.blocked = false;
  library->host.wake(RankId{rank.id});
}

void block(Rank& me) {
  for (;;) {
    if (!me.deferred.empty()) progress(me);
    if (me.waiting == 0) return;
    me.blocked = true;
    library->host.block();
  }
}

}  // namespace psim::net::mpi
