// SPDX-License-Identifier: Apache-2.0
// An ordered set of processes, immutable and shared by all ranks of the host process. A group that is an
// arithmetic progression (the world, rows and columns of grids) needs no table.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/include/mpi.h"
#include "mpi/object/ref.h"

namespace psim::net::mpi {

class Group : public Counted {
 public:
  /// Ranks first, first + stride, …
  Group(std::uint32_t first, std::uint32_t stride, std::uint32_t size);
  explicit Group(std::vector<std::uint32_t> world_ranks);

  std::uint32_t size() const { return size_; }
  /// Returns the rank in the world of the process with rank `rank` < size() in the group.
  std::uint32_t world(std::uint32_t rank) const {
    return list_.empty() ? first_ + rank * stride_ : list_[rank];
  }
  /// Returns the rank in the group of a process of the world, or -1.
  int rank_of(std::uint32_t world) const;
  bool same_order(const Group& other) const;
  bool same_members(const Group& other) const;

  /// Added to the rank of a sender in messages among the members. Not 0 only for the groups of Levels, so
  /// that their messages are not taken for others of the same collective.
  std::uint32_t base = 0;
  MPI_Session session =
      MPI_SESSION_NULL;  ///< of the rank that made it, for a group that comes from a session

 private:
  std::uint32_t first_ = 0, stride_ = 1, size_ = 0;
  std::vector<std::uint32_t> list_;
  mutable std::vector<std::uint32_t> sorted_;  // ranks by world rank, made by the first rank_of()
};

}  // namespace psim::net::mpi
