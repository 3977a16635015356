/* SPDX-License-Identifier: Apache-2.0
 * References that a condition guards: what lies behind an array is not touched. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

enum { N = 1024 }; /* of doubles: a page of 8 KB */
static double mask[N + 1], y[N];

/* An array at the end of its pages, with nothing behind it. */
static double *at_the_end(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (N * sizeof(double) + page - 1) / page * page;
  char *const pages = mmap(0, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || munmap(pages + bytes, page) != 0) exit(1);
  return (double *)(pages + bytes) - N;
}

int main(void) {
  double *const x = at_the_end(), *const z = at_the_end();
  fill(x, N, 1), fill(mask, N, 2), fill(z, N, 3);
  mask[N - 1] = -1, mask[0] = -2;
#pragma omp target teams distribute parallel for map(to : mask[0 : N], x[0 : N]) map(from : y)
  for (int i = 0; i < N; i++) {
    y[i] = 0;
    if (mask[i] > 0) y[i] = x[i + 1];
  }
  SHOW("the next element", y, N);
#pragma omp target teams distribute parallel for map(to : mask[0 : N], x[0 : N]) map(tofrom : y)
  for (int i = 0; i < N; i++)
    if (mask[i] > 0) y[i] += x[i] * x[i + 1];
  SHOW("both", y, N);
#pragma omp target teams distribute parallel for map(to : mask[0 : N], x[0 : N]) map(from : y)
  for (int i = 0; i < N; i++) y[i] = mask[i] > 0 ? x[i] : mask[i];
  SHOW("within the array", y, N);
#pragma omp target teams distribute parallel for map(to : mask[0 : N]) map(from : z[0 : N])
  for (int i = 0; i < N; i++) z[i] = mask[i] > 0 ? 1 : -1;
  SHOW("written to the end", z, N);
  double *const parts = mask;
#pragma omp target enter data map(to : parts[0 : N / 2])
#pragma omp target enter data map(to : parts[N / 2 : N / 2 + 1])
#pragma omp target teams distribute parallel for map(from : y)
  for (int i = 0; i < N; i++) y[i] = parts[i] - parts[i + 1];
  SHOW("sections that adjoin", y, N);
  double sum = 0;
#pragma omp target teams distribute parallel for map(to : mask[0 : N], x[0 : N]) map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < N; i++) {
    int large = 0; /* an integer of the PE's data: the scalar core, and still nothing behind the array */
    if (mask[i] > 0) large = x[i + 1] > 3;
    sum += large;
  }
  printf("integer %.17g\n", sum);
  sum = 0;
#pragma omp target teams distribute parallel for if (target : sum > 0) map(to : mask[0 : N], x[0 : N]) map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < N; i++)
    if (mask[i] > 0) sum += x[i + 1];
  printf("host %.17g\n", sum);
  return 0;
}
