// SPDX-License-Identifier: Apache-2.0
// Persistent collectives (MPI-4.1 sections 6.13, 8.8): each start calls the non-blocking form again, with the
// request and the tag of the initialisation.
#include <unordered_map>
#include <utility>
#include <vector>

#include "mpi/api.h"
#include "mpi/communicators.h"
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

PSIM_MPI(int, Allgather_init,
         (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
          MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Iallgather>("MPI_Allgather_init", info, request, comm, sendbuf, sendcount, sendtype,
                                     recvbuf, recvcount, recvtype);
}
PSIM_MPI(int, Allgatherv_init,
         (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
          const int* displs, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Iallgatherv>("MPI_Allgatherv_init", info, request, comm, sendbuf, sendcount,
                                      sendtype, recvbuf, recvcounts, displs, recvtype);
}
PSIM_MPI(int, Allreduce_init,
         (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
          MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Iallreduce>("MPI_Allreduce_init", info, request, comm, sendbuf, recvbuf, count,
                                     datatype, op);
}
PSIM_MPI(int, Alltoall_init,
         (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
          MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Ialltoall>("MPI_Alltoall_init", info, request, comm, sendbuf, sendcount, sendtype,
                                    recvbuf, recvcount, recvtype);
}
PSIM_MPI(int, Alltoallv_init,
         (const void* sendbuf, const int* sendcounts, const int* sdispls, MPI_Datatype sendtype,
          void* recvbuf, const int* recvcounts, const int* rdispls, MPI_Datatype recvtype, MPI_Comm comm,
          MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Ialltoallv>("MPI_Alltoallv_init", info, request, comm, sendbuf, sendcounts, sdispls,
                                     sendtype, recvbuf, recvcounts, rdispls, recvtype);
}
PSIM_MPI(int, Alltoallw_init,
         (const void* sendbuf, const int* sendcounts, const int* sdispls, const MPI_Datatype* sendtypes,
          void* recvbuf, const int* recvcounts, const int* rdispls, const MPI_Datatype* recvtypes,
          MPI_Comm comm, MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Ialltoallw>("MPI_Alltoallw_init", info, request, comm, sendbuf, sendcounts, sdispls,
                                     sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
}
PSIM_MPI(int, Barrier_init, (MPI_Comm comm, MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Ibarrier>("MPI_Barrier_init", info, request, comm);
}
PSIM_MPI(int, Bcast_init,
         (void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
          MPI_Request* request)) {
  return initialise<PMPI_Ibcast>("MPI_Bcast_init", info, request, comm, buffer, count, datatype, root);
}
PSIM_MPI(int, Exscan_init,
         (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
          MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Iexscan>("MPI_Exscan_init", info, request, comm, sendbuf, recvbuf, count, datatype,
                                  op);
}
PSIM_MPI(int, Gather_init,
         (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
          MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Igather>("MPI_Gather_init", info, request, comm, sendbuf, sendcount, sendtype,
                                  recvbuf, recvcount, recvtype, root);
}
PSIM_MPI(int, Gatherv_init,
         (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
          const int* displs, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
          MPI_Request* request)) {
  return initialise<PMPI_Igatherv>("MPI_Gatherv_init", info, request, comm, sendbuf, sendcount, sendtype,
                                   recvbuf, recvcounts, displs, recvtype, root);
}
PSIM_MPI(int, Neighbor_allgather_init,
         (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
          MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Ineighbor_allgather>("MPI_Neighbor_allgather_init", info, request, comm, sendbuf,
                                              sendcount, sendtype, recvbuf, recvcount, recvtype);
}
PSIM_MPI(int, Neighbor_allgatherv_init,
         (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
          const int* displs, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Ineighbor_allgatherv>("MPI_Neighbor_allgatherv_init", info, request, comm, sendbuf,
                                               sendcount, sendtype, recvbuf, recvcounts, displs, recvtype);
}
PSIM_MPI(int, Neighbor_alltoall_init,
         (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
          MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Ineighbor_alltoall>("MPI_Neighbor_alltoall_init", info, request, comm, sendbuf,
                                             sendcount, sendtype, recvbuf, recvcount, recvtype);
}
PSIM_MPI(int, Neighbor_alltoallv_init,
         (const void* sendbuf, const int* sendcounts, const int* sdispls, MPI_Datatype sendtype,
          void* recvbuf, const int* recvcounts, const int* rdispls, MPI_Datatype recvtype, MPI_Comm comm,
          MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Ineighbor_alltoallv>("MPI_Neighbor_alltoallv_init", info, request, comm, sendbuf,
                                              sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                              recvtype);
}
PSIM_MPI(int, Neighbor_alltoallw_init,
         (const void* sendbuf, const int* sendcounts, const MPI_Aint* sdispls, const MPI_Datatype* sendtypes,
          void* recvbuf, const int* recvcounts, const MPI_Aint* rdispls, const MPI_Datatype* recvtypes,
          MPI_Comm comm, MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Ineighbor_alltoallw>("MPI_Neighbor_alltoallw_init", info, request, comm, sendbuf,
                                              sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                              recvtypes);
}
PSIM_MPI(int, Reduce_init,
         (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
          MPI_Comm comm, MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Ireduce>("MPI_Reduce_init", info, request, comm, sendbuf, recvbuf, count, datatype,
                                  op, root);
}
PSIM_MPI(int, Reduce_scatter_block_init,
         (const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
          MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Ireduce_scatter_block>("MPI_Reduce_scatter_block_init", info, request, comm, sendbuf,
                                                recvbuf, recvcount, datatype, op);
}
PSIM_MPI(int, Reduce_scatter_init,
         (const void* sendbuf, void* recvbuf, const int* recvcounts, MPI_Datatype datatype, MPI_Op op,
          MPI_Comm comm, MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Ireduce_scatter>("MPI_Reduce_scatter_init", info, request, comm, sendbuf, recvbuf,
                                          recvcounts, datatype, op);
}
PSIM_MPI(int, Scan_init,
         (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
          MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Iscan>("MPI_Scan_init", info, request, comm, sendbuf, recvbuf, count, datatype, op);
}
PSIM_MPI(int, Scatter_init,
         (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
          MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Iscatter>("MPI_Scatter_init", info, request, comm, sendbuf, sendcount, sendtype,
                                   recvbuf, recvcount, recvtype, root);
}
PSIM_MPI(int, Scatterv_init,
         (const void* sendbuf, const int* sendcounts, const int* displs, MPI_Datatype sendtype, void* recvbuf,
          int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
          MPI_Request* request)) {
  return initialise<PMPI_Iscatterv>("MPI_Scatterv_init", info, request, comm, sendbuf, sendcounts, displs,
                                    sendtype, recvbuf, recvcount, recvtype, root);
}
