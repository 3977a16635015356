// SPDX-License-Identifier: Apache-2.0
// MPI_Init, MPI_Finalize, and the functions that make communicators.
#include "ranks/replay/recorder/in_call.h"

using namespace psim::recorder;

extern "C" {

int MPI_Init(int* argc, char*** argv) {
  const int result = PSIM_REAL(Init)(argc, argv);
  Recorder::get().begin();
  const InCall in(Function::Init);
  return result;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int result = PSIM_REAL(Init_thread)(argc, argv, required, provided);
  Recorder::get().begin();
  const InCall in(Function::Init_thread);
  return result;
}

int MPI_Finalize() {
  { const InCall in(Function::Finalize); }
  Recorder::get().end();
  return PSIM_REAL(Finalize)();
}

#define PSIM_UNPACK(...) __VA_ARGS__
#define PSIM_MAKES(name, parameters, ...)                   \
  int MPI_##name(PSIM_UNPACK parameters, MPI_Comm* made) {  \
    const InCall in(Function::name);                        \
    const int result = PSIM_REAL(name)(__VA_ARGS__, made);  \
    if (result == MPI_SUCCESS) Recorder::get().made(*made); \
    return result;                                          \
  }
PSIM_MAKES(Comm_dup, (MPI_Comm comm), comm)
PSIM_MAKES(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info), comm, info)
PSIM_MAKES(Comm_split, (MPI_Comm comm, int color, int key), comm, color, key)
PSIM_MAKES(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info), comm, type, key, info)
PSIM_MAKES(Comm_create, (MPI_Comm comm, MPI_Group group), comm, group)
PSIM_MAKES(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag), comm, group, tag)
PSIM_MAKES(Cart_create, (MPI_Comm comm, int dims, const int sizes[], const int periods[], int reorder), comm,
           dims, sizes, periods, reorder)
PSIM_MAKES(Cart_sub, (MPI_Comm comm, const int remain[]), comm, remain)
PSIM_MAKES(Graph_create, (MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder), comm,
           nodes, index, edges, reorder)
PSIM_MAKES(Dist_graph_create,
           (MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[],
            const int weights[], MPI_Info info, int reorder),
           comm, n, sources, degrees, destinations, weights, info, reorder)
PSIM_MAKES(Dist_graph_create_adjacent,
           (MPI_Comm comm, int in_degree, const int sources[], const int in_weights[], int out_degree,
            const int destinations[], const int out_weights[], MPI_Info info, int reorder),
           comm, in_degree, sources, in_weights, out_degree, destinations, out_weights, info, reorder)
PSIM_MAKES(Intercomm_create, (MPI_Comm comm, int leader, MPI_Comm peers, int remote_leader, int tag), comm,
           leader, peers, remote_leader, tag)
PSIM_MAKES(Intercomm_merge, (MPI_Comm comm, int high), comm, high)

int MPI_Comm_free(MPI_Comm* comm) {
  const InCall in(Function::Comm_free);
  Recorder::get().gone(*comm);
  return PSIM_REAL(Comm_free)(comm);
}

int MPI_Comm_disconnect(MPI_Comm* comm) {
  const InCall in(Function::Comm_disconnect);
  Recorder::get().gone(*comm);
  return PSIM_REAL(Comm_disconnect)(comm);
}

PSIM_ALSO(Init)
PSIM_ALSO(Init_thread)
PSIM_ALSO(Finalize)
PSIM_ALSO(Comm_dup)
PSIM_ALSO(Comm_dup_with_info)
PSIM_ALSO(Comm_split)
PSIM_ALSO(Comm_split_type)
PSIM_ALSO(Comm_create)
PSIM_ALSO(Comm_create_group)
PSIM_ALSO(Comm_free)
PSIM_ALSO(Comm_disconnect)
PSIM_ALSO(Cart_create)
PSIM_ALSO(Cart_sub)
PSIM_ALSO(Graph_create)
PSIM_ALSO(Dist_graph_create)
PSIM_ALSO(Dist_graph_create_adjacent)
PSIM_ALSO(Intercomm_create)
PSIM_ALSO(Intercomm_merge)

}  // extern "C"
