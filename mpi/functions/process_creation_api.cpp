// SPDX-License-Identifier: Apache-2.0
// Process creation (MPI-3.1 chapter 10). All ranks of a job start together and no other job can be reached.
// There is no parent, and functions that would start or meet further processes fail with the standard's error
// class.
#include "mpi/api.h"
#include "mpi/communicators.h"

using namespace psim::net::mpi;

namespace {

constexpr const char* kNoSpawn = "the ranks of a simulated job start together; no rank can be spawned later";
constexpr const char* kNoPorts = "a simulated job has no ports and cannot connect to another job";

int refused(const char* function, MPI_Comm comm, int code, const char* why) {
  return guarded(function, comm, [&] {
    if (comm != MPI_COMM_NULL) communicator(comm);
    fail(code, why);
  });
}

int spawn(const char* function, MPI_Comm comm, MPI_Comm* result, int processes, int* codes) {
  if (result != nullptr) *result = MPI_COMM_NULL;
  if (codes != MPI_ERRCODES_IGNORE)
    for (int i = 0; i < processes; ++i) codes[i] = MPI_ERR_SPAWN;
  return refused(function, comm, MPI_ERR_SPAWN, kNoSpawn);
}

int meet(const char* function, MPI_Comm comm, MPI_Comm* result) {
  if (result != nullptr) *result = MPI_COMM_NULL;
  return refused(function, comm, MPI_ERR_PORT, kNoPorts);
}

}  // namespace

PSIM_MPI_CALL(Comm_get_parent, (MPI_Comm * parent), guarded, [&] { out(parent) = MPI_COMM_NULL; })

/// The codes concern all ranks, but only the root has their number.
PSIM_MPI(int, Comm_spawn,
         (const char*, char*[], int processes, MPI_Info, int, MPI_Comm comm, MPI_Comm* result, int codes[])) {
  return spawn("MPI_Comm_spawn", comm, result, processes, codes);
}
PSIM_MPI(int, Comm_spawn_multiple,
         (int commands, char*[], char**[], const int processes[], const MPI_Info[], int root, MPI_Comm comm,
          MPI_Comm* result, int codes[])) {
  int total = 0, rank = MPI_UNDEFINED;
  if (PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank == root)
    for (int i = 0; i < commands; ++i) total += processes[i];
  return spawn("MPI_Comm_spawn_multiple", comm, result, total, codes);
}

PSIM_MPI(int, Open_port, (MPI_Info, char* name)) {
  if (name != nullptr) *name = '\0';
  return refused("MPI_Open_port", MPI_COMM_WORLD, MPI_ERR_PORT, kNoPorts);
}
PSIM_MPI_CALL(Close_port, (const char*), refused, MPI_COMM_WORLD, MPI_ERR_PORT, kNoPorts)
PSIM_MPI_CALL(Comm_accept, (const char*, MPI_Info, int, MPI_Comm comm, MPI_Comm* result), meet, comm, result)
PSIM_MPI_CALL(Comm_connect, (const char*, MPI_Info, int, MPI_Comm comm, MPI_Comm* result), meet, comm, result)
PSIM_MPI(int, Comm_join, (int, MPI_Comm* result)) {
  if (result != nullptr) *result = MPI_COMM_NULL;
  return refused("MPI_Comm_join", MPI_COMM_WORLD, MPI_ERR_UNSUPPORTED_OPERATION, kNoPorts);
}
PSIM_MPI_CALL(Publish_name, (const char*, MPI_Info, const char*), refused, MPI_COMM_WORLD, MPI_ERR_SERVICE,
              kNoPorts)
PSIM_MPI_CALL(Unpublish_name, (const char*, MPI_Info, const char*), refused, MPI_COMM_WORLD, MPI_ERR_SERVICE,
              kNoPorts)
PSIM_MPI(int, Lookup_name, (const char*, MPI_Info, char* port)) {
  if (port != nullptr) *port = '\0';
  return refused("MPI_Lookup_name", MPI_COMM_WORLD, MPI_ERR_NAME, kNoPorts);
}
