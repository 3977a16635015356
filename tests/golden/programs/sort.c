// SPDX-License-Identifier: Apache-2.0
// Sorts the same 2,000 integers by quicksort, by heapsort and by radix: branches that are hard to predict, swaps, counting.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "psim.h"

enum { N = 2000 };
static uint32_t numbers[N], sorted[N], other[N];

static void swap(uint32_t* a, uint32_t* b) {
  const uint32_t kept = *a;
  *a = *b;
  *b = kept;
}

static void quicksort(uint32_t* v, long n) {
  while (n > 12) {
    swap(v, v + n / 2);
    long last = 0;
    for (long i = 1; i < n; ++i)
      if (v[i] < v[0]) swap(v + i, v + ++last);
    swap(v, v + last);
    quicksort(v, last);
    v += last + 1;
    n -= last + 1;
  }
  for (long i = 1; i < n; ++i)  // insertion sort of what is short
    for (long j = i; j > 0 && v[j] < v[j - 1]; --j) swap(v + j, v + j - 1);
}

static void sink(uint32_t* v, long i, long n) {
  for (long child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && v[child] < v[child + 1]) ++child;
    if (v[i] >= v[child]) return;
    swap(v + i, v + child);
  }
}

static void heapsort(uint32_t* v, long n) {
  for (long i = n / 2; i-- > 0;) sink(v, i, n);
  while (n-- > 1) {
    swap(v, v + n);
    sink(v, 0, n);
  }
}

static void radix(uint32_t* v, uint32_t* to, long n) {
  for (int shift = 0; shift < 32; shift += 8) {
    long begin[257] = {0};
    for (long i = 0; i < n; ++i) ++begin[(v[i] >> shift & 255) + 1];
    for (int i = 0; i < 256; ++i) begin[i + 1] += begin[i];
    for (long i = 0; i < n; ++i) to[begin[v[i] >> shift & 255]++] = v[i];
    uint32_t* const from = v;
    v = to;
    to = from;
  }
}

static long check(void) {
  long wrong = 0;
  for (long i = 1; i < N; ++i) wrong += sorted[i - 1] > sorted[i];
  return wrong;
}

int main(void) {
  uint32_t state = 1;
  for (int i = 0; i < N; ++i) numbers[i] = state = state * 1664525 + 1013904223;
  long wrong = 0;
  uint32_t median[3];

  memcpy(sorted, numbers, sizeof numbers);
  PSIM_REGION_BEGIN("quicksort", N);
  quicksort(sorted, N);
  PSIM_REGION_END("quicksort");
  wrong += check();
  median[0] = sorted[N / 2];

  memcpy(sorted, numbers, sizeof numbers);
  PSIM_REGION_BEGIN("heapsort", N);
  heapsort(sorted, N);
  PSIM_REGION_END("heapsort");
  wrong += check();
  median[1] = sorted[N / 2];

  memcpy(sorted, numbers, sizeof numbers);
  PSIM_REGION_BEGIN("radix", N);
  radix(sorted, other, N);
  PSIM_REGION_END("radix");
  wrong += check();
  median[2] = sorted[N / 2];

  wrong += median[0] != median[1] || median[1] != median[2];
  printf("sort: median %u, wrong=%ld\n", median[0], wrong);
  return wrong != 0;
}
