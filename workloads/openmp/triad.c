// SPDX-License-Identifier: Apache-2.0
// a = b + s c, the stream triad.
// Usage: triad [N = 65536]
#include "kernel.h"

static void triad(long n, double s, double* restrict a, const double* restrict b, const double* restrict c) {
#pragma omp target teams distribute parallel for map(to: b[0:n], c[0:n]) map(from: a[0:n])
  for (long i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 65536, 1);
  const double s = 0.375;
  double* const a = new_array(n);
  double* const b = new_numbers(n, 5);
  double* const c = new_numbers(n, 7);
  triad(n, s, a, b, c);

  long wrong = 0;
  for (long i = 0; i < n; ++i) wrong += a[i] != b[i] + s * c[i];
  return report("triad", n, wrong, checksum(a, n));
}
