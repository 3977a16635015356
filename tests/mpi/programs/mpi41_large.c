/* SPDX-License-Identifier: Apache-2.0
 * Functions with large counts (MPI-4.0), with few elements: each group of them once. Datatypes and statuses hold more than 2^31 elements.
 * Each line says what the standard demands, and prints 1. (MPICH 4.0.2 prints 0 for counts of MPI_Status_set_elements_x, for the external size
 * of a large type, and for blocks between the two sides of a ring of one process.) */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BIG 5000000000LL
static int rank, size, up, down;
static void say(const char *what, int good) { printf("%d: %s: %d\n", rank, what, good); }

static void point_to_point(void) {
  const MPI_Comm world = MPI_COMM_WORLD;
  char room[1000 + MPI_BSEND_OVERHEAD];
  int in[4], out[4] = {rank, rank + 1, rank + 2, rank + 3}, wrong = 0;
  MPI_Request request[2];
  MPI_Status status;
  MPI_Message message;
  MPI_Count count;
  void *base;
  MPI_Buffer_attach_c(room, sizeof room);
  for (int mode = 0; mode < 4; ++mode) {
    memset(in, 0, sizeof in);
    MPI_Irecv_c(in, 4, MPI_INT, down, mode, world, &request[0]);
    MPI_Barrier(world);
    if (mode == 0) MPI_Send_c(out, 4, MPI_INT, up, mode, world);
    if (mode == 1) MPI_Bsend_c(out, 4, MPI_INT, up, mode, world);
    if (mode == 2) MPI_Rsend_c(out, 4, MPI_INT, up, mode, world);
    if (mode == 3) {
      MPI_Issend_c(out, 4, MPI_INT, up, mode, world, &request[1]);
      MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    }
    MPI_Wait(&request[0], &status);
    MPI_Get_count_c(&status, MPI_INT, &count);
    wrong += count != 4 || in[3] != down + 3 || status.MPI_SOURCE != down;
  }
  say("modes", wrong == 0);
  for (int mode = wrong = 0; mode < 3; ++mode) {
    memset(in, 0, sizeof in);
    MPI_Irecv_c(in, 4, MPI_INT, down, mode, world, &request[0]);
    MPI_Barrier(world);
    if (mode == 0) MPI_Isend_c(out, 4, MPI_INT, up, mode, world, &request[1]);
    if (mode == 1) MPI_Ibsend_c(out, 4, MPI_INT, up, mode, world, &request[1]);
    if (mode == 2) MPI_Irsend_c(out, 4, MPI_INT, up, mode, world, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    wrong += in[2] != down + 2;
  }
  say("modes without blocking", wrong == 0);
  for (int mode = wrong = 0; mode < 4; ++mode) {
    MPI_Recv_init_c(in, 4, MPI_INT, down, mode, world, &request[0]);
    if (mode == 0) MPI_Send_init_c(out, 4, MPI_INT, up, mode, world, &request[1]);
    if (mode == 1) MPI_Bsend_init_c(out, 4, MPI_INT, up, mode, world, &request[1]);
    if (mode == 2) MPI_Rsend_init_c(out, 4, MPI_INT, up, mode, world, &request[1]);
    if (mode == 3) MPI_Ssend_init_c(out, 4, MPI_INT, up, mode, world, &request[1]);
    for (int i = 0; i < 2; ++i) {
      memset(in, 0, sizeof in);
      MPI_Start(&request[0]);
      MPI_Barrier(world);
      MPI_Start(&request[1]);
      MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
      wrong += in[1] != down + 1;
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
  }
  say("persistent modes", wrong == 0);
  MPI_Buffer_detach_c(&base, &count);
  say("buffer", base == room && count == sizeof room);

  MPI_Isend_c(out, 4, MPI_INT, up, 7, world, &request[0]);
  MPI_Recv_c(in, 4, MPI_INT, down, 7, world, &status);
  MPI_Get_elements_c(&status, MPI_INT, &count);
  say("receive", count == 4 && in[0] == down);
  MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  MPI_Isend_c(out, 3, MPI_INT, up, 8, world, &request[0]);
  MPI_Mprobe(down, 8, world, &message, &status);
  MPI_Mrecv_c(in, 4, MPI_INT, &message, &status);
  MPI_Get_count_c(&status, MPI_INT, &count);
  say("matched receive", count == 3 && in[2] == down + 2);
  MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  MPI_Isend_c(out, 2, MPI_INT, up, 9, world, &request[0]);
  MPI_Mprobe(down, 9, world, &message, &status);
  MPI_Imrecv_c(in, 4, MPI_INT, &message, &request[1]);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  say("matched receive without blocking", in[1] == down + 1);
  if (rank == 0) MPI_Ssend_c(out, 1, MPI_INT, MPI_PROC_NULL, 0, world);
  MPI_Sendrecv_c(out, 4, MPI_INT, up, 1, in, 4, MPI_INT, down, 1, world, &status);
  say("send and receive", in[3] == down + 3);
  MPI_Sendrecv_replace_c(in, 4, MPI_INT, up, 1, down, 1, world, &status);
  say("replace", in[3] == (down + size - 1) % size + 3);
  MPI_Isendrecv_c(out, 4, MPI_INT, up, 1, in, 4, MPI_INT, down, 1, world, &request[0]);
  MPI_Wait(&request[0], &status);
  say("both without blocking", in[3] == down + 3);
  MPI_Isendrecv_replace_c(in, 4, MPI_INT, up, 1, down, 1, world, &request[0]);
  MPI_Wait(&request[0], &status);
  say("replace without blocking", in[3] == (down + size - 1) % size + 3);
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  int class_of = 0;
  MPI_Error_class(MPI_Send_c(out, -1, MPI_INT, up, 0, world), &class_of);
  say("a negative count", class_of == MPI_ERR_COUNT);
  MPI_Comm_set_errhandler(world, MPI_ERRORS_ARE_FATAL);
}

/* The sum of the first n numbers. */
static int below(int n) { return n * (n - 1) / 2; }
static void sum(void *in, void *inout, MPI_Count *count, MPI_Datatype *type) {
  (void)type;
  for (MPI_Count i = 0; i < *count; ++i) ((int *)inout)[i] += ((int *)in)[i];
}

static void collectives(int how) { /* how: 0 blocking, 1 non-blocking, 2 persistent */
  const MPI_Comm world = MPI_COMM_WORLD;
  MPI_Count *ones = malloc(sizeof *ones * size), *twos = malloc(sizeof *twos * size);
  MPI_Aint *places = malloc(sizeof *places * size), *bytes = malloc(sizeof *bytes * size), *two_bytes = malloc(sizeof *bytes * size),
           *far = malloc(sizeof *far * size);
  MPI_Datatype *types = malloc(sizeof *types * size);
  int *in = malloc(sizeof(int) * 2 * size), *out = malloc(sizeof(int) * 2 * size), value[2] = {rank, 10 * rank}, wrong;
  char name[80];
  MPI_Request request;
  MPI_Op op;
  MPI_Op_create_c(sum, 1, &op);
  for (int i = 0; i < size; ++i) {
    ones[i] = 1, twos[i] = 2, places[i] = size - 1 - i, bytes[i] = 4 * (size - 1 - i), two_bytes[i] = 8 * (size - 1 - i), far[i] = 2 * i;
    types[i] = MPI_INT;
    out[2 * i] = 100 * rank + i, out[2 * i + 1] = -i;
  }
#define RUN(name, base, ...)                                             \
  do {                                                                   \
    memset(in, -1, sizeof(int) * 2 * size);                              \
    if (how == 0) MPI_##name##_c(__VA_ARGS__);                           \
    if (how == 1) MPI_I##base##_c(__VA_ARGS__, &request);                \
    if (how == 2) {                                                      \
      MPI_##name##_init_c(__VA_ARGS__, MPI_INFO_NULL, &request);         \
      MPI_Start(&request);                                               \
    }                                                                    \
    if (how > 0) MPI_Wait(&request, MPI_STATUS_IGNORE);                  \
    if (how == 2) MPI_Request_free(&request);                            \
    wrong = 0;                                                           \
  } while (0)
#define EACH(condition) \
  for (int i = 0; i < size; ++i) wrong += !(condition)
#define SAY(what) (snprintf(name, sizeof name, "%s %d", what, how), say(name, wrong == 0))
  int word = rank == size - 1 ? 77 : 0;
  RUN(Bcast, bcast, &word, 1, MPI_INT, size - 1, world);
  wrong = word != 77;
  SAY("bcast");
  RUN(Gather, gather, value, 2, MPI_INT, in, 2, MPI_INT, 0, world);
  EACH(rank != 0 || (in[2 * i] == i && in[2 * i + 1] == 10 * i));
  SAY("gather");
  RUN(Gatherv, gatherv, value, 1, MPI_INT, in, ones, places, MPI_INT, 0, world);
  EACH(rank != 0 || in[size - 1 - i] == i);
  SAY("gatherv");
  RUN(Scatter, scatter, out, 2, MPI_INT, in, 2, MPI_INT, 0, world);
  wrong = in[0] != rank || in[1] != -rank;
  SAY("scatter");
  RUN(Scatterv, scatterv, out, ones, far, MPI_INT, in, 1, MPI_INT, 0, world);
  wrong = in[0] != rank;
  SAY("scatterv");
  RUN(Allgather, allgather, value, 2, MPI_INT, in, 2, MPI_INT, world);
  EACH(in[2 * i] == i && in[2 * i + 1] == 10 * i);
  SAY("allgather");
  RUN(Allgatherv, allgatherv, value, 1, MPI_INT, in, ones, places, MPI_INT, world);
  EACH(in[size - 1 - i] == i);
  SAY("allgatherv");
  RUN(Alltoall, alltoall, out, 2, MPI_INT, in, 2, MPI_INT, world);
  EACH(in[2 * i] == 100 * i + rank && in[2 * i + 1] == -rank);
  SAY("alltoall");
  RUN(Alltoallv, alltoallv, out, ones, far, MPI_INT, in, ones, places, MPI_INT, world);
  EACH(in[size - 1 - i] == 100 * i + rank);
  SAY("alltoallv");
  MPI_Aint *from = malloc(sizeof *from * size);
  for (int i = 0; i < size; ++i) from[i] = 8 * i;
  RUN(Alltoallw, alltoallw, out, ones, from, types, in, ones, bytes, types, world);
  EACH(in[size - 1 - i] == 100 * i + rank);
  SAY("alltoallw");
  RUN(Reduce, reduce, value, in, 2, MPI_INT, MPI_SUM, 0, world);
  wrong = rank == 0 && (in[0] != below(size) || in[1] != 10 * below(size));
  SAY("reduce");
  RUN(Allreduce, allreduce, value, in, 2, MPI_INT, op, world);
  wrong = in[0] != below(size) || in[1] != 10 * below(size);
  SAY("allreduce");
  RUN(Reduce_scatter_block, reduce_scatter_block, out, in, 2, MPI_INT, op, world);
  wrong = in[0] != 100 * below(size) + size * rank || in[1] != -size * rank;
  SAY("reduce_scatter_block");
  RUN(Reduce_scatter, reduce_scatter, out, in, twos, MPI_INT, MPI_SUM, world);
  wrong = in[0] != 100 * below(size) + size * rank || in[1] != -size * rank;
  SAY("reduce_scatter");
  RUN(Scan, scan, value, in, 2, MPI_INT, MPI_SUM, world);
  wrong = in[0] != below(rank + 1) || in[1] != 10 * below(rank + 1);
  SAY("scan");
  RUN(Exscan, exscan, value, in, 2, MPI_INT, MPI_SUM, world);
  wrong = rank > 0 && (in[0] != below(rank) || in[1] != 10 * below(rank));
  SAY("exscan");

  /* A ring: the neighbours are below and above. */
  MPI_Comm ring;
  const int periodic = 1;
  int box[4], give[4] = {rank, rank + 50, rank + 60, rank + 70};
  MPI_Count one[2] = {1, 1};
  MPI_Aint at[2] = {1, 0}, at_bytes[2] = {4, 0};
  MPI_Datatype pair[2] = {MPI_INT, MPI_INT};
  MPI_Cart_create(world, 1, &size, &periodic, 0, &ring);
#define RING(name, ...)                                                  \
  do {                                                                   \
    memset(box, -1, sizeof box);                                         \
    if (how == 0) MPI_Neighbor_##name##_c(__VA_ARGS__);                  \
    if (how == 1) MPI_Ineighbor_##name##_c(__VA_ARGS__, &request);       \
    if (how == 2) {                                                      \
      MPI_Neighbor_##name##_init_c(__VA_ARGS__, MPI_INFO_NULL, &request); \
      MPI_Start(&request);                                               \
    }                                                                    \
    if (how > 0) MPI_Wait(&request, MPI_STATUS_IGNORE);                  \
    if (how == 2) MPI_Request_free(&request);                            \
  } while (0)
  RING(allgather, give, 1, MPI_INT, box, 1, MPI_INT, ring);
  wrong = box[0] != down || box[1] != up;
  SAY("neighbours");
  RING(allgatherv, give, 1, MPI_INT, box, one, at, MPI_INT, ring);
  wrong = box[1] != down || box[0] != up;
  SAY("neighbours, v");
  RING(alltoall, give, 1, MPI_INT, box, 1, MPI_INT, ring);
  wrong = box[0] != down + 50 || box[1] != up;
  SAY("neighbours, all to all");
  RING(alltoallv, give, one, at, MPI_INT, box, one, at, MPI_INT, ring);
  wrong = box[1] != down || box[0] != up + 50;
  SAY("neighbours, all to all, v");
  RING(alltoallw, give, one, at_bytes, pair, box, one, at_bytes, pair, ring);
  wrong = box[1] != down || box[0] != up + 50;
  SAY("neighbours, all to all, w");
  MPI_Comm_free(&ring);
  if (how == 0) {
    int a[2] = {1, 2}, b[2] = {10, 20};
    MPI_Reduce_local_c(a, b, 2, MPI_INT, op);
    say("reduce_local", b[0] == 11 && b[1] == 22);
  }
  MPI_Op_free(&op);
  free(ones), free(twos), free(places), free(bytes), free(two_bytes), free(far), free(types), free(in), free(out), free(from);
}

static void datatypes(void) {
  MPI_Datatype type, other, parts[2] = {MPI_CHAR, MPI_DOUBLE}, got[2];
  MPI_Count n, lb, extent, lengths[2] = {BIG, 1}, places[2] = {0, 2 * BIG}, ni, na, nc, nd, counts[9];
  MPI_Aint addresses[4];
  MPI_Status status;
  int combiner, integers[9], small;
  MPI_Type_contiguous_c(BIG, MPI_INT, &type);
  MPI_Type_size_c(type, &n);
  MPI_Type_get_extent_c(type, &lb, &extent);
  say("contiguous", n == 4 * BIG && lb == 0 && extent == 4 * BIG);
  MPI_Type_size(type, &small);
  say("too large for int", small == MPI_UNDEFINED);
  MPI_Type_get_envelope_c(type, &ni, &na, &nc, &nd, &combiner);
  say("envelope", ni == 0 && na == 0 && nc == 1 && nd == 1 && combiner == MPI_COMBINER_CONTIGUOUS);
  MPI_Type_get_contents_c(type, 0, 0, 1, 1, integers, addresses, counts, got);
  say("contents", counts[0] == BIG && got[0] == MPI_INT);
  MPI_Type_create_resized_c(type, -BIG, 6 * BIG, &other);
  MPI_Type_get_extent_c(other, &lb, &extent);
  say("resized", lb == -BIG && extent == 6 * BIG);
  MPI_Type_get_true_extent_c(other, &lb, &extent);
  say("true extent", lb == 0 && extent == 4 * BIG);
  MPI_Type_free(&other);
  MPI_Type_commit(&type);
  MPI_Status_set_elements_x(&status, type, 3 * BIG);
  MPI_Get_count_c(&status, type, &n);
  say("count", n == 3);
  MPI_Get_elements_c(&status, type, &n);
  say("elements", n == 3 * BIG);
  MPI_Get_count(&status, MPI_INT, &small);
  say("count too large for int", small == MPI_UNDEFINED);
  MPI_Pack_size_c(2, type, MPI_COMM_WORLD, &n);
  say("pack size", n >= 8 * BIG);
  MPI_Pack_external_size_c("external32", 2, type, &n);
  say("external size", n == 8 * BIG);
  MPI_Type_free(&type);
  MPI_Type_vector_c(BIG, 2, 3, MPI_CHAR, &type);
  MPI_Type_size_c(type, &n);
  MPI_Type_get_extent_c(type, &lb, &extent);
  say("vector", n == 2 * BIG && extent == 3 * BIG - 1);
  MPI_Type_free(&type);
  MPI_Type_create_hvector_c(2, 1, BIG, MPI_CHAR, &type);
  MPI_Type_get_extent_c(type, &lb, &extent);
  MPI_Type_get_envelope_c(type, &ni, &na, &nc, &nd, &combiner);
  say("hvector", extent == BIG + 1 && ni == 0 && na == 0 && nc == 3 && nd == 1);
  MPI_Type_free(&type);
  MPI_Type_indexed_c(2, lengths, places, MPI_CHAR, &type);
  MPI_Type_get_extent_c(type, &lb, &extent);
  MPI_Type_get_envelope_c(type, &ni, &na, &nc, &nd, &combiner);
  say("indexed", extent == 2 * BIG + 1 && nc == 5);
  MPI_Type_get_contents_c(type, 0, 0, 5, 1, integers, addresses, counts, got);
  say("its contents", counts[0] == 2 && counts[1] == BIG && counts[2] == 1 && counts[3] == 0 && counts[4] == 2 * BIG);
  MPI_Type_free(&type);
  MPI_Type_create_hindexed_c(2, lengths, places, MPI_CHAR, &type);
  MPI_Type_size_c(type, &n);
  say("hindexed", n == BIG + 1);
  MPI_Type_free(&type);
  MPI_Type_create_indexed_block_c(2, BIG, places, MPI_CHAR, &type);
  MPI_Type_get_extent_c(type, &lb, &extent);
  say("blocks", extent == 3 * BIG);
  MPI_Type_free(&type);
  MPI_Type_create_hindexed_block_c(2, BIG, places, MPI_CHAR, &type);
  MPI_Type_get_envelope_c(type, &ni, &na, &nc, &nd, &combiner);
  say("hblocks", nc == 4 && combiner == MPI_COMBINER_HINDEXED_BLOCK);
  MPI_Type_free(&type);
  MPI_Type_create_struct_c(2, lengths, places, parts, &type);
  MPI_Type_size_c(type, &n);
  MPI_Type_get_extent_c(type, &lb, &extent);
  MPI_Type_get_envelope_c(type, &ni, &na, &nc, &nd, &combiner);
  say("struct", n == BIG + 8 && extent == 2 * BIG + 8 && nc == 5 && nd == 2);
  MPI_Type_free(&type);
  const MPI_Count sizes[2] = {BIG, 4}, subsizes[2] = {BIG - 1, 2}, starts[2] = {1, 1};
  MPI_Type_create_subarray_c(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_CHAR, &type);
  MPI_Type_size_c(type, &n);
  MPI_Type_get_extent_c(type, &lb, &extent);
  MPI_Type_get_envelope_c(type, &ni, &na, &nc, &nd, &combiner);
  say("subarray", n == 2 * BIG - 2 && extent == 4 * BIG && ni == 2 && na == 0 && nc == 6 && nd == 1);
  MPI_Type_get_contents_c(type, 2, 0, 6, 1, integers, addresses, counts, got);
  say("its sizes", integers[0] == 2 && integers[1] == MPI_ORDER_C && counts[0] == BIG && counts[3] == 2 && counts[4] == 1);
  MPI_Type_free(&type);
  const int kinds[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE}, arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG},
            processes[2] = {2, 1};
  MPI_Type_create_darray_c(2, 1, 2, sizes, kinds, arguments, processes, MPI_ORDER_C, MPI_CHAR, &type);
  MPI_Type_size_c(type, &n);
  MPI_Type_get_envelope_c(type, &ni, &na, &nc, &nd, &combiner);
  say("darray", n == 2 * BIG && ni == 10 && nc == 2 && nd == 1);
  MPI_Type_free(&type);
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Type_get_envelope_c(type, &ni, &na, &nc, &nd, &combiner);
  say("made with int", ni == 1 && na == 0 && nc == 0 && nd == 1);
  MPI_Type_free(&type);

  int from[3] = {rank, 2, 3}, to[3] = {0};
  char packed[64];
  MPI_Count position = 0, end;
  MPI_Pack_c(from, 3, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
  end = position;
  position = 0;
  MPI_Unpack_c(packed, sizeof packed, &position, to, 3, MPI_INT, MPI_COMM_WORLD);
  say("packed", position == end && to[0] == rank && to[2] == 3);
  position = to[0] = 0;
  MPI_Pack_external_c("external32", from, 3, MPI_INT, packed, sizeof packed, &position);
  say("external32", position == 12 && packed[7] == 2);
  position = 0;
  MPI_Unpack_external_c("external32", packed, sizeof packed, &position, to, 3, MPI_INT);
  say("unpacked", position == 12 && to[0] == rank && to[1] == 2);
}

static void windows(void) {
  MPI_Win win;
  MPI_Request request[4];
  MPI_Aint bytes, unit;
  int *base, local[8] = {0}, result = -1, one = 1, *query;
  MPI_Win_allocate_c(8 * sizeof(int), 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  for (int i = 0; i < 8; ++i) base[i] = 10 * i;
  MPI_Win_fence(0, win);
  MPI_Put_c(&rank, 1, MPI_INT, up, 1, 1, MPI_INT, win);
  MPI_Get_c(&local[0], 1, MPI_INT, up, 2, 1, MPI_INT, win);
  MPI_Accumulate_c(&one, 1, MPI_INT, up, 3, 1, MPI_INT, MPI_SUM, win);
  MPI_Get_accumulate_c(&one, 1, MPI_INT, &result, 1, MPI_INT, up, 4, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(0, win);
  say("window", base[1] == down && local[0] == 20 && base[3] == 31 && result == 40 && base[4] == 41);
  MPI_Win_lock_all(0, win);
  MPI_Rput_c(&rank, 1, MPI_INT, up, 5, 1, MPI_INT, win, &request[0]);
  MPI_Rget_c(&local[1], 1, MPI_INT, up, 2, 1, MPI_INT, win, &request[1]);
  MPI_Raccumulate_c(&one, 1, MPI_INT, up, 6, 1, MPI_INT, MPI_SUM, win, &request[2]);
  MPI_Rget_accumulate_c(&one, 1, MPI_INT, &result, 1, MPI_INT, up, 7, 1, MPI_INT, MPI_SUM, win, &request[3]);
  MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  say("window with requests", base[5] == down && local[1] == 20 && base[6] == 61 && result == 70 && base[7] == 71);
  MPI_Win_free(&win);
  MPI_Win_create_c(local, sizeof local, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_free(&win);
  MPI_Win_allocate_shared_c(8, 4, MPI_INFO_NULL, MPI_COMM_SELF, &base, &win);
  MPI_Win_shared_query_c(win, 0, &bytes, &unit, &query);
  say("shared window", bytes == 8 && unit == 4 && query == base);
  MPI_Win_free(&win);
}

static void files(void) {
  MPI_File file;
  MPI_Status status;
  MPI_Request request;
  MPI_Count count;
  char name[64];
  int out[2] = {rank, -rank}, in[2] = {9, 9}, wrong = 0;
  snprintf(name, sizeof name, "large_counts_%d", size);
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
#define CHECK(first) (MPI_File_sync(file), wrong += in[0] != rank || in[1] != -rank, memset(in, 1, sizeof in))
#define BACK() (MPI_Barrier(MPI_COMM_WORLD), MPI_File_seek(file, 2 * rank, MPI_SEEK_SET))
  MPI_File_write_at_c(file, 2 * rank, out, 2, MPI_INT, &status);
  MPI_Get_count_c(&status, MPI_INT, &count);
  wrong += count != 2;
  MPI_File_read_at_c(file, 2 * rank, in, 2, MPI_INT, &status), CHECK();
  MPI_File_write_at_all_c(file, 2 * rank, out, 2, MPI_INT, &status);
  MPI_File_read_at_all_c(file, 2 * rank, in, 2, MPI_INT, &status), CHECK();
  MPI_File_write_at_all_begin_c(file, 2 * rank, out, 2, MPI_INT);
  MPI_File_write_at_all_end(file, out, &status);
  MPI_File_read_at_all_begin_c(file, 2 * rank, in, 2, MPI_INT);
  MPI_File_read_at_all_end(file, in, &status), CHECK();
  MPI_File_iwrite_at_c(file, 2 * rank, out, 2, MPI_INT, &request), MPI_Wait(&request, &status);
  MPI_File_iread_at_c(file, 2 * rank, in, 2, MPI_INT, &request), MPI_Wait(&request, &status), CHECK();
  MPI_File_iwrite_at_all_c(file, 2 * rank, out, 2, MPI_INT, &request), MPI_Wait(&request, &status);
  MPI_File_iread_at_all_c(file, 2 * rank, in, 2, MPI_INT, &request), MPI_Wait(&request, &status), CHECK();
  say("file at offsets", wrong == 0);
  wrong = 0;
  BACK(), MPI_File_write_c(file, out, 2, MPI_INT, &status);
  BACK(), MPI_File_read_c(file, in, 2, MPI_INT, &status), CHECK();
  BACK(), MPI_File_write_all_c(file, out, 2, MPI_INT, &status);
  BACK(), MPI_File_read_all_c(file, in, 2, MPI_INT, &status), CHECK();
  BACK(), MPI_File_write_all_begin_c(file, out, 2, MPI_INT), MPI_File_write_all_end(file, out, &status);
  BACK(), MPI_File_read_all_begin_c(file, in, 2, MPI_INT), MPI_File_read_all_end(file, in, &status), CHECK();
  BACK(), MPI_File_iwrite_c(file, out, 2, MPI_INT, &request), MPI_Wait(&request, &status);
  BACK(), MPI_File_iread_c(file, in, 2, MPI_INT, &request), MPI_Wait(&request, &status), CHECK();
  BACK(), MPI_File_iwrite_all_c(file, out, 2, MPI_INT, &request), MPI_Wait(&request, &status);
  BACK(), MPI_File_iread_all_c(file, in, 2, MPI_INT, &request), MPI_Wait(&request, &status), CHECK();
  say("file by pointer", wrong == 0);
  wrong = 0;
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_write_ordered_c(file, out, 2, MPI_INT, &status);
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_read_ordered_c(file, in, 2, MPI_INT, &status), CHECK();
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_write_ordered_begin_c(file, out, 2, MPI_INT), MPI_File_write_ordered_end(file, out, &status);
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_read_ordered_begin_c(file, in, 2, MPI_INT), MPI_File_read_ordered_end(file, in, &status), CHECK();
  say("file in order", wrong == 0);
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_write_shared_c(file, out, 2, MPI_INT, &status);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_iwrite_shared_c(file, out, 2, MPI_INT, &request), MPI_Wait(&request, &status);
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_read_shared_c(file, in, 2, MPI_INT, &status);
  wrong = in[0] != -in[1];
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_iread_shared_c(file, in, 2, MPI_INT, &request), MPI_Wait(&request, &status);
  wrong += in[0] != -in[1];
  MPI_File_get_type_extent_c(file, MPI_INT, &count);
  say("file by shared pointer", wrong == 0 && count == 4);
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  up = (rank + 1) % size, down = (rank + size - 1) % size;
  point_to_point();
  for (int how = 0; how < 3; ++how) collectives(how);
  datatypes();
  windows();
  files();
  MPI_Finalize();
  return 0;
}
