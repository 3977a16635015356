/* SPDX-License-Identifier: Apache-2.0
   A collective that fails with MPI_ERRORS_RETURN, then a generalized request that fails fatally. */
#include <mpi.h>

static int query(void* extra, MPI_Status* status) {
  (void)extra, (void)status;
  return MPI_ERR_IO;
}
static int done(void* extra) { return extra != 0; }
static int cancel(void* extra, int complete) { return extra != 0 || complete; }

int main(int argc, char** argv) {
  int me, a = 0, b = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Iallreduce(&a, &b, 1, me == 0 ? MPI_FLOAT : MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  if (MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS) return 1;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Grequest_start(query, done, cancel, 0, &request);
  MPI_Grequest_complete(request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return 2;
}
