// SPDX-License-Identifier: Apache-2.0
// A communicator in two parts: the state shared by all its ranks, once per host process, and a small view for
// each rank.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "mpi/collective/function.h"
#include "mpi/include/mpi.h"
#include "mpi/object/attribute.h"
#include "mpi/object/group.h"
#include "mpi/object/info.h"
#include "mpi/object/ref.h"

namespace psim::net::mpi {

/// A Cartesian or (non-distributed) graph topology; MPI-3.1 chapter 7.
struct Topology : Counted {
  int kind = MPI_UNDEFINED;
  std::vector<int> dims, periods;  // cartesian
  std::vector<int> index, edges;   // graph
};

/// The neighbours of one rank in a distributed graph.
struct Neighbours {
  std::vector<int> sources, destinations, source_weights, destination_weights;
  bool weighted = false;
};

/// The ranks of a communicator by node, for collectives in two levels. The ranks of each node, and the
/// leaders, which are the first rank of each, are groups of their own.
struct Levels {
  std::vector<Ref<Group>> nodes;           ///< each in the order of the communicator
  Ref<Group> leaders;                      ///< the first rank of each node
  std::vector<std::uint32_t> node, place;  ///< of each rank: the index of its node, and its rank there
  bool even = true;  ///< each node has equally many ranks, which follow each other in the communicator
};

/// The part of a communicator that its ranks share.
struct Shared : Counted {
  ~Shared();
  /// in the envelope of point-to-point messages; collectives use its successor. Even
  std::uint32_t context = 0;
  /// for collectives within one side of an intercommunicator
  std::uint32_t local_context = 0;
  Ref<Group> local[2];  ///< the group; both groups of an intercommunicator, side 0 and side 1
  Ref<Topology> topology;
  std::unique_ptr<Levels> levels;  ///< made by the first collective in two levels
  bool observed = false;           ///< its members have been reported to the observer
  bool inter() const { return static_cast<bool>(local[1]); }
};

/// One rank's view of a communicator.
struct Communicator {
  Ref<Shared> shared;
  int rank = 0;
  std::uint8_t side = 0;                          ///< index of the rank's own group
  std::array<std::uint16_t, kFunctions> calls{};  ///< calls of each collective function; part of their tags
  MPI_Errhandler errhandler = MPI_ERRORS_ARE_FATAL;
  std::unique_ptr<Attributes> attributes;
  std::unique_ptr<std::string> name;
  std::unique_ptr<Neighbours> neighbours;
  std::unique_ptr<InfoList> info;

  const Group& group() const { return *shared->local[side]; }
  /// Returns the group that messages are sent to and received from.
  const Group& peers() const { return *shared->local[shared->inter() ? 1 - side : side]; }
  int size() const { return static_cast<int>(group().size()); }
};

}  // namespace psim::net::mpi
