/* SPDX-License-Identifier: Apache-2.0
 * collective_times BYTES: prints the times of all collectives as a table for collective.table (psim net --table). It measures
 * communicators of 2, 4, 8, … and all ranks, and sizes of 1, 4, 16, … and BYTES bytes. All ranks enter at the same time; the
 * time of a collective is that until its last rank leaves. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "mgen.h"

static int size; /* of the communicator */
static char *const in = NULL, *const out = NULL;

static void barrier(uint64_t bytes, MPI_Comm comm) { (void)bytes, MPI_Barrier(comm); }
static void bcast(uint64_t bytes, MPI_Comm comm) { MPI_Bcast(in, (int)bytes, MPI_BYTE, 0, comm); }
static void reduce(uint64_t bytes, MPI_Comm comm) { MPI_Reduce(in, out, (int)bytes, MPI_BYTE, MPI_BOR, 0, comm); }
static void allreduce(uint64_t bytes, MPI_Comm comm) { MPI_Allreduce(in, out, (int)bytes, MPI_BYTE, MPI_BOR, comm); }
static void gather(uint64_t bytes, MPI_Comm comm) { MPI_Gather(in, (int)bytes, MPI_BYTE, out, (int)bytes, MPI_BYTE, 0, comm); }
static void scatter(uint64_t bytes, MPI_Comm comm) { MPI_Scatter(in, (int)bytes, MPI_BYTE, out, (int)bytes, MPI_BYTE, 0, comm); }
static void allgather(uint64_t bytes, MPI_Comm comm) { MPI_Allgather(in, (int)bytes, MPI_BYTE, out, (int)bytes, MPI_BYTE, comm); }
static void alltoall(uint64_t bytes, MPI_Comm comm) { MPI_Alltoall(in, (int)bytes, MPI_BYTE, out, (int)bytes, MPI_BYTE, comm); }
static void scan(uint64_t bytes, MPI_Comm comm) { MPI_Scan(in, out, (int)bytes, MPI_BYTE, MPI_BOR, comm); }
/* Its bytes are those of the whole vector; the first ranks have one more. */
static void reduce_scatter(uint64_t bytes, MPI_Comm comm) {
  int *counts = malloc((size_t)size * sizeof *counts);
  for (int i = 0; i < size; ++i) counts[i] = (int)(bytes / (uint64_t)size + ((uint64_t)i < bytes % (uint64_t)size));
  MPI_Reduce_scatter(in, out, counts, MPI_BYTE, MPI_BOR, comm);
  free(counts);
}

static const struct {
  const char *name;
  void (*call)(uint64_t bytes, MPI_Comm comm);
  int sizes; /* it has sizes */
} kCollectives[] = {{"barrier", barrier, 0},     {"bcast", bcast, 1},         {"reduce", reduce, 1},
                    {"allreduce", allreduce, 1}, {"gather", gather, 1},       {"scatter", scatter, 1},
                    {"allgather", allgather, 1}, {"alltoall", alltoall, 1},   {"reduce-scatter", reduce_scatter, 1},
                    {"scan", scan, 1}};

/* The measurements begin at whole multiples of kSlot seconds, so that all ranks begin together. Messages have no contents. */
static const double kSlot = 10;
static int slot;

static void begin(int rank) {
  const double wait = ++slot * kSlot - MPI_Wtime();
  if (wait < 0) {
    if (rank == 0) fprintf(stderr, "psim: --table: a collective takes more than %g s; expected a smaller --table-bytes\n", kSlot);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MGEN_Comp(wait);
}

/* The rank that leaves last prints the time. MPI_Comm_split finds it, because the library's own messages have contents. */
static void measure(int which, uint64_t bytes, int rank, MPI_Comm comm) {
  const double before = MPI_Wtime(), reading = MPI_Wtime() - before;
  begin(rank);
  kCollectives[which].call(bytes, comm);
  const double seconds = MPI_Wtime() - reading - slot * kSlot;
  MPI_Comm order;
  int place;
  MPI_Comm_split(comm, 0, seconds < 2 ? -(int)(seconds * 1e9) : -2000000000, &order);
  MPI_Comm_rank(order, &place);
  MPI_Comm_free(&order);
  if (place == 0) printf("%s,%d,%llu,%.9g\n", kCollectives[which].name, size, (unsigned long long)bytes, seconds);
}

static void measure_all(uint64_t most, int rank, MPI_Comm comm, int takes_part) {
  for (unsigned which = 0; which < sizeof kCollectives / sizeof *kCollectives; ++which)
    for (uint64_t bytes = kCollectives[which].sizes ? 1 : 0;; bytes = bytes * 4 < most ? bytes * 4 : most) {
      if (takes_part)
        measure((int)which, bytes, rank, comm);
      else
        ++slot;
      if (bytes == most || bytes == 0) break;
    }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const uint64_t most = argc > 1 ? strtoull(argv[1], NULL, 10) : 65536;
  if (rank == 0) printf("collective,ranks,bytes,seconds\n");
  for (size = 2;; size = size * 2 < ranks ? size * 2 : ranks) {
    MPI_Comm comm;
    begin(rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < size ? 0 : MPI_UNDEFINED, rank, &comm);
    measure_all(most, rank, comm, comm != MPI_COMM_NULL);
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    if (size == ranks) break;
  }
  MPI_Finalize();
  return 0;
}
