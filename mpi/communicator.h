// SPDX-License-Identifier: Apache-2.0
// A communicator in two parts: what all its ranks share (once per host process), and the small view each
// rank has of it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "mpi/attribute.h"
#include "mpi/collective/function.h"
#include "mpi/group.h"
#include "mpi/include/mpi.h"
#include "mpi/info.h"
#include "mpi/ref.h"

namespace psim::net::mpi {

/// Cartesian or (non-distributed) graph; MPI-3.1 chapter 7.
struct Topology : Counted {
  int kind = MPI_UNDEFINED;
  std::vector<int> dims, periods;  // cartesian
  std::vector<int> index, edges;   // graph
};

/// Neighbours of one rank in a distributed graph.
struct Neighbours {
  std::vector<int> sources, destinations, source_weights, destination_weights;
  bool weighted = false;
};

struct Shared : Counted {
  ~Shared();
  /// Point-to-point messages carry it, collectives its successor. Even.
  std::uint32_t context = 0;
  /// Of collectives inside one side of an intercommunicator.
  std::uint32_t local_context = 0;
  Ref<Group> local[2];  ///< the group; of an intercommunicator both, side 0 and side 1
  Ref<Topology> topology;
  bool observed = false;  ///< the observer knows the context
  bool inter() const { return static_cast<bool>(local[1]); }
};

struct Communicator {
  Ref<Shared> shared;
  int rank = 0;
  std::uint8_t side = 0;                          ///< which of the groups is the rank's own
  std::array<std::uint16_t, kFunctions> calls{};  ///< of collectives, each function's: in their tags
  MPI_Errhandler errhandler = MPI_ERRORS_ARE_FATAL;
  std::unique_ptr<Attributes> attributes;
  std::unique_ptr<std::string> name;
  std::unique_ptr<Neighbours> neighbours;
  std::unique_ptr<InfoList> info;

  const Group& group() const { return *shared->local[side]; }
  /// The group that messages go to and come from.
  const Group& peers() const { return *shared->local[shared->inter() ? 1 - side : side]; }
  int size() const { return static_cast<int>(group().size()); }
};

/// The communicator of a handle for the running rank. Fails with MPI_ERR_COMM; MPI_COMM_WORLD and
/// MPI_COMM_SELF with MPI_ERR_OTHER after MPI_Finalize; before MPI_Init they are there.
Communicator& communicator(MPI_Comm handle);

/// A number for a new communicator led by the running rank, unlike all others of the run.
std::uint32_t new_context(std::uint32_t leader_world);
/// The shared part registered under `context`, or a new one made with these groups.
Ref<Shared> share(std::uint32_t context, std::uint32_t local_context, Ref<Group> group, Ref<Group> remote,
                  Ref<Topology> topology);
/// Collective over `comm`: its members in `members` get a communicator with a topology, others MPI_COMM_NULL.
int create_with_topology(const char* function, MPI_Comm comm, const Ref<Group>& members,
                         Ref<Topology> topology, MPI_Comm* result);
/// Source and destination of a shift (MPI-3.1 section 7.5.6).
std::pair<int, int> cart_shift(const Topology& t, int rank, std::size_t dim, int step);
/// A new handle of the running rank.
MPI_Comm publish(Ref<Shared> shared, int rank, std::uint8_t side);

}  // namespace psim::net::mpi
