/* SPDX-License-Identifier: Apache-2.0
   Functions with large counts of each kind that the recorder records, with sizes that differ by rank. Open MPI 4 lacks these functions:
   with -DLIBRARY, this file is a library that adds them to it. It calls Open MPI past the recorder, as functions of a library call each other. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>

#if MPI_VERSION < 4
#define DECLARE(name, parameters) int MPI_##name##_c parameters, PMPI_##name##_c parameters;
#else
#define DECLARE(name, parameters)
#endif
#define MESSAGE MPI_Count n, MPI_Datatype type, int peer, int tag, MPI_Comm comm
DECLARE(Send, (const void *data, MESSAGE))
DECLARE(Recv, (void *data, MESSAGE, MPI_Status *status))
DECLARE(Isend, (const void *data, MESSAGE, MPI_Request *request))
DECLARE(Irecv, (void *data, MESSAGE, MPI_Request *request))
DECLARE(Send_init, (const void *data, MESSAGE, MPI_Request *request))
DECLARE(Recv_init, (void *data, MESSAGE, MPI_Request *request))
#define BOTH const void *out, MPI_Count n, MPI_Datatype type, int to, int tag, void *in, MPI_Count most, MPI_Datatype as, int from, int at
DECLARE(Sendrecv, (BOTH, MPI_Comm comm, MPI_Status *status))
DECLARE(Sendrecv_replace, (void *data, MPI_Count n, MPI_Datatype type, int to, int tag, int from, int at, MPI_Comm comm, MPI_Status *status))
DECLARE(Bcast, (void *data, MPI_Count n, MPI_Datatype type, int root, MPI_Comm comm))
DECLARE(Allreduce, (const void *out, void *in, MPI_Count n, MPI_Datatype type, MPI_Op op, MPI_Comm comm))
DECLARE(Ireduce, (const void *out, void *in, MPI_Count n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm, MPI_Request *request))
#define GATHERED const void *out, MPI_Count n, MPI_Datatype type, void *in, const MPI_Count counts[], const MPI_Aint places[]
DECLARE(Gatherv, (GATHERED, MPI_Datatype as, int root, MPI_Comm comm))
#define EACH(types)                                                                                          \
  const void *out, const MPI_Count given[], const MPI_Aint from[], types type, void *in, const MPI_Count got[], \
      const MPI_Aint to[], types as, MPI_Comm comm
DECLARE(Ialltoallv, (EACH(MPI_Datatype), MPI_Request *request))
DECLARE(Alltoallw, (EACH(const MPI_Datatype *)))

#ifdef LIBRARY
#define DEFINE(name, parameters, ...)                                                 \
  int PMPI_##name##_c parameters { return ((__typeof__(&PMPI_##name))dlsym(RTLD_NEXT, "PMPI_" #name))(__VA_ARGS__); } \
  int MPI_##name##_c parameters __attribute__((weak, alias("PMPI_" #name "_c")));
DEFINE(Send, (const void *data, MESSAGE), data, n, type, peer, tag, comm)
DEFINE(Recv, (void *data, MESSAGE, MPI_Status *status), data, n, type, peer, tag, comm, status)
DEFINE(Isend, (const void *data, MESSAGE, MPI_Request *request), data, n, type, peer, tag, comm, request)
DEFINE(Irecv, (void *data, MESSAGE, MPI_Request *request), data, n, type, peer, tag, comm, request)
DEFINE(Send_init, (const void *data, MESSAGE, MPI_Request *request), data, n, type, peer, tag, comm, request)
DEFINE(Recv_init, (void *data, MESSAGE, MPI_Request *request), data, n, type, peer, tag, comm, request)
DEFINE(Sendrecv, (BOTH, MPI_Comm comm, MPI_Status *status), out, n, type, to, tag, in, most, as, from, at, comm, status)
DEFINE(Sendrecv_replace, (void *data, MPI_Count n, MPI_Datatype type, int to, int tag, int from, int at, MPI_Comm comm, MPI_Status *status),
       data, n, type, to, tag, from, at, comm, status)
DEFINE(Bcast, (void *data, MPI_Count n, MPI_Datatype type, int root, MPI_Comm comm), data, n, type, root, comm)
DEFINE(Allreduce, (const void *out, void *in, MPI_Count n, MPI_Datatype type, MPI_Op op, MPI_Comm comm), out, in, n, type, op, comm)
DEFINE(Ireduce, (const void *out, void *in, MPI_Count n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm, MPI_Request *request), out,
       in, n, type, op, root, comm, request)

static int *small(MPI_Comm comm, const MPI_Count *counts, const MPI_Aint *places) { /* never freed: Open MPI reads the lists later */
  int ranks, *list;
  PMPI_Comm_size(comm, &ranks);
  list = malloc(ranks * sizeof *list);
  for (int i = 0; i < ranks; ++i) list[i] = counts ? counts[i] : places[i];
  return list;
}
DEFINE(Gatherv, (GATHERED, MPI_Datatype as, int root, MPI_Comm comm), out, n, type, in, small(comm, counts, NULL), small(comm, NULL, places),
       as, root, comm)
DEFINE(Ialltoallv, (EACH(MPI_Datatype), MPI_Request *request), out, small(comm, given, NULL), small(comm, NULL, from), type, in,
       small(comm, got, NULL), small(comm, NULL, to), as, comm, request)
DEFINE(Alltoallw, (EACH(const MPI_Datatype *)), out, small(comm, given, NULL), small(comm, NULL, from), type, in, small(comm, got, NULL),
       small(comm, NULL, to), as, comm)
#else
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  char *out = calloc(1, 1 << 20), *in = calloc(1, 1 << 20);
  MPI_Request requests[2];
  if (rank % 2 == 0) MPI_Send_c(out, 1000, MPI_INT, rank + 1, 1, MPI_COMM_WORLD);
  else MPI_Recv_c(in, 2000, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Irecv_c(in, 100000, MPI_CHAR, left, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend_c(out, 20000, MPI_CHAR, right, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Recv_init_c(in, 300, MPI_CHAR, left, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init_c(out, 300, MPI_CHAR, right, 3, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 2; ++i) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Sendrecv_c(out, 4, MPI_DOUBLE, right, 4, in, 8, MPI_DOUBLE, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace_c(in, 5, MPI_DOUBLE, right, 5, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

  MPI_Count counts[64], eights[64];
  MPI_Aint places[64];
  MPI_Datatype types[64];
  for (int i = 0; i < ranks; ++i) {
    counts[i] = 100 * (i + 1);
    places[i] = 1000 * i;
    eights[i] = 8;
    types[i] = MPI_CHAR;
  }
  MPI_Bcast_c(out, 1000, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Allreduce_c(out, in, 10, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Ireduce_c(out, in, 30, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Gatherv_c(out, counts[rank], MPI_CHAR, in, counts, places, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Ialltoallv_c(out, eights, places, MPI_CHAR, in, eights, places, MPI_CHAR, MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Alltoallw_c(out, eights, places, types, in, eights, places, types, MPI_COMM_WORLD);
  free(in);
  free(out);
  MPI_Finalize();
  return 0;
}
#endif
