// SPDX-License-Identifier: Apache-2.0
// Persistent collectives (MPI-4.1 sections 6.13, 8.8): each start calls the non-blocking form again, with the
// request and the tag of the initialisation.
#include <unordered_map>
#include <utility>
#include <vector>

#include "mpi/api.h"
#include "mpi/datatype/registry.h"
#include "mpi/object/info_handle.h"
#include "mpi/object/run_state.h"
#include "mpi/persistent.h"
#include "mpi/requests.h"

using namespace psim::net::mpi;

namespace {

std::unordered_map<std::uint32_t, std::unique_ptr<Restart>>& restarts() {
  static RunState<std::unordered_map<std::uint32_t, std::unique_ptr<Restart>>> all;
  return all.value;
}

/// Keeps a datatype that the program may free before the request. Other arguments need nothing.
template <class Argument>
void hold(std::vector<Ref<Datatype>>& held, Argument argument) {
  if constexpr (std::is_same_v<Argument, int>)
    if (is_handle(argument, HandleKind::Datatype) && argument != MPI_DATATYPE_NULL)
      held.emplace_back(&datatype(argument));
}

template <class Call>
struct PersistentCollective final : Restart {
  PersistentCollective(Call c, std::int32_t t) : call(std::move(c)), tag(t) {}
  int start(std::uint32_t request) override { return run({request, tag, false}); }
  int run(Restarting how) {
    MPI_Request same = MPI_REQUEST_NULL;
    restarting = &how;
    const int error = call(&same);
    restarting = nullptr;
    tag = how.tag;
    return error;
  }
  Call call;
  std::int32_t tag;
  std::vector<Ref<Datatype>> held;
};

/// Initialises a collective whose non-blocking form is `Start`; its last argument but the request is `comm`.
template <auto Start, class... Arguments>
int initialise(const char* function, MPI_Info hints, MPI_Request* request, MPI_Comm comm,
               Arguments... arguments) {
  if (const int error = guarded(function, comm, [&] {
        out(request);
        check_info(hints);
      }))
    return error;
  auto call = [=](MPI_Request* result) { return Start(arguments..., comm, result); };
  auto made = std::make_unique<PersistentCollective<decltype(call)>>(std::move(call), 0);
  if (const int error = made->run({0, 0, true})) return error;
  return guarded(function, comm, [&] {
    (hold(made->held, arguments), ...);
    const std::uint32_t index = new_request(self(function), RequestKind::Collective);
    library->requests[index].comm = comm;
    set_restart(index, std::move(made));
    *request = make_handle(HandleKind::Request, index);
  });
}

}  // namespace

namespace psim::net::mpi {

void set_restart(std::uint32_t request, std::unique_ptr<Restart> restart) {
  Request& r = library->requests[request];
  r.persistent = r.restarts = true;
  r.active = false;
  restarts()[request] = std::move(restart);
}
Restart& restart_of(std::uint32_t request) { return *restarts().at(request); }
void forget_restart(std::uint32_t request) { restarts().erase(request); }

}  // namespace psim::net::mpi

