// SPDX-License-Identifier: Apache-2.0
// Naive matrix product, C += A B of order N. Usage: dgemm [N = 256] [repetitions = 1]
#include <stdio.h>
#include <stdlib.h>

static void multiply(int n, const double* restrict a, const double* restrict b, double* restrict c) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = c[i * n + j];
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 256, repetitions = argc > 2 ? atoi(argv[2]) : 1;
  double* const a = malloc(sizeof(double) * n * n);
  double* const b = malloc(sizeof(double) * n * n);
  double* const c = calloc((size_t)n * n, sizeof(double));
  if (!a || !b || !c) return 1;
  for (int i = 0; i < n * n; ++i) a[i] = i % 7 - 3, b[i] = i % 5 - 2;
  for (int r = 0; r < repetitions; ++r) multiply(n, a, b, c);
  double trace = 0;
  for (int i = 0; i < n; ++i) trace += c[i * n + i];
  printf("dgemm n=%d trace=%.1f\n", n, trace);
  return 0;
}
