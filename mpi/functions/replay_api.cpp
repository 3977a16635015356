// SPDX-License-Identifier: Apache-2.0
// Interface for the program that replays traces, next to MPI. Communicators of the recorded run exist from
// the start and cost no message.
#include "mpi/functions/replay_api.h"
#include "mpi/communicator.h"
#include "mpi/communicators.h"
#include "mpi/library.h"

namespace psim::net::mpi {
namespace {

/// Returns the group of `members`; evenly spaced members need no table.
Ref<Group> group_of(std::vector<std::uint32_t> members) {
  const auto size = static_cast<std::uint32_t>(members.size());
  const std::uint32_t stride = size > 1 && members[1] > members[0] ? members[1] - members[0] : 1;
  std::uint32_t at = 1;
  while (at < size && members[at] == members[0] + at * stride) ++at;
  if (at == size) return new Group(members[0], stride, size);
  return new Group(std::move(members));
}

}  // namespace
}  // namespace psim::net::mpi

extern "C" MPI_Comm psim_replay_communicator(std::uint32_t number, const std::uint32_t* members,
                                             std::uint32_t size) {
  using namespace psim::net::mpi;
  const std::uint32_t first = self().world.group().world(0), ranks = library->host.ranks();
  std::vector<std::uint32_t> world(members, members + size);
  for (std::uint32_t& member : world) member += first;
  const Ref<Group> group = group_of(std::move(world));
  const int rank = group->rank_of(self().id);
  // Numbers after the worlds' and those of MPI_COMM_SELF; see new_context().
  const std::uint64_t alone = 2 * std::uint64_t{ranks} + number;
  const std::uint64_t among_jobs = (2 + std::uint64_t{number}) * ranks + first;
  const std::uint64_t context =
      (library->worlds.size() == 1 ? alone : among_jobs) * psim::net::kContextsOfOne;
  if (context > ~std::uint32_t{0} - psim::net::kContextsOfOne)
    library->host.abort_job(1, "the trace has more communicators than 32-bit numbers");
  return publish(share(static_cast<std::uint32_t>(context), 0, group, {}, {}), rank, 0);
}

extern "C" double psim_replay_time() {
  return static_cast<double>(psim::net::mpi::library->host.now().count()) * 1e-12;
}
