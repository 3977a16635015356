// SPDX-License-Identifier: Apache-2.0
// How ranks agree on new communicators. The number of a communicator is its leader's; groups are kept once
// per host process, so that ranks get them without a table of their own.
#pragma once

#include "mpi/collective/collective.h"

namespace psim::net::mpi {

/// What a rank learns.
struct Agreed {
  Ref<Shared> shared;
  int rank = MPI_UNDEFINED;  ///< in the new communicator; MPI_UNDEFINED: no member
  std::uint8_t side = 0;
};

/// Rank 0 of the channel numbers a communicator and tells the others. `*context` must outlive the task.
Task agree_on_number(Channel c, std::uint32_t* context);
/// The same for the members of a group among the ranks of the channel; others do nothing. Groups that overlap
/// may agree one after the other with one tag, as messages tell whom in the channel they are from.
Task agree_among(Channel c, Ref<Group> members, std::uint32_t* context);
/// Ranks with the same color come together, ordered by key (MPI-3.1 section 6.4.2).
Task agree_on_split(Channel c, int color, int key, Agreed* result);

/// A channel of the ranks of `group` on the collective context of `comm`, for those that are members.
Channel channel_of(Collective& c, const Communicator& comm, const Group& group, std::int32_t tag);

}  // namespace psim::net::mpi
