// SPDX-License-Identifier: Apache-2.0
// Solves T y = -r for the symmetric Toeplitz matrix of 1, r(0), r(1) … by the recursion of Levinson and Durbin. Rounded results:
// the checksum has six digits of each number.
// Usage: durbin [N = 128]
#include <math.h>

#include "polybench.h"

static void durbin(long n, const double* restrict r, double* restrict y, double* restrict z) {
  double alpha = -r[0], beta = 1;
  y[0] = alpha;
  for (long k = 1; k < n; ++k) {
    beta *= 1 - alpha * alpha;
    double sum = r[k];
    #pragma omp target teams distribute parallel for map(to: r[0:n], y[0:n]) map(tofrom: sum) reduction(+:sum)
    for (long i = 0; i < k; ++i) sum += r[k - i - 1] * y[i];
    alpha = -sum / beta;
    #pragma omp target teams distribute parallel for map(to: y[0:n]) map(from: z[0:k])
    for (long i = 0; i < k; ++i) z[i] = y[i] + alpha * y[k - i - 1];
    for (long i = 0; i < k; ++i) y[i] = z[i];
    y[k] = alpha;
  }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 128, 1);
  double *const r = new_array(n), *const y = new_array(n);
  for (long i = 0; i < n; ++i) r[i] = 1.0 / (i + 2);
  durbin(n, r, y, new_array(n));
  for (long i = 0; i < n; ++i) y[i] = round(1e6 * y[i]);
  return result("durbin", n, checksum(y, n));
}
