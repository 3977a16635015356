/* SPDX-License-Identifier: Apache-2.0
   An MGEN program: messages without buffers, of sizes up to a rendezvous, by every kind of call. It prints sizes, sources and
   results of checks, which are the same on ranks and on cycle-level nodes. */
#include <mgen.h>
#include <stdio.h>

static const int sizes[] = {0, 1, 100, 5000, 20000, 300000};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

int MGEN_Main(int argc, char** argv) {
  MGEN_Init(&argc, &argv);
  int rank, ranks;
  MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
  MGEN_Comm_size(MGEN_COMM_WORLD, &ranks);
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  if (rank == 0)
    for (int i = 1; i < argc; ++i) printf("word %d: %s\n", i, argv[i]);
  for (int i = 0; i < SIZES; ++i) {
    MGEN_Request requests[2];
    MGEN_Status statuses[2];
    MGEN_Irecv(NULL, 2 * sizes[i], MGEN_BYTE, before, i, MGEN_COMM_WORLD, &requests[0]);
    MGEN_Isend(NULL, sizes[i], MGEN_BYTE, next, i, MGEN_COMM_WORLD, &requests[1]);
    MGEN_Waitall(2, requests, statuses);
    int count;
    MGEN_Get_count(&statuses[0], MGEN_BYTE, &count);
    if (rank == 0) printf("%d bytes from rank %d, tag %d\n", count, statuses[0].MPI_SOURCE, statuses[0].MPI_TAG);
  }
  MGEN_Datatype column;
  MGEN_Type_vector(1000, 1, 3, MGEN_DOUBLE, &column);
  MGEN_Type_commit(&column);
  MGEN_Status status;
  int count;
  MGEN_Sendrecv(NULL, 4, column, before, 0, NULL, 4, column, next, 0, MGEN_COMM_WORLD, &status);
  MGEN_Get_count(&status, column, &count);
  if (rank == 0) printf("%d columns\n", count);
  MGEN_Send(NULL, 7, MGEN_INT, rank, 5, MGEN_COMM_WORLD);
  MGEN_Recv(NULL, 7, MGEN_INT, rank, 5, MGEN_COMM_WORLD, &status);
  MGEN_Get_count(&status, MGEN_INT, &count);
  if (rank == 0) printf("%d integers from itself\n", count);
  MGEN_Type_free(&column);

  MGEN_Bcast(NULL, 100000, MGEN_DOUBLE, 0, MGEN_COMM_WORLD);
  MGEN_Allreduce(NULL, NULL, 5000, MGEN_DOUBLE, MGEN_SUM, MGEN_COMM_WORLD);
  MGEN_Alltoall(NULL, 3000, MGEN_INT, NULL, 3000, MGEN_INT, MGEN_COMM_WORLD);
  MGEN_Gather(NULL, 10, MGEN_INT, NULL, 10, MGEN_INT, 0, MGEN_COMM_WORLD);
  MGEN_Barrier(MGEN_COMM_WORLD);

  MGEN_Win window;
  MGEN_Win_create(NULL, 1 << 20, 1, MGEN_INFO_NULL, MGEN_COMM_WORLD, &window);
  MGEN_Win_fence(0, window);
  MGEN_Put(NULL, 60000, MGEN_BYTE, next, 0, 60000, MGEN_BYTE, window);
  MGEN_Get(NULL, 40000, MGEN_BYTE, before, 100000, 40000, MGEN_BYTE, window);
  MGEN_Accumulate(NULL, 100, MGEN_DOUBLE, next, 200000, 100, MGEN_DOUBLE, MGEN_SUM, window);
  MGEN_Win_fence(0, window);
  MGEN_Win_free(&window);

  /* Time passes: that of computing, and at least that of the bytes on a link of 100 GB/s. */
  double begin = MGEN_Wtime();
  MGEN_Comp(5e-6);
  const double computed = MGEN_Wtime() - begin;
  begin = MGEN_Wtime();
  MGEN_Sendrecv(NULL, 1 << 20, MGEN_BYTE, next, 0, NULL, 1 << 20, MGEN_BYTE, before, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
  const double sent = MGEN_Wtime() - begin;
  if (rank == 0) printf("computing %s, sending %s\n", computed >= 5e-6 && computed < 6e-6 ? "good" : "bad", sent > 1e-5 ? "good" : "bad");
  MGEN_Finalize();
  return 0;
}
