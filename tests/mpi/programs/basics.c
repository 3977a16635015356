/* SPDX-License-Identifier: Apache-2.0
 * Point-to-point and plain collectives with sizes 0, 1 and long, self messages, wildcards. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, size;
static long long static_sum;

static void ring(int n) {
  int *out = malloc((n + 1) * sizeof(int)), *in = malloc((n + 1) * sizeof(int));
  MPI_Status status;
  int count;
  for (int i = 0; i < n; ++i) out[i] = me * 1000 + i;
  MPI_Request request;
  MPI_Isend(out, n, MPI_INT, (me + 1) % size, 7, MPI_COMM_WORLD, &request);
  MPI_Recv(in, n + 1, MPI_INT, (me + size - 1) % size, 7, MPI_COMM_WORLD, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Get_count(&status, MPI_INT, &count);
  static_sum = 0;
  for (int i = 0; i < count; ++i) static_sum += in[i];
  printf("rank %d ring %d: from %d tag %d count %d sum %lld\n", me, n, status.MPI_SOURCE, status.MPI_TAG, count, static_sum);
  free(out);
  free(in);
}

static void collectives(int n) {
  int *a = malloc((n * size + 1) * sizeof(int)), *b = malloc((n * size + 1) * sizeof(int));
  for (int root = 0; root < size; ++root) {
    for (int i = 0; i < n; ++i) a[i] = me == root ? root * 10 + i : -1;
    MPI_Bcast(a, n, MPI_INT, root, MPI_COMM_WORLD);
    long long sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i];
    for (int i = 0; i < n; ++i) a[i] = me + i;
    memset(b, 0, (n * size + 1) * sizeof(int));
    MPI_Reduce(a, b, n, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    if (me == root)
      for (int i = 0; i < n; ++i) sum += b[i];
    MPI_Gather(a, n, MPI_INT, b, n, MPI_INT, root, MPI_COMM_WORLD);
    if (me == root)
      for (int i = 0; i < n * size; ++i) sum += (long long)b[i] * (i + 1);
    for (int i = 0; i < n * size; ++i) b[i] = i + root;
    MPI_Scatter(b, n, MPI_INT, a, n, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < n; ++i) sum += (long long)a[i] * (i + 1);
    printf("rank %d root %d n %d: %lld\n", me, root, n, sum);
  }
  long long sum = 0;
  for (int i = 0; i < n; ++i) a[i] = me * n + i;
  MPI_Allgather(a, n, MPI_INT, b, n, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < n * size; ++i) sum += (long long)b[i] * (i + 1);
  for (int i = 0; i < n * size; ++i) a[i] = me * 100000 + i;
  MPI_Alltoall(a, n, MPI_INT, b, n, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < n * size; ++i) sum += (long long)b[i] * (i % 13 + 1);
  MPI_Allreduce(a, b, n * size, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < n * size; ++i) sum += (long long)b[i] * (i % 11 + 1);
  MPI_Scan(a, b, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; ++i) sum += (long long)b[i] * (i % 7 + 1);
  if (me > 0 || n == 0) {
    MPI_Exscan(a, b, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < n; ++i) sum += (long long)b[i] * (i % 7 + 1);
  } else {
    MPI_Exscan(a, b, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Reduce_scatter_block(a, b, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; ++i) sum += (long long)b[i] * (i % 5 + 1);
  printf("rank %d all n %d: %lld\n", me, n, sum);
  free(a);
  free(b);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int sizes[] = {0, 1, 17, 1000, 40000};
  for (int i = 0; i < 5; ++i) ring(sizes[i]);
  for (int i = 0; i < 5; ++i) collectives(sizes[i]);
  if (me == 0) {
    int value, seen = 0;
    MPI_Status status;
    for (int i = 1; i < size; ++i) {
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      seen += value == status.MPI_SOURCE * status.MPI_TAG;
    }
    printf("wildcards %d\n", seen);
  } else {
    const int value = me * (me + 3);
    MPI_Send(&value, 1, MPI_INT, 0, me + 3, MPI_COMM_WORLD);
  }
  int mine = me, other = -1;
  MPI_Sendrecv(&mine, 1, MPI_INT, me, 1, &other, 1, MPI_INT, me, 1, MPI_COMM_SELF == MPI_COMM_NULL ? MPI_COMM_SELF : MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("rank %d self %d\n", me, other);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
