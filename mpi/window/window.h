// SPDX-License-Identifier: Apache-2.0
// One rank's view of a window of one-sided communication (MPI-3.1 chapter 11). Operations use the RDMA
// engine: the target's interface performs them, not its program.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "mpi/communicator.h"
#include "mpi/object/attribute.h"
#include "mpi/object/info.h"
#include "mpi/rank.h"

namespace psim::net::mpi {

/// A lock that waits at the target.
struct LockRequest {
  std::uint32_t origin;  ///< rank of the world
  bool exclusive;
};

/// A target locked by this rank.
struct LockedTarget {
  int rank;
  std::uint32_t world;  ///< its rank in MPI_COMM_WORLD
  bool no_check;        ///< MPI_MODE_NOCHECK: the target has not been notified
};

/// One rank's view of a window.
struct Window {
  std::uint32_t context = 0;  ///< of its own communicator
  MPI_Comm comm = MPI_COMM_NULL;
  std::byte* base = nullptr;
  MPI_Aint size = 0;
  MPI_Aint unit = 1;
  int unit_attribute = 1;  ///< MPI_WIN_DISP_UNIT points here
  int flavor = MPI_WIN_FLAVOR_CREATE;
  bool own_memory = false;        ///< MPI_Win_allocate: freed with the window
  std::uint64_t outstanding = 0;  ///< operations of this rank not yet done at their targets
  // As a target of locks.
  bool exclusive = false;
  std::uint32_t holders = 0;
  std::deque<LockRequest> queue;
  // As an origin.
  std::uint32_t granted = 0;  ///< grants that arrived and have not been used
  std::vector<LockedTarget> locked;
  bool lock_all = false, no_check = false;  ///< no_check: of lock_all
  bool fenced = false;                      ///< operations may follow the last fence
  // Post, start, complete, wait. Ranks of the world.
  std::vector<std::uint32_t> posts;    ///< have posted, and no operation has used it yet
  std::vector<std::uint32_t> started;  ///< targets of the epoch
  std::vector<std::uint32_t> awaited;  ///< targets whose post has not been waited for
  std::vector<std::uint32_t> posted_to;
  std::uint32_t completes = 0;
  bool starting = false, exposed = false;  ///< between start and complete; between post and wait

  bool passive() const { return lock_all || !locked.empty(); }
  MPI_Errhandler errhandler = MPI_ERRORS_ARE_FATAL;
  std::unique_ptr<Attributes> attributes;
  std::unique_ptr<std::string> name;
  std::unique_ptr<InfoList> info;
  int model = MPI_WIN_UNIFIED;  ///< MPI_WIN_MODEL points here
};

/// Returns the window of a handle. Fails with MPI_ERR_WIN.
Window& window(MPI_Win handle);
/// Returns the view of `rank` of the window numbered `context`.
Window* window_of(std::uint32_t rank, std::uint32_t context);
/// Stops the running rank until `done()`, which is tested after each event of its windows.
template <class Done>
void wait_until(Rank& me, Done done);

}  // namespace psim::net::mpi
