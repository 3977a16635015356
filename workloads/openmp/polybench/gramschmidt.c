// SPDX-License-Identifier: Apache-2.0
// A = Q R by the modified process of Gram and Schmidt. The vectors are the rows of A and Q, one after the other in memory; those
// after vector k are distributed.
// Usage: gramschmidt [N = 64]. N is a power of four from 4 on.
#include <math.h>

#include "polybench.h"

static void gramschmidt(long n, double* restrict a, double* restrict q, double* restrict r) {
  for (long k = 0; k < n; ++k) {
    double* const unit = q + k * n;
    double* const row = r + k * n;
    double square = 0;
    for (long i = 0; i < n; ++i) square += a[k * n + i] * a[k * n + i];
    row[k] = sqrt(square);
    for (long i = 0; i < n; ++i) unit[i] = a[k * n + i] / row[k];
    #pragma omp target teams distribute parallel for map(to: unit[0:n]) map(tofrom: row[0:n], a[0:n * n])
    for (long j = k + 1; j < n; ++j) {
      double sum = 0;
      for (long i = 0; i < n; ++i) sum += unit[i] * a[j * n + i];
      row[j] = sum;
      for (long i = 0; i < n; ++i) a[j * n + i] -= sum * unit[i];
    }
  }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 64, 4);
  const long root = lround(sqrt(n));
  if (root * root != n || (n & (n - 1))) {
    fprintf(stderr, "%s: N = %ld: expected a power of four\n", argv[0], n);
    return 2;
  }
  // Q has the rows of a Hadamard matrix, of length 1, and R integers.
  double *const a = new_array(n * n), *const q = new_array(n * n), *const r = new_array(n * n);
  for (long j = 0; j < n; ++j)
    for (long k = 0; k <= j; ++k)
      for (long i = 0; i < n; ++i) {
        const double factor = k == j ? 1 + k % 3 : (j + 2 * k) % 5 - 2;
        a[j * n + i] += (__builtin_parityl(k & i) ? -factor : factor) / root;
      }
  gramschmidt(n, a, q, r);
  return result("gramschmidt", n, checksum(q, n * n) + 3 * checksum(r, n * n));
}
