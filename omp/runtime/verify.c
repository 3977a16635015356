/* SPDX-License-Identifier: Apache-2.0
 * Compares what the PEs computed with what the scalar core computes from the same data. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

#define loop psim_omp_loop

struct kept {
  char *low, *before, *after;
  size_t bytes;
};

void psim_omp_verify(outlined *function, void *data, const struct plan *plan) {
  struct kept kept[PSIM_OMP_ARRAYS];
  unsigned count = 0;
  for (unsigned i = 0; i < loop.arrays; ++i) {
    const struct array *const a = &loop.array[i];
    if (a->write_low == 0) continue;
    const long way = (loop.count - 1) * a->stride;
    struct kept *const k = &kept[count++];
    k->low = a->write_low + (way < 0 ? way : 0);
    k->bytes = (size_t)(a->write_high - a->write_low) + (size_t)labs(way);
    k->before = malloc(2 * k->bytes);
    if (k->before == 0) {
      fprintf(stderr, "psim_omp: %s: no memory to verify it; PSIM_OMP_VERIFY=0 leaves that out\n", loop.name);
      exit(2);
    }
    k->after = k->before + k->bytes;
    memcpy(k->before, k->low, k->bytes);
  }
  psim_omp_run_tiles(function, data, plan);
  for (unsigned i = 0; i < count; ++i) {
    memcpy(kept[i].after, kept[i].low, kept[i].bytes);
    memcpy(kept[i].low, kept[i].before, kept[i].bytes);
  }
  psim_omp_run_scalar(function, data, 0, loop.count);
  for (unsigned i = 0; i < count; ++i) {
    const struct kept *const k = &kept[i];
    size_t at = 0;
    while (at < k->bytes && k->after[at] == k->low[at]) ++at;
    if (at < k->bytes) {
      at &= ~7ul;
      fprintf(stderr, "psim_omp: %s: the PEs and the scalar core differ at byte %zu of what it writes at %p\n", loop.name, at,
              (void *)k->low);
      exit(2);
    }
    free(k->before);
  }
}
