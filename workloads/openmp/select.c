// SPDX-License-Identifier: Apache-2.0
// Conditions on the data: a conditional expression, if and else, and a conditional store.
// Usage: select [N = 65536]. N is a multiple of 8.
#include "kernel.h"

static void choose(long n, const double* restrict a, const double* restrict b, double* restrict c) {
#pragma omp target teams distribute parallel for map(to: a[0:n], b[0:n]) map(from: c[0:n])
  for (long i = 0; i < n; ++i) c[i] = a[i] > 0 ? a[i] * b[i] : b[i] - a[i];
}

static void order(long n, const double* restrict a, const double* restrict b, double* restrict low,
                  double* restrict high) {
#pragma omp target teams distribute parallel for map(to: a[0:n], b[0:n]) map(from: low[0:n], high[0:n])
  for (long i = 0; i < n; ++i)
    if (a[i] < b[i]) {
      low[i] = a[i];
      high[i] = b[i];
    } else {
      low[i] = b[i];
      high[i] = a[i];
    }
}

static void raise_to(long n, const double* restrict a, double* restrict c) {
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: c[0:n])
  for (long i = 0; i < n; ++i)
    if (c[i] < a[i]) c[i] = a[i];
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 65536, 8);
  double *const a = new_numbers(n, 7), *const b = new_numbers(n, 5);
  double *const c = new_array(n), *const low = new_array(n), *const high = new_array(n);
  double* const raised = new_numbers(n, 5);
  choose(n, a, b, c);
  order(n, a, b, low, high);
  raise_to(n, a, raised);

  long wrong = 0;
  for (long i = 0; i < n; ++i) {
    wrong += c[i] != (a[i] > 0 ? a[i] * b[i] : b[i] - a[i]);
    wrong += low[i] != (a[i] < b[i] ? a[i] : b[i]) || high[i] != (a[i] < b[i] ? b[i] : a[i]);
    wrong += raised[i] != (b[i] < a[i] ? a[i] : b[i]);
  }
  return report("select", n, wrong,
                checksum(c, n) + checksum(low, n) - checksum(high, n) + checksum(raised, n));
}
