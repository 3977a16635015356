// SPDX-License-Identifier: Apache-2.0
// Neighbourhood collectives (MPI-3.1 sections 7.6, 7.7): one message along each edge.
#include <vector>

#include "mpi/cartesian.h"
#include "mpi/collective/blocks.h"
#include "mpi/collective/call.h"
#include "mpi/collective/forms.h"

using namespace psim::net::mpi;

namespace {

struct Around {
  std::vector<int> sources, destinations;
  bool cartesian = false;
};

/// Returns the neighbours in the standard's order: down, then up, in each dimension; for graphs as given.
Around around(const Communicator& c) {
  if (c.neighbours) return {c.neighbours->sources, c.neighbours->destinations};
  require(static_cast<bool>(c.shared->topology), MPI_ERR_TOPOLOGY);
  const Topology& t = *c.shared->topology;
  Around a;
  if (t.kind == MPI_CART) {
    a.cartesian = true;
    for (std::size_t i = 0; i < t.dims.size(); ++i) {
      const auto [down, up] = cart_shift(t, c.rank, i, 1);
      a.sources.insert(a.sources.end(), {down, up});
    }
  } else {
    const auto r = static_cast<std::size_t>(c.rank);
    a.sources.assign(t.edges.begin() + (r > 0 ? t.index[r - 1] : 0), t.edges.begin() + t.index[r]);
  }
  a.destinations = a.sources;
  return a;
}

Task exchange(Collective& c, Around a, Blocks send, Blocks recv, bool same_block) {
  const Channel& ch = c.local;
  for (std::size_t i = 0; i < a.sources.size(); ++i)
    if (a.sources[i] != MPI_PROC_NULL) recv.recv(ch, a.sources[i], static_cast<int>(i));
  for (std::size_t i = 0; i < a.destinations.size(); ++i) {
    // If one rank is the neighbour on both sides, a block sent up is received from below (MPI-4.0 section
    // 8.6). So in each dimension the upper block is sent first, and the lower one is received first.
    const std::size_t block = a.cartesian ? i ^ 1 : i;
    if (a.destinations[block] != MPI_PROC_NULL)
      send.send(ch, a.destinations[block], same_block ? 0 : static_cast<int>(block));
  }
  co_await ch.done();
}

int call(const char* function, MPI_Comm comm, MPI_Request* request, bool same_block, auto send, auto recv) {
  return collective_call(function, Function::Neighbour, comm, request,
                         [&](Collective& c, Communicator& communicator) {
                           require(!c.inter, MPI_ERR_COMM, "an intercommunicator has no neighbourhoods");
                           Around a = around(communicator);
                           auto to = recv(c.local, static_cast<int>(a.sources.size()));
                           auto from = send(c.local, static_cast<int>(a.destinations.size()));
                           return exchange(c, std::move(a), std::move(from), std::move(to), same_block);
                         });
}

auto equal(const ArgumentNames& names, const void* user, MPI_Count count, MPI_Datatype type,
           bool once = false) {
  return [=](const Channel& c, int n) {
    return equal_blocks(c, names, user, count, type, once ? std::min(n, 1) : n);
  };
}
auto by_counts(const ArgumentNames& names, const void* user, Numbers counts, Numbers displacements,
               MPI_Datatype type) {
  return [=](const Channel& c, int n) { return v_blocks(c, names, user, counts, displacements, n, type); };
}
auto by_types(const ArgumentNames& names, const void* user, Numbers counts, Numbers displacements,
              const MPI_Datatype* types) {
  return [=](const Channel& c, int n) { return w_blocks(c, names, user, counts, displacements, types, n); };
}

int neighbor_allgather_call(const char* function, const void* send, MPI_Count send_count,
                            MPI_Datatype send_type, void* recv, MPI_Count recv_count, MPI_Datatype recv_type,
                            MPI_Comm comm, MPI_Request* request) {
  return call(function, comm, request, true, equal(kSend, send, send_count, send_type, true),
              equal(kReceive, recv, recv_count, recv_type));
}
int neighbor_allgatherv_call(const char* function, const void* send, MPI_Count send_count,
                             MPI_Datatype send_type, void* recv, Numbers counts, Numbers displacements,
                             MPI_Datatype recv_type, MPI_Comm comm, MPI_Request* request) {
  return call(function, comm, request, true, equal(kSend, send, send_count, send_type, true),
              by_counts(kReceive, recv, counts, displacements, recv_type));
}
int neighbor_alltoall_call(const char* function, const void* send, MPI_Count send_count,
                           MPI_Datatype send_type, void* recv, MPI_Count recv_count, MPI_Datatype recv_type,
                           MPI_Comm comm, MPI_Request* request) {
  return call(function, comm, request, false, equal(kSend, send, send_count, send_type),
              equal(kReceive, recv, recv_count, recv_type));
}
int neighbor_alltoallv_call(const char* function, const void* send, Numbers send_counts,
                            Numbers send_displacements, MPI_Datatype send_type, void* recv,
                            Numbers recv_counts, Numbers recv_displacements, MPI_Datatype recv_type,
                            MPI_Comm comm, MPI_Request* request) {
  return call(function, comm, request, false,
              by_counts(kSend, send, send_counts, send_displacements, send_type),
              by_counts(kReceive, recv, recv_counts, recv_displacements, recv_type));
}
int neighbor_alltoallw_call(const char* function, const void* send, Numbers send_counts,
                            Numbers send_displacements, const MPI_Datatype* send_types, void* recv,
                            Numbers recv_counts, Numbers recv_displacements, const MPI_Datatype* recv_types,
                            MPI_Comm comm, MPI_Request* request) {
  return call(function, comm, request, false,
              by_types(kSend, send, send_counts, send_displacements, send_types),
              by_types(kReceive, recv, recv_counts, recv_displacements, recv_types));
}

}  // namespace

PSIM_COLLECTIVE(Neighbor_allgather, Ineighbor_allgather, neighbor_allgather_call,
                (const void* send, Number send_count, MPI_Datatype send_type, void* recv, Number recv_count,
                 MPI_Datatype recv_type),
                send, send_count, send_type, recv, recv_count, recv_type)
PSIM_COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv, neighbor_allgatherv_call,
                (const void* send, Number send_count, MPI_Datatype send_type, void* recv,
                 const Number* counts, const Place* displacements, MPI_Datatype recv_type),
                send, send_count, send_type, recv, counts, displacements, recv_type)
PSIM_COLLECTIVE(Neighbor_alltoall, Ineighbor_alltoall, neighbor_alltoall_call,
                (const void* send, Number send_count, MPI_Datatype send_type, void* recv, Number recv_count,
                 MPI_Datatype recv_type),
                send, send_count, send_type, recv, recv_count, recv_type)
PSIM_COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv, neighbor_alltoallv_call,
                (const void* send, const Number* send_counts, const Place* send_displacements,
                 MPI_Datatype send_type, void* recv, const Number* recv_counts,
                 const Place* recv_displacements, MPI_Datatype recv_type),
                send, send_counts, send_displacements, send_type, recv, recv_counts, recv_displacements,
                recv_type)
PSIM_COLLECTIVE(Neighbor_alltoallw, Ineighbor_alltoallw, neighbor_alltoallw_call,
                (const void* send, const Number* send_counts, const MPI_Aint* send_displacements,
                 const MPI_Datatype* send_types, void* recv, const Number* recv_counts,
                 const MPI_Aint* recv_displacements, const MPI_Datatype* recv_types),
                send, send_counts, send_displacements, send_types, recv, recv_counts, recv_displacements,
                recv_types)
