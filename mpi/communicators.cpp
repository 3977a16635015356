// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators.h"

#include <unordered_map>

#include "mpi/library.h"
#include "mpi/object/failure.h"
#include "mpi/object/run_state.h"

namespace psim::net::mpi {
namespace {

/// Shared parts by context; never iterated.
std::unordered_map<std::uint32_t, Shared*>& registry() {
  static RunState<std::unordered_map<std::uint32_t, Shared*>> all;
  return all.value;
}

}  // namespace

Shared::~Shared() { registry().erase(context); }

Communicator& communicator(MPI_Comm handle) {
  if (handle == MPI_COMM_WORLD || handle == MPI_COMM_SELF) {
    Rank& me = self();
    require(!me.finalized, MPI_ERR_OTHER, "called after MPI_Finalize");
    if (handle == MPI_COMM_WORLD) return me.world;
    if (!me.self.shared) {
      const std::uint32_t context = (library->host.ranks() + me.id) * kContextsOfOne;
      me.self.shared = share(context, 0, new Group(me.id, 1, 1), {}, {});
    }
    return me.self;
  }
  const std::uint32_t index = handle_index(handle);
  require(is_handle(handle, HandleKind::Communicator) && library->communicators.holds(index - 2) &&
              index > 2 && library->communicators[index - 2].shared,
          MPI_ERR_COMM, handle == MPI_COMM_NULL ? "MPI_COMM_NULL" : "no communicator has this handle");
  return library->communicators[index - 2];
}

std::uint32_t new_context(std::uint32_t leader_world) {
  // Numbers are rows of one number per rank. Row 0 holds the worlds, by their first ranks; row 1 the
  // MPI_COMM_SELFs; later rows the communicators that each rank leads.
  const std::uint64_t row = library->ranks[leader_world].contexts++;
  const std::uint64_t context = ((row + 1) * library->host.ranks() + leader_world) * kContextsOfOne;
  if (context > ~std::uint32_t{0} - kContextsOfOne)
    library->host.abort_job(1, "too many communicators: all 32-bit communicator numbers are in use");
  return static_cast<std::uint32_t>(context);
}

Ref<Shared> share(std::uint32_t context, std::uint32_t local_context, Ref<Group> group, Ref<Group> remote,
                  Ref<Topology> topology) {
  Shared*& entry = registry()[context];
  if (entry == nullptr) {
    entry = new Shared;
    entry->context = context;
    entry->local_context = local_context;
    entry->local[0] = std::move(group);
    entry->local[1] = std::move(remote);
    entry->topology = std::move(topology);
  }
  return entry;
}

MPI_Comm publish(Ref<Shared> shared, int rank, std::uint8_t side) {
  const std::uint32_t index = library->communicators.take();
  Communicator& comm = library->communicators[index];
  comm.shared = std::move(shared);
  comm.rank = rank;
  comm.side = side;
  return make_handle(HandleKind::Communicator, index + 2);
}

}  // namespace psim::net::mpi
