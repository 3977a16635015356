// SPDX-License-Identifier: Apache-2.0
// Agreement of ranks on new communicators. The leader of a communicator chooses its number. Groups are kept
// once per host process, so that ranks need no table of their own.
#pragma once

#include "mpi/collective/collective.h"

namespace psim::net::mpi {

/// The result of an agreement for one rank.
struct Agreed {
  Ref<Shared> shared;
  int rank = MPI_UNDEFINED;  ///< in the new communicator; MPI_UNDEFINED: not a member
  std::uint8_t side = 0;
};

/// Numbers a communicator at rank 0 of the channel and sends the number to the others. `*context` must
/// outlive the task.
Task agree_on_number(Channel c, std::uint32_t* context);
/// Agrees on a number among the members of a group; other ranks of the channel do nothing. Overlapping groups
/// may agree one after the other with one tag, because messages carry the sender's rank in the channel.
Task agree_among(Channel c, Ref<Group> members, std::uint32_t* context);
/// Groups ranks of the same color, ordered by key (MPI-3.1 section 6.4.2).
Task agree_on_split(Channel c, int color, int key, Agreed* result);

/// Returns a channel of the ranks of `group` on the collective context of `comm`. To be called by members.
Channel channel_of(Collective& c, const Communicator& comm, const Group& group, std::int32_t tag);

}  // namespace psim::net::mpi
