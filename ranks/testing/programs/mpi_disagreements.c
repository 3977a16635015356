/* SPDX-License-Identifier: Apache-2.0
   Collectives whose arguments differ between ranks: at least the given ranks get an error, and all ranks continue. */
#include <mpi.h>
#include <stdio.h>

static int me, size, wrong;

/* `must`: this rank must get an error of this class (0: any class, for a rank notified by another). */
static void check(const char* what, int code, int must, int class_wanted) {
  int class_of = MPI_SUCCESS;
  MPI_Error_class(code, &class_of);
  if (must && (class_of == MPI_SUCCESS || (class_wanted && class_of != class_wanted))) {
    ++wrong;
    printf("rank %d: %s: class %d\n", me, what, class_of);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  int a[4096] = {0}, b[4096], counts[64], places[64];
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int first = me == 0, others = me != 0, last = me == size - 1;
  const MPI_Comm world = MPI_COMM_WORLD;
  check("bcast longer", MPI_Bcast(a, first ? 10 : 1, MPI_INT, 0, world), others, me == 1 ? MPI_ERR_TRUNCATE : 0);
  check("bcast shorter", MPI_Bcast(a, first ? 1 : 10, MPI_INT, 0, world), others, 0);
  MPI_Ibcast(a, first ? 10 : 1, MPI_INT, 0, world, &request);
  check("ibcast", MPI_Wait(&request, MPI_STATUS_IGNORE), others, 0);
  check("reduce", MPI_Reduce(a, b, first ? 10 : 1, MPI_INT, MPI_SUM, 0, world), first, 0);
  check("reduce longer", MPI_Reduce(a, b, first ? 1 : 10, MPI_INT, MPI_SUM, 0, world), first, MPI_ERR_TRUNCATE);
  check("operation", MPI_Reduce(a, b, 1, MPI_INT, first ? MPI_PROD : MPI_SUM, 0, world), first, MPI_ERR_OTHER);
  check("type", MPI_Allreduce(a, b, 1, first ? MPI_FLOAT : MPI_INT, MPI_SUM, world), 1, MPI_ERR_OTHER);
  check("allreduce", MPI_Allreduce(a, b, first ? 1 : 10, MPI_INT, MPI_SUM, world), 1, 0);
  check("gather", MPI_Gather(a, 10, MPI_INT, b, first ? 1 : 10, MPI_INT, 0, world), first, MPI_ERR_TRUNCATE);
  check("gather others", MPI_Gather(a, others ? 10 : 2, MPI_INT, b, 2, MPI_INT, 0, world), first, MPI_ERR_TRUNCATE);
  check("scatter", MPI_Scatter(a, first ? 10 : 1, MPI_INT, b, 1, MPI_INT, 0, world), 1, 0);
  check("scatter shorter", MPI_Scatter(a, 1, MPI_INT, b, others ? 5 : 1, MPI_INT, 0, world), others, 0);
  check("allgather", MPI_Allgather(a, first ? 10 : 1, MPI_INT, b, 1, MPI_INT, world), 1, 0);
  check("alltoall", MPI_Alltoall(a, first ? 20 : 10, MPI_INT, b, 10, MPI_INT, world), first, MPI_ERR_TRUNCATE);
  for (int i = 0; i < size; ++i) counts[i] = 1, places[i] = 4 * i;
  check("gatherv", MPI_Gatherv(a, others ? 3 : 1, MPI_INT, b, counts, places, MPI_INT, 0, world), first, MPI_ERR_TRUNCATE);
  check("allgatherv", MPI_Allgatherv(a, first ? 3 : 1, MPI_INT, b, counts, places, MPI_INT, world), 1, 0);
  check("scatterv", MPI_Scatterv(a, counts, places, MPI_INT, b, others ? 0 : 1, MPI_INT, 0, world), others, MPI_ERR_TRUNCATE);
  if (first)
    for (int i = 0; i < size; ++i) counts[i] = 3;
  check("alltoallv", MPI_Alltoallv(a, counts, places, MPI_INT, b, places /* 0, 4, 8 … */, places, MPI_INT, world), others, 0);
  check("root", MPI_Bcast(a, 1, MPI_INT, last ? 1 : 0, world), last, MPI_ERR_OTHER);
  int sum = 0, total = 0;
  MPI_Allreduce(&wrong, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) printf("wrong %d, sum %d\n", total, sum);
  MPI_Finalize();
  return 0;
}
