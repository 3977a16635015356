/* SPDX-License-Identifier: Apache-2.0
   The randomly ordered ring of the HPC Challenge by remote direct memory access, as paper 000 (NSIM-ACE), section 4, ran
   it: two processes per node, in one random order; each puts to both its neighbours, or gets from them. Sizes only.

       psim-cc -O2 -o rdma_ring rdma_ring.c
       psim net --machine infiniband_qdr --set node.ranks=2 -n 32 ./rdma_ring 2000000 put 8    # a rank is a process
       psim net --machine infiniband_qdr -n 16 ./rdma_ring 2000000 put 8 2.8e9                 # a rank is two processes

   8 of the processes make the ring, the others do nothing. A fifth argument is the seed of the order, an odd number [1]. The second is how the paper did it, whose simulator had one
   process a node and nothing inside nodes: a rank does what two processes do, and for each message inside it computes
   for as long as the DMA engine (bytes/s) would take. */
#include <mgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kOfNode = 2, kMost = 4096 };
static int order[kMost], place[kMost]; /* process at a place of the ring, and back */

static void shuffle(int processes, uint64_t seed) {
  uint64_t state = 0x9e3779b97f4a7c15u * seed;
  for (int i = 0; i < processes; ++i) order[i] = i;
  for (int i = processes - 1; i > 0; --i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const int other = (int)((state >> 16) % (uint64_t)(i + 1)), held = order[i];
    order[i] = order[other];
    order[other] = held;
  }
  for (int i = 0; i < processes; ++i) place[order[i]] = i;
}

static int neighbour(int process, int processes, int side) {
  return order[(place[process] + (side == 0 ? 1 : processes - 1)) % processes];
}

/* Of all nodes the most messages that one sends to others, and the most that one sends to itself. */
static void count_messages(int processes, int* out, int* inside) {
  *out = *inside = 0;
  for (int node = 0; node < processes / kOfNode; ++node) {
    int here = 0;
    for (int i = 0; i < 2 * kOfNode; ++i)
      here += neighbour(node * kOfNode + i / 2, processes, i % 2) / kOfNode == node;
    if (here > *inside) *inside = here;
    if (2 * kOfNode - here > *out) *out = 2 * kOfNode - here;
  }
}

int MGEN_Main(int argc, char** argv) {
  int rank, ranks;
  MGEN_Init(&argc, &argv);
  MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
  MGEN_Comm_size(MGEN_COMM_WORLD, &ranks);
  const int bytes = argc > 1 ? atoi(argv[1]) : 2000000;
  const int puts = argc <= 2 || strcmp(argv[2], "get") != 0;
  const double dma = argc > 4 ? atof(argv[4]) : 0; /* > 0: a rank is a node */
  const int mine = dma > 0 ? kOfNode : 1, processes = argc > 3 ? atoi(argv[3]) : ranks * mine;
  if (processes < kOfNode || processes > kMost || processes > ranks * mine || processes % kOfNode != 0) {
    if (rank == 0)
      fprintf(stderr, "rdma_ring: %d processes; expected an even number from 2 to %d\n", processes,
              ranks * mine < kMost ? ranks * mine : kMost);
    return 2;
  }
  MGEN_Comm ring;
  const int part = rank * mine < processes;
  MGEN_Comm_split(MGEN_COMM_WORLD, part ? 0 : MGEN_UNDEFINED, rank, &ring);
  if (!part) return MGEN_Finalize();
  shuffle(processes, argc > 5 ? strtoull(argv[5], NULL, 10) : 1);

  MGEN_Barrier(ring);
  const double begin = MGEN_Wtime();
  MGEN_acp_handle handles[2 * kOfNode];
  int copies = 0, inside = 0, from[2 * kOfNode];
  for (int i = 0; i < 2 * mine; ++i) {
    const int other = neighbour(rank * mine + i / 2, processes, i % 2) / mine;
    if (dma > 0 && other == rank) {
      ++inside;
      continue;
    }
    from[copies] = other;
    handles[copies++] = puts ? MGEN_acp_copy(rank, other, bytes) : MGEN_acp_copy(other, rank, bytes);
  }
  MGEN_Comp(inside * bytes / (dma > 0 ? dma : 1));
  for (int i = 0; i < copies; ++i) MGEN_acp_complete(handles[i]);
  for (int i = 0; puts && i < copies; ++i)
    MGEN_Recv(NULL, bytes, MGEN_BYTE, from[i], ACP_PUT_TAG, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
  MGEN_Barrier(ring);
  const double took = MGEN_Wtime() - begin;
  if (rank == 0) {
    int most_out, most_inside;
    count_messages(processes, &most_out, &most_inside);
    printf("%s of %d bytes in a random ring of %d processes: %.3f us, %.3f MB/s per process; at most %d messages out of a "
           "node, %d inside one\n",
           puts ? "put" : "get", bytes, processes, took * 1e6, 2.0 * bytes / took * 1e-6, most_out, most_inside);
  }
  MGEN_Finalize();
  return 0;
}
