// SPDX-License-Identifier: Apache-2.0
// Records one rank of a real MPI program in an OTF2 archive that all ranks share. psim-otf2 loads this
// library before the program. It is built with the installed MPI, not with psim's.
//
// Sizes of collectives are the lengths of the buffers passed to the call: bytes given and bytes received by
// the rank. In MPI_Bcast and MPI_Scatter only the root gives; in MPI_Gather and MPI_Reduce only the root
// receives.
#pragma once

#include <mpi.h>
#include <otf2/otf2.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace psim::recorder {

/// The recorded functions, each defined in a file of this folder.
// clang-format off
#define PSIM_RECORDED(X) \
  X(Init) X(Init_thread) X(Finalize) X(Send) X(Ssend) X(Bsend) X(Rsend) X(Isend) X(Issend) \
  X(Ibsend) X(Irsend) X(Recv) X(Irecv) X(Probe) X(Sendrecv) X(Sendrecv_replace) X(Send_init) \
  X(Ssend_init) X(Bsend_init) X(Rsend_init) X(Recv_init) X(Start) X(Startall) X(Wait) X(Waitall) \
  X(Waitany) X(Waitsome) X(Test) X(Testall) X(Testany) X(Testsome) X(Cancel) X(Request_free) \
  X(Barrier) X(Bcast) X(Gather) X(Gatherv) X(Scatter) X(Scatterv) X(Allgather) X(Allgatherv) \
  X(Alltoall) X(Alltoallv) X(Alltoallw) X(Allreduce) X(Reduce) X(Reduce_scatter) \
  X(Reduce_scatter_block) X(Scan) X(Exscan) X(Ibarrier) X(Ibcast) X(Igather) X(Igatherv) \
  X(Iscatter) X(Iscatterv) X(Iallgather) X(Iallgatherv) X(Ialltoall) X(Ialltoallv) X(Ialltoallw) \
  X(Iallreduce) X(Ireduce) X(Ireduce_scatter) X(Ireduce_scatter_block) X(Iscan) X(Iexscan) \
  X(Comm_dup) X(Comm_dup_with_info) X(Comm_split) X(Comm_split_type) X(Comm_create) \
  X(Comm_create_group) X(Comm_free) X(Comm_disconnect) X(Cart_create) X(Cart_sub) X(Graph_create) \
  X(Dist_graph_create) X(Dist_graph_create_adjacent) X(Intercomm_create) X(Intercomm_merge)
// clang-format on

enum class Function : std::uint32_t {
#define PSIM_NAME(name) name,
  PSIM_RECORDED(PSIM_NAME)
#undef PSIM_NAME
};

/// One end of a message.
struct Message {
  int peer = MPI_PROC_NULL;
  int tag = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  std::uint64_t bytes = 0;  ///< of a receive: known at its end
};

struct CollectiveSizes {
  OTF2_CollectiveOp op;
  MPI_Comm comm;
  int root;  ///< -1: none
  std::uint64_t given, got;
};

class Recorder {
 public:
  static Recorder& get();

  /// Begins the recording, after PMPI_Init. The environment's PSIM_OTF2 names the folder.
  void begin();
  /// Ends the recording, before PMPI_Finalize. Collective.
  void end();

  void enter(Function function);
  void leave(Function function);
  void sent(const Message& message);
  void received(const Message& message);
  void collective_begins();
  void collective_ends(const CollectiveSizes& sizes);
  /// Note a new request, with the operation that its completion ends.
  void started_send(MPI_Request request, const Message& message);
  void started_receive(MPI_Request request, MPI_Comm comm);
  void started_collective(MPI_Request request, const CollectiveSizes& sizes);
  /// Notes a persistent request, for MPI_Start.
  void prepared(MPI_Request request, bool send, const Message& message);
  void started_prepared(MPI_Request request);
  /// Notes a completion. `status` is of a received message; the handle was `request` before the call.
  void completed(MPI_Request request, MPI_Status* status);
  void freed(MPI_Request request);
  /// Notes a new communicator, on each of its members.
  void made(MPI_Comm comm);
  void gone(MPI_Comm comm) { comms_.erase(comm); }

 private:
  struct Request {
    enum class Kind : std::uint8_t { Send, Receive, Collective } kind;
    std::uint64_t number = 0;
    bool persistent = false, active = true;
    Message message;
    CollectiveSizes sizes{};
  };
  struct Communicator {
    OTF2_CommRef reference;
    std::vector<std::uint64_t> members, others;  ///< ranks of the world; others: of an intercommunicator
  };

  /// Returns whether the recording runs and the call is the program's own.
  bool listens() const { return recording_ && depth_ == 1; }
  bool reference(MPI_Comm comm, OTF2_CommRef& result);
  std::uint64_t now() const;
  void define(const std::vector<std::uint64_t>& events);
  std::vector<Communicator> gather_communicators();
  void check(OTF2_ErrorCode code) const;

  bool recording_ = false;
  unsigned depth_ = 0;  ///< of nested calls
  int rank_ = 0, ranks_ = 1;
  std::string folder_;
  OTF2_Archive* archive_ = nullptr;
  OTF2_EvtWriter* events_ = nullptr;
  /// Open MPI uses one handle for all sends that complete at once.
  std::unordered_multimap<MPI_Request, Request> requests_;
  std::unordered_map<MPI_Comm, OTF2_CommRef> comms_;
  std::vector<Communicator> led_;  ///< communicators defined by this rank
  std::uint64_t operations_ = 0, begun_ = 0, unknown_ = 0;
};

}  // namespace psim::recorder
