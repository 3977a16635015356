/* SPDX-License-Identifier: Apache-2.0
   Copies between the memories of ranks: their times, to the picosecond, and their order of arrival. */
#include <acp.h>
#include <mgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;

static long long since(double begin) { return (long long)((MGEN_Wtime() - begin) * 1e12 + 0.5); }

static long long copy(int from, int to, int bytes) {
  const double begin = MGEN_Wtime();
  MGEN_acp_complete(MGEN_acp_copy(from, to, bytes));
  return since(begin);
}

/* Only rank 0 acts; the other ranks' processors are busy. */
static void times(void) {
  static const int sizes[] = {0, 1, 4, 2048, 2049, 5000, 1 << 20};
  MGEN_Comp(rank == 0 ? 1e-3 : 1);
  if (rank != 0) return;
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    printf("put %d %lld\n", sizes[i], copy(0, 1, sizes[i]));
    printf("get %d %lld\n", sizes[i], copy(1, 0, sizes[i]));
    printf("third %d %lld\n", sizes[i], copy(1, 2, sizes[i]));
    printf("own %d %lld\n", sizes[i], copy(0, 0, sizes[i]));
  }
}

/* Rank 1 notices the put, computes for 5 us, and acknowledges if its interface has not. */
static void acknowledged(int bytes) {
  if (rank == 0) {
    printf("%lld\n", copy(0, 1, bytes));
  } else if (rank == 1) {
    MGEN_Request request;
    MGEN_Status status;
    MGEN_Recv(NULL, bytes, MGEN_BYTE, MGEN_ANY_SOURCE, ACP_PUT_TAG, MGEN_COMM_WORLD, &status);
    int count;
    MGEN_Get_count(&status, MGEN_BYTE, &count);
    MGEN_Comp(5e-6);
    LMGEN_Isend_acp_put_ctrl(status.MPI_SOURCE, MGEN_COMM_WORLD, &request, 0, NULL);
    LMGEN_Wait_ctrl(&request, &status);
    if (count != bytes) printf("%d bytes came\n", count);
  }
}

/* Ranks 1 and 2 get from rank 0 at nearly the same time: the first arrival is served first. */
static void order(int first, int bytes) {
  MGEN_Comp(1e-3);
  if (rank != first) MGEN_Comp(1e-9);
  if (rank != 0) printf("%d %lld\n", rank, copy(0, rank, bytes));
}

/* Two puts at once. */
static void two(int bytes) {
  if (rank != 0) return;
  const double begin = MGEN_Wtime();
  const MGEN_acp_handle first = MGEN_acp_copy(0, 1, bytes), second = MGEN_acp_copy(0, 1, bytes);
  MGEN_acp_complete(first);
  const long long one = since(begin);
  MGEN_acp_complete(second);
  printf("%lld %lld\n", one, since(begin));
}

/* Two puts of 2 KiB, the second after the first is complete, directly after its data, or after all earlier ones. */
static void ordered(void) {
  static const acp_handle_t orders[] = {0, (acp_handle_t)ACP_HANDLE_CONT, (acp_handle_t)ACP_HANDLE_ALL};
  acp_init(NULL, NULL);
  for (int i = 0; rank == 0 && i < 3; ++i) {
    MGEN_Comp(1e-4);
    const double begin = MGEN_Wtime();
    const acp_handle_t first = acp_copy(acp_query_starter_ga(1), acp_query_starter_ga(0), 2048, ACP_HANDLE_NULL);
    acp_complete(acp_copy(acp_query_starter_ga(1), acp_query_starter_ga(0), 2048, orders[i] != 0 ? orders[i] : first));
    printf("%lld\n", since(begin));
  }
  acp_finalize();
}

/* The time to register a byte of a page, a whole page, and a byte of a third page. */
static void registered(void) {
  static char memory[4 * 4096] __attribute__((aligned(4096)));
  acp_init(NULL, NULL);
  const double begin = MGEN_Wtime();
  acp_register_memory(memory + 4095, 4098, 0);
  printf("%lld\n", since(begin));
  acp_finalize();
}

/* Many puts to one rank; each is notified with its source and size. */
static void notices(int ranks) {
  for (int i = 0; rank != 0 && i < 3; ++i) MGEN_acp_complete(MGEN_acp_copy(rank, 0, 100 * rank + i));
  for (int i = 0; rank == 0 && i < 3 * (ranks - 1); ++i) {
    MGEN_Request request;
    MGEN_Status status;
    int count;
    const int source = 1 + i % (ranks - 1);
    if (i % 2)
      MGEN_Recv(NULL, 1 << 20, MGEN_BYTE, source, ACP_PUT_TAG, &status);
    else
      MGEN_Irecv(NULL, 1 << 20, MGEN_BYTE, source, ACP_PUT_TAG, MGEN_COMM_WORLD, &request), MGEN_Wait(&request, &status);
    MGEN_Get_count(&status, MGEN_BYTE, &count);
    if (status.MPI_SOURCE != source || count != 100 * source + i / (ranks - 1)) printf("%d %d\n", status.MPI_SOURCE, count);
  }
  MGEN_Barrier(MGEN_COMM_WORLD);
  if (rank == 0) printf("noticed\n");
}

int MGEN_Main(int argc, char** argv) {
  int ranks;
  const char* how = argc > 1 ? argv[1] : "times";
  const int bytes = argc > 2 ? atoi(argv[2]) : 4;
  MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
  MGEN_Comm_size(MGEN_COMM_WORLD, &ranks);
  if (!strcmp(how, "times")) times();
  if (!strcmp(how, "acknowledged")) acknowledged(bytes);
  if (!strcmp(how, "order")) order(atoi(argv[3]), bytes);
  if (!strcmp(how, "notices")) notices(ranks);
  if (!strcmp(how, "two")) two(bytes);
  if (!strcmp(how, "ordered")) ordered();
  if (!strcmp(how, "registered")) registered();
  if (!strcmp(how, "beyond")) MGEN_acp_copy(0, ranks, bytes);
  if (!strcmp(how, "negative")) MGEN_acp_copy(0, 1, -1);
  if (!strcmp(how, "no-handle")) MGEN_acp_complete(17);
  if (!strcmp(how, "unasked") && rank == 1) {
    MGEN_Request request;
    LMGEN_Isend_acp_put_ctrl(0, MGEN_COMM_WORLD, &request, 0, NULL);
  }
  if (!strcmp(how, "nothing") && rank == 1)
    MGEN_Recv(NULL, 1, MGEN_BYTE, 0, ACP_PUT_TAG, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
  if (!strcmp(how, "unacknowledged") && rank == 0) copy(0, 1, bytes);
  return 0;
}
