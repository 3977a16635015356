// SPDX-License-Identifier: Apache-2.0
// A ring of nodes: in every round each node computes, puts bytes into the memory of the next node, and waits for those of
// the node before. Usage: ring [bytes = 4096] [rounds = 4] [steps of computing = 1000] [node that puts to a node that does not exist]
#include <stdio.h>
#include <stdlib.h>

#include "psim_nic.h"

enum { kMost = 1 << 18 };
static unsigned char mine[kMost] __attribute__((aligned(64)));
static unsigned char theirs[2][kMost] __attribute__((aligned(64)));
static volatile unsigned long arrived[2] __attribute__((aligned(64))), done __attribute__((aligned(64)));

int main(int argc, char** argv) {
  const int node = psim_nic_node(), nodes = psim_nic_nodes(), next = (node + 1) % nodes, before = (node + nodes - 1) % nodes;
  const unsigned long bytes = argc > 1 ? strtoul(argv[1], 0, 0) : 4096, steps = argc > 3 ? strtoul(argv[3], 0, 0) : 1000;
  const int rounds = argc > 2 ? atoi(argv[2]) : 4;
  const int astray = argc > 4 ? atoi(argv[4]) : -1;
  if (bytes == 0 || bytes > kMost) return 2;
  double sum = node + 1;
  for (int round = 0; round < rounds; ++round) {
    for (unsigned long i = 0; i < steps; ++i) sum = sum * 0.999 + (double)i;
    mine[0] = mine[bytes - 1] = (unsigned char)(node + round);
    done = 0;
    psim_nic_put(node == astray ? nodes : next, mine, theirs[round % 2], bytes, &arrived[round % 2], &done);
    psim_nic_wait(&arrived[round % 2]);
    arrived[round % 2] = 0;
    if (theirs[round % 2][0] != (unsigned char)(before + round) || theirs[round % 2][bytes - 1] != theirs[round % 2][0]) {
      printf("node %d: round %d: the bytes are wrong\n", node, round);
      return 1;
    }
    psim_nic_wait(&done);
  }
  printf("node %d: %d rounds of %lu bytes, %.6g\n", node, rounds, bytes, sum);
  return 0;
}
