/* SPDX-License-Identifier: Apache-2.0
   Programs whose efficiencies and critical paths are known. `efficiency CASE [BYTES]`; times are in us. */
#include <mgen.h>
#include <psim.h>
#include <stdlib.h>
#include <string.h>

#define WORLD MGEN_COMM_WORLD
#define IGNORE MGEN_STATUS_IGNORE
static int rank, ranks, bytes;

static void region(const char* name, double us) {
  PSIM_REGION_BEGIN(name);
  MGEN_Comp(us * 1e-6);
  PSIM_REGION_END(name);
}

/* Rank r computes 10 (r + 1). */
static void imbalance(void) {
  region("uneven", 10 * (rank + 1));
  MGEN_Barrier(WORLD);
}

/* Each rank waits for the one before it, and computes 10. */
static void pipeline(void) {
  if (rank > 0) MGEN_Recv(NULL, bytes, MGEN_BYTE, rank - 1, 0, WORLD, IGNORE);
  region("stage", 10);
  if (rank + 1 < ranks) MGEN_Send(NULL, bytes, MGEN_BYTE, rank + 1, 0, WORLD);
}

/* Computes 10, then exchanges a message with a neighbour. */
static void exchange(void) {
  region("step", 10);
  const int other = rank ^ 1;
  if (other < ranks)
    MGEN_Sendrecv(NULL, bytes, MGEN_BYTE, other, 0, NULL, bytes, MGEN_BYTE, other, 0, WORLD, IGNORE);
}

/* Ten round trips; rank 0 computes 1 before each, rank 1 computes 2 outside of a region. */
static void ping_pong(void) {
  for (int i = 0; i < 10; ++i) {
    if (rank == 0) {
      region("think", 1);
      MGEN_Send(NULL, bytes, MGEN_BYTE, 1, 0, WORLD);
      MGEN_Recv(NULL, bytes, MGEN_BYTE, 1, 0, WORLD, IGNORE);
    } else {
      MGEN_Recv(NULL, bytes, MGEN_BYTE, 0, 0, WORLD, IGNORE);
      MGEN_Comp(2e-6);
      MGEN_Send(NULL, bytes, MGEN_BYTE, 0, 0, WORLD);
    }
  }
}

/* Rank 0 receives from each other rank in the order of arrival, and computes 1 each time. */
static void wildcards(void) {
  if (rank == 0)
    for (int i = 1; i < ranks; ++i) {
      MGEN_Recv(NULL, bytes, MGEN_BYTE, MGEN_ANY_SOURCE, MGEN_ANY_TAG, WORLD, IGNORE);
      region("serve", 1);
    }
  else {
    region("ask", 20 * rank);
    MGEN_Send(NULL, bytes, MGEN_BYTE, 0, rank, WORLD);
  }
}

/* Rank 0 polls until the message of rank 1 has come, which computes 50 before it. */
static void polls(void) {
  if (rank == 0) {
    int flag = 0;
    while (!flag) MGEN_Iprobe(1, 0, WORLD, &flag, IGNORE);
    MGEN_Recv(NULL, bytes, MGEN_BYTE, 1, 0, WORLD, IGNORE);
    region("after", 5);
  } else if (rank == 1) {
    region("before", 50);
    MGEN_Send(NULL, bytes, MGEN_BYTE, 0, 0, WORLD);
  }
}

/* All ranks send to rank 0 at once, so that the messages wait for each other. */
static void contention(void) {
  if (rank != 0) {
    MGEN_Comp(10e-6);
    MGEN_Send(NULL, bytes, MGEN_BYTE, 0, 0, WORLD);
  } else {
    for (int i = 1; i < ranks; ++i) MGEN_Recv(NULL, bytes, MGEN_BYTE, i, 0, WORLD, IGNORE);
  }
}

/* Collectives, nested regions, and a reduction of all ranks. */
static void collectives(void) {
  for (int i = 0; i < 5; ++i) {
    PSIM_REGION_BEGIN("outer");
    region("inner", 3 + (rank + i) % 3);
    MGEN_Allreduce(NULL, NULL, bytes, MGEN_BYTE, MGEN_BOR, WORLD);
    MGEN_Comp(1e-6);
    PSIM_REGION_END("outer");
    MGEN_Alltoall(NULL, bytes, MGEN_BYTE, NULL, bytes, MGEN_BYTE, WORLD);
  }
}

static void nothing(void) { MGEN_Barrier(WORLD); }

int MGEN_Main(int argc, char** argv) {
  MGEN_Init(&argc, &argv);
  MGEN_Comm_rank(WORLD, &rank);
  MGEN_Comm_size(WORLD, &ranks);
  const char* what = argc > 1 ? argv[1] : "";
  bytes = argc > 2 ? atoi(argv[2]) : 0;
  const struct {
    const char* name;
    void (*run)(void);
  } cases[] = {{"imbalance", imbalance}, {"pipeline", pipeline},   {"exchange", exchange},
               {"ping-pong", ping_pong}, {"wildcards", wildcards}, {"polls", polls},
               {"contention", contention}, {"collectives", collectives}, {"nothing", nothing}};
  int known = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    if (!strcmp(cases[i].name, what)) cases[i].run(), known = 1;
  if (!strcmp(what, "fails")) exit(3);
  MGEN_Finalize();
  return known ? 0 : 2;
}
