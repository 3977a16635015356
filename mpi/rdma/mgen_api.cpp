// SPDX-License-Identifier: Apache-2.0
// Remote direct memory access of MGEN programs (paper 000, section 3.2).
#include <algorithm>
#include <iterator>
#include <string>

#include "mpi/api.h"
#include "mpi/communicators.h"
#include "mpi/include/mgen_rdma.h"
#include "mpi/rdma/acp.h"
#include "mpi/request.h"

using namespace psim::net;
using namespace psim::net::mpi;

namespace {

/// Checks a rank of MPI_COMM_WORLD.
std::uint32_t checked_rank(const char* what, int rank) {
  const Group& world = self().world.group();
  const std::uint32_t ranks = world.size();
  if (rank < 0 || static_cast<std::uint32_t>(rank) >= ranks)
    library->host.abort_job(1, "MGEN_acp_copy: " + std::string(what) + " " + std::to_string(rank) +
                                   "; expected a rank from 0 to " + std::to_string(ranks - 1));
  return world.world(static_cast<std::uint32_t>(rank));
}

}  // namespace

extern "C" MGEN_acp_handle MGEN_acp_copy(int src_rank, int dest_rank, int data_size) {
  const Call call("MGEN_acp_copy");
  Rank& me = acp_enter("MGEN_acp_copy");
  if (data_size < 0)
    library->host.abort_job(
        1, "MGEN_acp_copy: data_size " + std::to_string(data_size) + "; expected 0 bytes or more");
  rdma::Operation copy;
  copy.source = checked_rank("src_rank", src_rank);
  copy.destination = checked_rank("dest_rank", dest_rank);
  copy.bytes = static_cast<std::uint64_t>(data_size);
  copy.program_acknowledges =
      library->config.rdma.put_ack == PutAck::Program && copy.source == me.id && copy.destination != me.id;
  library->host.sleep(library->config.rdma.post);
  return library->rdma().engine.start(me.id, copy, {});
}

extern "C" void MGEN_acp_complete(MGEN_acp_handle handle) {
  const Call call("MGEN_acp_complete");
  Rank& me = acp_enter("MGEN_acp_complete");
  if (handle == 0 || handle > library->rdma().engine.of(me.id).last())
    library->host.abort_job(1, "MGEN_acp_complete: handle " + std::to_string(handle) +
                                   "; expected one that MGEN_acp_copy returned to this rank");
  library->rdma().wait(me, handle, false);
  library->host.sleep(library->config.rdma.completion);
}

extern "C" int LMGEN_Isend_acp_put_ctrl(int dest, MPI_Comm comm, MPI_Request* request, int zero,
                                        t_NsimRoutingInfo* info) {
  return guarded("LMGEN_Isend_acp_put_ctrl", comm, [&] {
    Rank& me = acp_enter("LMGEN_Isend_acp_put_ctrl");
    const Communicator& c = communicator(comm);
    require(dest >= 0 && dest < static_cast<int>(c.peers().size()), MPI_ERR_RANK);
    require(zero == 0, MPI_ERR_ARG);
    require(info == nullptr || std::all_of(std::begin(info->psim_reserved), std::end(info->psim_reserved),
                                           [](int word) { return word == 0; }),
            MPI_ERR_ARG);
    out(request) = make_handle(HandleKind::Request, kDoneIndex);
    ++me.done_handles;
    if (library->config.rdma.put_ack != PutAck::Program) return;
    library->host.sleep(library->config.rdma.post);
    library->rdma().engine.acknowledge(me.id, c.peers().world(static_cast<std::uint32_t>(dest)));
  });
}

extern "C" int LMGEN_Wait_ctrl(MPI_Request* request, MPI_Status* status) {
  return PMPI_Wait(request, status);
}
