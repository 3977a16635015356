/* SPDX-License-Identifier: Apache-2.0
   Exchange over an unstructured mesh: each rank has some twelve neighbours, near in the order of ranks, as a partitioner
   that follows a space-filling curve leaves them; messages of half to one and a half times BYTES. In each iteration all
   neighbours exchange, then all compute.

   Defaults: 16 KiB, the surface of a part of some 10^5 cells with a few values each; 8 ms, what such a part computes. */
#include "options.h"

enum { kReach = 64, kOneIn = 11 }; /* of 64 ranks above, one in eleven is a neighbour, and the same number below */

static int joined(int low, int high) { return mix((unsigned)low, (unsigned)high) % kOneIn == 0; }
static int length(const struct options *o, int low, int high) {
  return o->bytes / 2 + (int)(mix((unsigned)high, (unsigned)low) % (unsigned)(o->bytes + 1));
}

int MGEN_Main(int argc, char **argv) {
  const struct options o = begin(argc, argv, 5, 16384, 8000);
  int neighbours[2 * kReach], lengths[2 * kReach], count = 0;
  for (int d = -kReach; d <= kReach; ++d) {
    const int other = o.rank + d;
    if (d == 0 || other < 0 || other >= o.ranks) continue;
    const int low = d < 0 ? other : o.rank, high = d < 0 ? o.rank : other;
    if (!joined(low, high)) continue;
    neighbours[count] = other;
    lengths[count++] = length(&o, low, high);
  }
  MGEN_Request requests[4 * kReach];
  for (int i = 0; i < o.iterations; ++i) {
    for (int n = 0; n < count; ++n)
      MGEN_Irecv(NULL, lengths[n], MGEN_BYTE, neighbours[n], 0, MGEN_COMM_WORLD, &requests[n]);
    for (int n = 0; n < count; ++n)
      MGEN_Isend(NULL, lengths[n], MGEN_BYTE, neighbours[n], 0, MGEN_COMM_WORLD, &requests[count + n]);
    MGEN_Waitall(2 * count, requests, MGEN_STATUSES_IGNORE);
    MGEN_Comp(o.gap);
  }
  return end(&o, "near-neighbor");
}
