// SPDX-License-Identifier: Apache-2.0
// The communicators of a DUMPI trace. Each rank's file numbers them on its own and has only its part of each
// call that creates one; the files of all ranks together give the members.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ranks/replay/dumpi_text.h"
#include "ranks/replay/trace.h"

namespace psim::net::replay {

/// A rank's communicators, numbered in the order in which its calls create them. MPI uses a handle again
/// after MPI_Comm_free.
class DumpiHandles {
 public:
  static constexpr std::uint32_t kWorld = 0, kSelf = 1;

  DumpiHandles();
  /// Returns the number of the communicator that a handle now stands for; that of a new one for a handle that
  /// no call has created.
  std::uint32_t communicator(std::int64_t handle);
  /// Follows a call that creates communicators or, for MPI_Comm_create, groups. Returns whether it creates
  /// communicators, and so waits for other ranks.
  bool follow(const DumpiCall& call);

 private:
  friend class DumpiCommunicators;
  /// A rank's part of a call that creates communicators.
  struct Creation {
    std::uint32_t created = kAny;  ///< kAny if this rank is in none of them
    std::int64_t color = 0, key = 0;
    std::vector<std::int64_t> group;       ///< of MPI_Comm_create: ranks of the parent; empty: in its order
    std::vector<std::int64_t> dimensions;  ///< of MPI_Cart_create
    std::vector<std::int64_t> remain;      ///< of MPI_Cart_sub: whether each dimension remains
  };
  struct Group {
    std::uint32_t parent;
    std::vector<std::int64_t> ranks;  ///< empty: all
  };

  std::uint32_t count_ = 2;
  std::unordered_map<std::int64_t, std::uint32_t> numbers_;             ///< by handle
  std::unordered_map<std::int64_t, Group> groups_;                      ///< by handle, if known
  std::unordered_map<std::uint32_t, std::vector<Creation>> creations_;  ///< by number of the parent
};

/// The members of all communicators, which it adds to the trace.
class DumpiCommunicators {
 public:
  static constexpr std::uint32_t kUnknown = kAny, kAlone = kAny - 1;

  /// `ranks`: the handles of each after its last call. Throws UserError if calls of ranks do not fit
  /// together.
  DumpiCommunicators(Trace& trace, const std::vector<DumpiHandles>& ranks);
  /// Returns the number in the trace of a rank's communicator; kAlone for one like MPI_COMM_SELF, and
  /// kUnknown for one of unknown members, such as an intercommunicator.
  std::uint32_t of(std::uint32_t rank, std::uint32_t number) const { return known_[rank][number]; }

 private:
  struct Parent {
    std::uint32_t number;                  ///< in the trace
    std::vector<std::uint32_t> of_member;  ///< each member's own number
    std::vector<std::int64_t> dimensions;  ///< of a Cartesian one
  };
  void create_children(const Parent& parent, std::vector<Parent>& created);

  Trace& trace_;
  const std::vector<DumpiHandles>& ranks_;
  std::vector<std::vector<std::uint32_t>> known_;  ///< [rank][its number]
};

}  // namespace psim::net::replay
