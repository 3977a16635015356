// SPDX-License-Identifier: Apache-2.0
// Solves L x = b with lower triangular L, column by column: each x(j) is subtracted from the rows below it.
// Usage: trisolv [N = 128]
#include "polybench.h"

static void trisolv(long n, const double* restrict l, double* restrict x) {
  for (long j = 0; j < n; ++j) {
    const double solved = x[j] /= l[j * n + j];
    #pragma omp target teams distribute parallel for map(to: l[0:n * n]) map(tofrom: x[0:n])
    for (long i = j + 1; i < n; ++i) x[i] -= l[i * n + j] * solved;
  }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 128, 1);
  double *const l = new_integers(n * n, 3), *const solution = new_integers(n, 11), *const x = new_array(n);
  for (long i = 0; i < n; ++i) {  // x = L * solution
    l[i * n + i] = 1 + i % 3;
    for (long j = 0; j <= i; ++j) x[i] += l[i * n + j] * solution[j];
  }
  trisolv(n, l, x);
  return result("trisolv", n, checksum(x, n));
}