/// Defines the initialisation `name` of the collective whose non-blocking form is `start`, and its form for
/// large counts.
#define PSIM_PERSISTENT(name, start, arguments, ...)                                             \
  namespace psim_small_counts {                                                                  \
  PSIM_MPI(int, name, arguments) { return initialise<PMPI_##start>("MPI_" #name, __VA_ARGS__); } \
  }                                                                                              \
  namespace psim_large_counts {                                                                  \
  PSIM_MPI(int, name##_c, arguments) {                                                           \
    return initialise<PMPI_##start##_c>("MPI_" #name "_c", __VA_ARGS__);                         \
  }                                                                                              \
  }

PSIM_PERSISTENT(Allgather_init, Iallgather,
                (const void* sendbuf, Number sendcount, MPI_Datatype sendtype, void* recvbuf,
                 Number recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request),
                info, request, comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype)
PSIM_PERSISTENT(Allgatherv_init, Iallgatherv,
                (const void* sendbuf, Number sendcount, MPI_Datatype sendtype, void* recvbuf,
                 const Number* recvcounts, const Place* displs, MPI_Datatype recvtype, MPI_Comm comm,
                 MPI_Info info, MPI_Request* request),
                info, request, comm, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype)
PSIM_PERSISTENT(Allreduce_init, Iallreduce,
                (const void* sendbuf, void* recvbuf, Number count, MPI_Datatype datatype, MPI_Op op,
                 MPI_Comm comm, MPI_Info info, MPI_Request* request),
                info, request, comm, sendbuf, recvbuf, count, datatype, op)
PSIM_PERSISTENT(Alltoall_init, Ialltoall,
                (const void* sendbuf, Number sendcount, MPI_Datatype sendtype, void* recvbuf,
                 Number recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request),
                info, request, comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype)
PSIM_PERSISTENT(Alltoallv_init, Ialltoallv,
                (const void* sendbuf, const Number* sendcounts, const Place* sdispls, MPI_Datatype sendtype,
                 void* recvbuf, const Number* recvcounts, const Place* rdispls, MPI_Datatype recvtype,
                 MPI_Comm comm, MPI_Info info, MPI_Request* request),
                info, request, comm, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                recvtype)
PSIM_PERSISTENT(Alltoallw_init, Ialltoallw,
                (const void* sendbuf, const Number* sendcounts, const Place* sdispls,
                 const MPI_Datatype* sendtypes, void* recvbuf, const Number* recvcounts, const Place* rdispls,
                 const MPI_Datatype* recvtypes, MPI_Comm comm, MPI_Info info, MPI_Request* request),
                info, request, comm, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                recvtypes)
PSIM_MPI(int, Barrier_init, (MPI_Comm comm, MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Ibarrier>("MPI_Barrier_init", info, request, comm);
}
PSIM_PERSISTENT(Bcast_init, Ibcast,
                (void* buffer, Number count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
                 MPI_Request* request),
                info, request, comm, buffer, count, datatype, root)
PSIM_PERSISTENT(Exscan_init, Iexscan,
                (const void* sendbuf, void* recvbuf, Number count, MPI_Datatype datatype, MPI_Op op,
                 MPI_Comm comm, MPI_Info info, MPI_Request* request),
                info, request, comm, sendbuf, recvbuf, count, datatype, op)
PSIM_PERSISTENT(Gather_init, Igather,
                (const void* sendbuf, Number sendcount, MPI_Datatype sendtype, void* recvbuf,
                 Number recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                 MPI_Request* request),
                info, request, comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root)
PSIM_PERSISTENT(Gatherv_init, Igatherv,
                (const void* sendbuf, Number sendcount, MPI_Datatype sendtype, void* recvbuf,
                 const Number* recvcounts, const Place* displs, MPI_Datatype recvtype, int root,
                 MPI_Comm comm, MPI_Info info, MPI_Request* request),
                info, request, comm, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                root)
PSIM_PERSISTENT(Neighbor_allgather_init, Ineighbor_allgather,
                (const void* sendbuf, Number sendcount, MPI_Datatype sendtype, void* recvbuf,
                 Number recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request),
                info, request, comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype)
PSIM_PERSISTENT(Neighbor_allgatherv_init, Ineighbor_allgatherv,
                (const void* sendbuf, Number sendcount, MPI_Datatype sendtype, void* recvbuf,
                 const Number* recvcounts, const Place* displs, MPI_Datatype recvtype, MPI_Comm comm,
                 MPI_Info info, MPI_Request* request),
                info, request, comm, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype)
PSIM_PERSISTENT(Neighbor_alltoall_init, Ineighbor_alltoall,
                (const void* sendbuf, Number sendcount, MPI_Datatype sendtype, void* recvbuf,
                 Number recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request),
                info, request, comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype)
PSIM_PERSISTENT(Neighbor_alltoallv_init, Ineighbor_alltoallv,
                (const void* sendbuf, const Number* sendcounts, const Place* sdispls, MPI_Datatype sendtype,
                 void* recvbuf, const Number* recvcounts, const Place* rdispls, MPI_Datatype recvtype,
                 MPI_Comm comm, MPI_Info info, MPI_Request* request),
                info, request, comm, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                recvtype)
PSIM_PERSISTENT(Neighbor_alltoallw_init, Ineighbor_alltoallw,
                (const void* sendbuf, const Number* sendcounts, const MPI_Aint* sdispls,
                 const MPI_Datatype* sendtypes, void* recvbuf, const Number* recvcounts,
                 const MPI_Aint* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm, MPI_Info info,
                 MPI_Request* request),
                info, request, comm, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                recvtypes)
PSIM_PERSISTENT(Reduce_init, Ireduce,
                (const void* sendbuf, void* recvbuf, Number count, MPI_Datatype datatype, MPI_Op op, int root,
                 MPI_Comm comm, MPI_Info info, MPI_Request* request),
                info, request, comm, sendbuf, recvbuf, count, datatype, op, root)
PSIM_PERSISTENT(Reduce_scatter_block_init, Ireduce_scatter_block,
                (const void* sendbuf, void* recvbuf, Number recvcount, MPI_Datatype datatype, MPI_Op op,
                 MPI_Comm comm, MPI_Info info, MPI_Request* request),
                info, request, comm, sendbuf, recvbuf, recvcount, datatype, op)
PSIM_PERSISTENT(Reduce_scatter_init, Ireduce_scatter,
                (const void* sendbuf, void* recvbuf, const Number* recvcounts, MPI_Datatype datatype,
                 MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request),
                info, request, comm, sendbuf, recvbuf, recvcounts, datatype, op)
PSIM_PERSISTENT(Scan_init, Iscan,
                (const void* sendbuf, void* recvbuf, Number count, MPI_Datatype datatype, MPI_Op op,
                 MPI_Comm comm, MPI_Info info, MPI_Request* request),
                info, request, comm, sendbuf, recvbuf, count, datatype, op)
PSIM_PERSISTENT(Scatter_init, Iscatter,
                (const void* sendbuf, Number sendcount, MPI_Datatype sendtype, void* recvbuf,
                 Number recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                 MPI_Request* request),
                info, request, comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root)
PSIM_PERSISTENT(Scatterv_init, Iscatterv,
                (const void* sendbuf, const Number* sendcounts, const Place* displs, MPI_Datatype sendtype,
                 void* recvbuf, Number recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                 MPI_Info info, MPI_Request* request),
                info, request, comm, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                root)
