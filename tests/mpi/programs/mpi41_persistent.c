/* SPDX-License-Identifier: Apache-2.0
 * Persistent collectives. Each line says what the standard demands, and prints 1. */
#include <mpi.h>
#include <stdio.h>

enum { kMost = 16, kRounds = 3 };
static int rank, size;
static int in[kMost * kMost], out[kMost * kMost], counts[kMost], places[kMost], ones[kMost];
static MPI_Datatype types[kMost];
static void say(const char *what, int good) { printf("%d: %s: %d\n", rank, what, good); }

/* Starts the request several times with other data, and frees it. */
static void rounds(const char *what, MPI_Request request, int (*good)(int round)) {
  int all = 1;
  for (int round = 0; round < kRounds; ++round) {
    MPI_Status status;
    for (int i = 0; i < kMost * kMost; ++i) in[i] = 100 * rank + 10000 * round + i, out[i] = -1;
    MPI_Start(&request);
    if (round == 1) {
      int flag = 0;
      while (!flag) MPI_Test(&request, &flag, &status);
    } else {
      MPI_Wait(&request, &status);
    }
    all &= request != MPI_REQUEST_NULL && good(round);
  }
  MPI_Request_free(&request);
  say(what, all && request == MPI_REQUEST_NULL);
}

static int from(int peer, int round, int i) { return 100 * peer + 10000 * round + i; }
static int sum(int first, int last, int round, int i) {
  int total = 0;
  for (int peer = first; peer < last; ++peer) total += from(peer, round, i);
  return total;
}
static int anything(int round) { return round >= 0; }
static int broadcast(int round) { return in[0] == from(size - 1, round, 0) && in[2] == from(size - 1, round, 2); }
static int gathered(int round) {
  for (int i = 0; rank == 0 && i < size; ++i)
    if (out[i] != from(i, round, 0)) return 0;
  return 1;
}
static int scattered(int round) { return out[0] == from(0, round, rank); }
static int everywhere(int round) {
  for (int i = 0; i < size; ++i)
    if (out[i] != from(i, round, 0)) return 0;
  return 1;
}
static int exchanged(int round) {
  for (int i = 0; i < size; ++i)
    if (out[i] != from(i, round, rank)) return 0;
  return 1;
}
static int reduced(int round) { return rank != 0 || out[1] == sum(0, size, round, 1); }
static int all_reduced(int round) { return out[0] == sum(0, size, round, 0) && out[1] == sum(0, size, round, 1); }
static int spread(int round) { return out[0] == sum(0, size, round, rank); }
static int scanned(int round) { return out[1] == sum(0, rank + 1, round, 1); }
static int scanned_before(int round) { return rank == 0 || out[1] == sum(0, rank, round, 1); }
static int around(int round) {
  return out[0] == from((rank + size - 1) % size, round, 0) && out[1] == from((rank + 1) % size, round, 0);
}
static int swapped(int round) {
  return out[0] == from((rank + size - 1) % size, round, 1) && out[1] == from((rank + 1) % size, round, 0);
}

static void collectives(MPI_Comm comm) {
  MPI_Request r;
  MPI_Barrier_init(comm, MPI_INFO_NULL, &r);
  rounds("barrier", r, anything);
  MPI_Bcast_init(in, 3, MPI_INT, size - 1, comm, MPI_INFO_NULL, &r);
  rounds("bcast", r, broadcast);
  MPI_Gather_init(in, 1, MPI_INT, out, 1, MPI_INT, 0, comm, MPI_INFO_NULL, &r);
  rounds("gather", r, gathered);
  MPI_Gatherv_init(in, 1, MPI_INT, out, ones, places, MPI_INT, 0, comm, MPI_INFO_NULL, &r);
  rounds("gatherv", r, gathered);
  MPI_Scatter_init(in, 1, MPI_INT, out, 1, MPI_INT, 0, comm, MPI_INFO_NULL, &r);
  rounds("scatter", r, scattered);
  MPI_Scatterv_init(in, ones, places, MPI_INT, out, 1, MPI_INT, 0, comm, MPI_INFO_NULL, &r);
  rounds("scatterv", r, scattered);
  MPI_Allgather_init(in, 1, MPI_INT, out, 1, MPI_INT, comm, MPI_INFO_NULL, &r);
  rounds("allgather", r, everywhere);
  MPI_Allgatherv_init(in, 1, MPI_INT, out, ones, places, MPI_INT, comm, MPI_INFO_NULL, &r);
  rounds("allgatherv", r, everywhere);
  MPI_Alltoall_init(in, 1, MPI_INT, out, 1, MPI_INT, comm, MPI_INFO_NULL, &r);
  rounds("alltoall", r, exchanged);
  MPI_Alltoallv_init(in, ones, places, MPI_INT, out, ones, places, MPI_INT, comm, MPI_INFO_NULL, &r);
  rounds("alltoallv", r, exchanged);
  MPI_Alltoallw_init(in, ones, counts, types, out, ones, counts, types, comm, MPI_INFO_NULL, &r);
  rounds("alltoallw", r, exchanged);
  MPI_Reduce_init(in, out, 2, MPI_INT, MPI_SUM, 0, comm, MPI_INFO_NULL, &r);
  rounds("reduce", r, reduced);
  MPI_Allreduce_init(in, out, 2, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &r);
  rounds("allreduce", r, all_reduced);
  MPI_Reduce_scatter_block_init(in, out, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &r);
  rounds("reduce_scatter_block", r, spread);
  MPI_Reduce_scatter_init(in, out, ones, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &r);
  rounds("reduce_scatter", r, spread);
  MPI_Scan_init(in, out, 2, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &r);
  rounds("scan", r, scanned);
  MPI_Exscan_init(in, out, 2, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &r);
  rounds("exscan", r, scanned_before);
}

