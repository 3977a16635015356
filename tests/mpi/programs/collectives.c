/* SPDX-License-Identifier: Apache-2.0
 * v and w forms, in place, non-blocking, user operations, pairs, types with holes. */
#include <complex.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int me, size;
enum { kMost = 4096 };
static int a[kMost], b[kMost], counts[64], places[64], counts2[64], places2[64];

static void hash(const char *what) {
  unsigned long h = 5381;
  for (int i = 0; i < kMost; ++i) h = h * 33 + (unsigned)b[i];
  printf("%d %s %lx\n", me, what, h);
}
static void fresh(void) {
  for (int i = 0; i < kMost; ++i) a[i] = me * 10000 + i, b[i] = -1;
}

static void v_forms(int blocking) {
  MPI_Request request = MPI_REQUEST_NULL;
  for (int i = 0; i < size; ++i) counts[i] = i % 3, places[i] = i * 5 + 1;
  fresh();
  if (blocking) MPI_Gatherv(a, me % 3, MPI_INT, b, counts, places, MPI_INT, size - 1, MPI_COMM_WORLD);
  else MPI_Igatherv(a, me % 3, MPI_INT, b, counts, places, MPI_INT, size - 1, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  hash("gatherv");
  fresh();
  if (blocking) MPI_Scatterv(a, counts, places, MPI_INT, b, me % 3, MPI_INT, 0, MPI_COMM_WORLD);
  else MPI_Iscatterv(a, counts, places, MPI_INT, b, me % 3, MPI_INT, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  hash("scatterv");
  fresh();
  if (blocking) MPI_Allgatherv(a, me % 3, MPI_INT, b, counts, places, MPI_INT, MPI_COMM_WORLD);
  else MPI_Iallgatherv(a, me % 3, MPI_INT, b, counts, places, MPI_INT, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  hash("allgatherv");
  for (int i = 0; i < size; ++i) {
    counts[i] = (me + i) % 4;
    places[i] = i * 7;
    counts2[i] = (me + i) % 4;
    places2[i] = (size - i) * 6;
  }
  fresh();
  if (blocking) MPI_Alltoallv(a, counts, places, MPI_INT, b, counts2, places2, MPI_INT, MPI_COMM_WORLD);
  else MPI_Ialltoallv(a, counts, places, MPI_INT, b, counts2, places2, MPI_INT, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  hash("alltoallv");
  MPI_Datatype types[64], types2[64], strided;
  MPI_Type_vector(2, 1, 3, MPI_INT, &strided);
  MPI_Type_commit(&strided);
  for (int i = 0; i < size; ++i) {
    types[i] = (me + i) % 2 ? strided : MPI_INT;
    types2[i] = (me + i) % 2 ? MPI_INT : MPI_INT;
    counts[i] = 2;
    counts2[i] = (me + i) % 2 ? 4 : 2;
    places[i] = i * 64;
    places2[i] = i * 32;
  }
  fresh();
  if (blocking) MPI_Alltoallw(a, counts, places, types, b, counts2, places2, types2, MPI_COMM_WORLD);
  else MPI_Ialltoallw(a, counts, places, types, b, counts2, places2, types2, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  hash("alltoallw");
  for (int i = 0; i < size; ++i) counts[i] = i % 3 + 1;
  fresh();
  if (blocking) MPI_Reduce_scatter(a, b, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  else MPI_Ireduce_scatter(a, b, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  hash("reduce_scatter");
  MPI_Type_free(&strided);
}

static void in_place(void) {
  for (int i = 0; i < kMost; ++i) b[i] = me * 1000 + i;
  MPI_Allreduce(MPI_IN_PLACE, b, 100, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  hash("allreduce in place");
  MPI_Reduce(me == 0 ? MPI_IN_PLACE : b, b, 100, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) hash("reduce in place");
  for (int i = 0; i < kMost; ++i) b[i] = me * 1000 + i;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 7, MPI_INT, MPI_COMM_WORLD);
  hash("allgather in place");
  for (int i = 0; i < kMost; ++i) b[i] = me * 1000 + i;
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 3, MPI_INT, MPI_COMM_WORLD);
  hash("alltoall in place");
  for (int i = 0; i < kMost; ++i) b[i] = me * 1000 + i;
  MPI_Gather(me == size - 1 ? MPI_IN_PLACE : b, 5, MPI_INT, b, 5, MPI_INT, size - 1, MPI_COMM_WORLD);
  if (me == size - 1) hash("gather in place");
  MPI_Scatter(b, 5, MPI_INT, me == size - 1 ? MPI_IN_PLACE : b, 5, MPI_INT, size - 1, MPI_COMM_WORLD);
  hash("scatter in place");
  for (int i = 0; i < kMost; ++i) b[i] = me + i;
  MPI_Scan(MPI_IN_PLACE, b, 9, MPI_INT, MPI_PROD, MPI_COMM_WORLD);
  hash("scan in place");
  for (int i = 0; i < size; ++i) counts[i] = 2, places[i] = 4 * i;
  for (int i = 0; i < kMost; ++i) b[i] = me * 1000 + i;
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, b, counts, places, MPI_INT, MPI_COMM_WORLD);
  hash("alltoallv in place");
  for (int i = 0; i < kMost; ++i) b[i] = me * 1000 + i;
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, counts, places, MPI_INT, MPI_COMM_WORLD);
  hash("allgatherv in place");
  for (int i = 0; i < kMost; ++i) b[i] = me * 1000 + i;
  MPI_Reduce_scatter_block(MPI_IN_PLACE, b, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("%d reduce_scatter_block in place %d %d\n", me, b[0], b[3]);
}

/* Composes functions x -> p x + q, which do not commute. */
static int calls;
static void compose(void *in, void *inout, int *n, MPI_Datatype *type) {
  (void)type;
  unsigned *f = in, *g = inout;
  ++calls;
  for (int i = 0; i < *n; ++i) {
    const unsigned p = f[2 * i] * g[2 * i], q = f[2 * i + 1] * g[2 * i] + g[2 * i + 1];
    g[2 * i] = p;
    g[2 * i + 1] = q;
  }
}

static void user_operations(void) {
  MPI_Op op;
  MPI_Datatype pair;
  int commutes;
  MPI_Type_contiguous(2, MPI_UNSIGNED, &pair);
  MPI_Type_commit(&pair);
  MPI_Op_create(compose, 0, &op);
  MPI_Op_commutative(op, &commutes);
  for (int n = 0; n <= 1500; n = n * 10 + 1 + n / 2) {
    for (int i = 0; i < kMost; ++i) a[i] = me + i % 17 + 2, b[i] = 0;
    MPI_Allreduce(a, b, n, pair, op, MPI_COMM_WORLD);
    hash("user allreduce");
    for (int root = 0; root < size; ++root) {
      memset(b, 0, sizeof b);
      MPI_Reduce(a, b, n, pair, op, root, MPI_COMM_WORLD);
      if (me == root) hash("user reduce");
    }
    memset(b, 0, sizeof b);
    MPI_Scan(a, b, n, pair, op, MPI_COMM_WORLD);
    hash("user scan");
    memset(b, 0, sizeof b);
    MPI_Exscan(a, b, n, pair, op, MPI_COMM_WORLD);
    if (me > 0) hash("user exscan");
    if (n * size * 2 <= kMost) {
      memset(b, 0, sizeof b);
      MPI_Reduce_scatter_block(a, b, n, pair, op, MPI_COMM_WORLD);
      hash("user reduce_scatter_block");
    }
  }
  MPI_Request request;
  MPI_Iallreduce(a, b, 5, pair, op, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  hash("user iallreduce");
  printf("%d commutes %d called %d\n", me, commutes, calls > 0 || size == 1);
  MPI_Op_free(&op);
  MPI_Type_free(&pair);
}

static void pairs(void) {
  struct { double value; int place; } in[3], out[3];
  struct { int value, place; } i_in[3], i_out[3];
  for (int i = 0; i < 3; ++i) {
    in[i].value = (me * 7 + i * 3) % 5;
    in[i].place = i_in[i].place = me;
    i_in[i].value = (me * 3 + i) % 4;
  }
  memset(out, 0, sizeof out);
  MPI_Allreduce(in, out, 3, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  MPI_Allreduce(i_in, i_out, 3, MPI_2INT, MPI_MINLOC, MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i) printf("%d maxloc %g %d minloc %d %d\n", me, out[i].value, out[i].place, i_out[i].value, i_out[i].place);
  double complex z = me + 1.0 * I * (me + 1), product;
  MPI_Allreduce(&z, &product, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
  printf("%d complex %g %g\n", me, creal(product), cimag(product));
  unsigned char bits = (unsigned char)(1 << me % 8), all;
  MPI_Allreduce(&bits, &all, 1, MPI_UNSIGNED_CHAR, MPI_BOR, MPI_COMM_WORLD);
  long x = me == 2, y;
  MPI_Allreduce(&x, &y, 1, MPI_LONG, MPI_LXOR, MPI_COMM_WORLD);
  float f = (float)(me + 1), g;
  MPI_Allreduce(&f, &g, 1, MPI_FLOAT, MPI_PROD, MPI_COMM_WORLD);
  printf("%d bits %d %ld %g\n", me, all, y, g);
}

static void holes(void) {
  MPI_Datatype strided, wide;
  MPI_Type_vector(2, 1, 2, MPI_INT, &strided);
  MPI_Type_create_resized(strided, 0, 20, &wide);
  MPI_Type_commit(&wide);
  fresh();
  MPI_Gather(a, 2, wide, b, 2, wide, 0, MPI_COMM_WORLD);
  hash("gather holes");
  fresh();
  MPI_Scatter(a, 2, wide, b, 4, MPI_INT, size - 1, MPI_COMM_WORLD);
  hash("scatter holes");
  fresh();
  MPI_Allgather(a, 4, MPI_INT, b, 2, wide, MPI_COMM_WORLD);
  hash("allgather holes");
  fresh();
  MPI_Alltoall(a, 1, wide, b, 1, wide, MPI_COMM_WORLD);
  hash("alltoall holes");
  MPI_Type_free(&wide);
  MPI_Type_free(&strided);
}

static void many_at_once(void) {
  MPI_Request requests[8];
  int one = me, sum = -1, most = -1, cast = me == 0 ? 77 : -1, all[64], turned[64], mine[64];
  for (int i = 0; i < size; ++i) mine[i] = me * 100 + i;
  MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  MPI_Ibcast(&cast, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Iallgather(&one, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &requests[2]);
  MPI_Ialltoall(mine, 1, MPI_INT, turned, 1, MPI_INT, MPI_COMM_WORLD, &requests[3]);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[4]);
  MPI_Iallreduce(&one, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &requests[5]);
  int flag = 0;
  while (!flag) MPI_Test(&requests[5], &flag, MPI_STATUS_IGNORE);
  MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
  printf("%d at once %d %d %d %d %d\n", me, sum, cast, all[size - 1], turned[size - 1], most);
}

/* Older programs pass one buffer twice instead of MPI_IN_PLACE. */
static void one_buffer(void) {
  int all[64] = {0}, some[64] = {0}, parts[64], sum = me, before = me;
  all[me] = me + 1;
  MPI_Allgather(&all[me], 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  some[me] = 2 * me + 1;
  MPI_Gather(&some[me], 1, MPI_INT, some, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) parts[i] = me == 0 ? 10 * i : -1;
  MPI_Scatter(parts, 1, MPI_INT, &parts[me], 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Allreduce(&sum, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Scan(&before, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("rank %d one buffer: %d %d %d %d %d\n", me, all[size - 1], some[size - 1], parts[me], sum, before);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  v_forms(1);
  v_forms(0);
  in_place();
  user_operations();
  pairs();
  holes();
  many_at_once();
  one_buffer();
  MPI_Finalize();
  return 0;
}
