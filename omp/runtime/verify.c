/* SPDX-License-Identifier: Apache-2.0
 * Compares what the PEs computed with what the scalar core computes from the same data: arrays bit by bit, the results of
 * reductions, whose order of additions differs, within a bound. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

#define loop psim_omp_loop

struct kept {
  const char *name; /* null: the result of a reduction */
  char *low, *before, *after;
  size_t bytes;
  int exact; /* an integer */
};

/* Sums of n terms differ by n roundings of what is added up; this is for results that are not much smaller than their terms. */
static int near(const char *a, const char *b, size_t bytes) {
  if (memcmp(a, b, bytes) == 0) return 1;
  double x, y, rounding;
  if (bytes == sizeof(double)) {
    memcpy(&x, a, sizeof x), memcpy(&y, b, sizeof y), rounding = 0x1p-52;
  } else if (bytes == sizeof(float)) {
    float s, t;
    memcpy(&s, a, sizeof s), memcpy(&t, b, sizeof t), x = s, y = t, rounding = 0x1p-23;
  } else {
    return 0;
  }
  const double larger = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
  return fabs(x - y) <= 4 * rounding * (double)(loop.count + 16) * larger;
}

/* Writes the bytes in hexadecimal, and the number that they are as a double or float. */
static void print_bytes(const char *at, size_t width) {
  double x;
  float s;
  for (size_t i = 0; i < width; ++i) fprintf(stderr, "%02x", (unsigned char)at[i]);
  if (width == 8)
    memcpy(&x, at, 8);
  else
    memcpy(&s, at, 4), x = s;
  fprintf(stderr, " (%.17g as a %s)", x, width == 8 ? "double" : "float");
}

static void differ(const struct kept *k, size_t at) {
  const size_t width = k->bytes - at >= 8 ? 8 : 4;
  if (k->name == 0 && k->exact) {
    fprintf(stderr, "psim_omp: %s: a reduction of integers differs on the PEs and on the scalar core; PSIM_OMP_VERIFY=0 goes on without comparing\n",
            loop.name);
  } else if (k->name) {
    fprintf(stderr, "psim_omp: %s: bytes %zu to %zu of the part of %s that it writes are ", loop.name, at, at + width - 1, k->name);
    print_bytes(k->after + at, width);
    fprintf(stderr, " on the PEs and ");
    print_bytes(k->low + at, width);
    fprintf(stderr, " on the scalar core; %siterations depend on each other, an int overflows, or this is a fault of psim. "
                    "PSIM_OMP_VERIFY=0 goes on without comparing\n",
            loop.reorders ? "gcc has ordered operations differently (-fno-associative-math behind -ffast-math or -Ofast prevents that), " : "");
  } else {
    double x = 0, y = 0;
    if (width == 8) {
      memcpy(&x, k->after, 8), memcpy(&y, k->low, 8);
    } else {
      float s, t;
      memcpy(&s, k->after, 4), memcpy(&t, k->low, 4), x = s, y = t;
    }
    fprintf(stderr,
            "psim_omp: %s: a reduction is %.17g on the PEs and %.17g on the scalar core, which is more than %ld roundings; "
            "if large terms cancel, PSIM_OMP_VERIFY=0 goes on without comparing\n",
            loop.name, x, y, 4 * (loop.count + 16));
  }
  exit(2);
}

void psim_omp_verify(outlined *function, void *data, const struct plan *plan) {
  struct kept kept[PSIM_OMP_ARRAYS + PSIM_OMP_RESULTS];
  unsigned count = 0;
  const long iterations = psim_omp_end_of_pes(&loop) - plan->lead;
  psim_omp_run_scalar(function, data, 0, plan->lead);
  for (unsigned i = 0; i < loop.arrays; ++i) {
    const struct array *const a = &loop.array[i];
    if (a->write_low == 0) continue;
    const long way = iterations > 1 ? (iterations - 1) * a->stride : 0;
    kept[count].name = a->name;
    kept[count].low = a->write_low + plan->lead * a->stride + (way < 0 ? way : 0);
    kept[count++].bytes = (size_t)(a->write_high - a->write_low) + (size_t)labs(way) + (size_t)((a->rows - 1) * a->row_stride);
  }
  for (unsigned i = 0; i < loop.results; ++i) {
    char *const low = loop.result[i].at;
    const size_t bytes = (size_t)labs(loop.result[i].bytes);
    int known = 0; /* gcc copies stores, behind the loop and out of it */
    for (unsigned j = 0; j < count; ++j) known |= kept[j].low <= low && low + bytes <= kept[j].low + kept[j].bytes;
    if (known) continue;
    kept[count].name = 0;
    kept[count].low = low;
    kept[count].exact = loop.result[i].bytes < 0;
    kept[count++].bytes = bytes;
  }
  for (unsigned i = 0; i < count; ++i) {
    struct kept *const k = &kept[i];
    k->before = malloc(2 * k->bytes);
    if (k->before == 0) {
      fprintf(stderr, "psim_omp: %s: no memory to verify it; PSIM_OMP_VERIFY=0 leaves that out\n", loop.name);
      exit(2);
    }
    k->after = k->before + k->bytes;
    memcpy(k->before, k->low, k->bytes);
  }
  const long next = psim_omp_run_tiles(function, data, plan);
  for (unsigned i = 0; i < count; ++i) {
    memcpy(kept[i].after, kept[i].low, kept[i].bytes);
    memcpy(kept[i].low, kept[i].before, kept[i].bytes);
  }
  psim_omp_run_scalar(function, data, plan->lead, next);
  for (unsigned i = 0; i < count; ++i) {
    const struct kept *const k = &kept[i];
    if (k->name == 0) {
      if (k->exact ? memcmp(k->after, k->low, k->bytes) != 0 : !near(k->after, k->low, k->bytes)) differ(k, 0);
      memcpy(k->low, k->after, k->bytes); /* what the program gets does not depend on whether it is verified */
    } else if (memcmp(k->after, k->low, k->bytes) != 0) {
      size_t at = 0;
      while (k->after[at] == k->low[at]) ++at;
      differ(k, at & ~7ul);
    }
    free(k->before);
  }
  psim_omp_run_scalar(function, data, next, loop.count);
}