static void neighbours(void) {
  MPI_Comm ring;
  MPI_Request r;
  const int periodic = 1;
  const MPI_Aint offsets[2] = {0, sizeof(int)};
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  MPI_Neighbor_allgather_init(in, 1, MPI_INT, out, 1, MPI_INT, ring, MPI_INFO_NULL, &r);
  rounds("neighbor_allgather", r, around);
  MPI_Neighbor_allgatherv_init(in, 1, MPI_INT, out, ones, places, MPI_INT, ring, MPI_INFO_NULL, &r);
  rounds("neighbor_allgatherv", r, around);
  MPI_Neighbor_alltoall_init(in, 1, MPI_INT, out, 1, MPI_INT, ring, MPI_INFO_NULL, &r);
  rounds("neighbor_alltoall", r, swapped);
  MPI_Neighbor_alltoallv_init(in, ones, places, MPI_INT, out, ones, places, MPI_INT, ring, MPI_INFO_NULL, &r);
  rounds("neighbor_alltoallv", r, swapped);
  MPI_Neighbor_alltoallw_init(in, ones, offsets, types, out, ones, offsets, types, ring, MPI_INFO_NULL, &r);
  rounds("neighbor_alltoallw", r, swapped);
  MPI_Comm_free(&ring);
}

/* Several are under way at the same time, started in another order on each rank, among other collectives. */
static void together(void) {
  enum { kRequests = 4, kElements = 30000 };
  static long data[kRequests][kElements], result[kRequests][kElements];
  MPI_Request requests[kRequests];
  MPI_Datatype pair;
  int good = 1;
  MPI_Type_contiguous(2, MPI_LONG, &pair);
  MPI_Type_commit(&pair);
  for (int i = 0; i < kRequests - 1; ++i)
    MPI_Allreduce_init(data[i], result[i], i == 0 ? 1 : kElements, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[i]);
  MPI_Bcast_init(data[kRequests - 1], kElements / 2, pair, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[kRequests - 1]);
  MPI_Type_free(&pair); /* the request keeps it */
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < kRequests; ++i)
      for (int k = 0; k < kElements; ++k) data[i][k] = rank + 1000 * i + round + k;
    for (int i = 0; i < kRequests; ++i) MPI_Start(&requests[(i + rank) % kRequests]);
    int more;
    MPI_Allreduce(&rank, &more, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Waitall(kRequests, requests, MPI_STATUSES_IGNORE);
    good &= more == size * (size - 1) / 2;
    for (int i = 0; i < kRequests - 1; ++i) {
      const int last = i == 0 ? 0 : kElements - 1;
      good &= result[i][last] == (long)size * (1000 * i + round + last) + size * (size - 1) / 2;
    }
    good &= data[kRequests - 1][kElements - 1] == 1000 * (kRequests - 1) + round + kElements - 1;
  }
  for (int i = 0; i < kRequests; ++i) MPI_Request_free(&requests[i]);
  say("together", good);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < kMost; ++i) {
    ones[i] = 1;
    places[i] = i;
    counts[i] = i * (int)sizeof(int);
    types[i] = MPI_INT;
  }
  collectives(MPI_COMM_WORLD);
  neighbours();
  together();
  MPI_Finalize();
}
